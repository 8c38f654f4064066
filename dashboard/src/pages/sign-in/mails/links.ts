// Splits the text of a mail into parts. Only a link to a page of this service becomes a link. All other parts stay text.

export interface MailPart {
  readonly at: number;
  readonly text: string;
  /** The path on this service. Null means that the part is plain text. */
  readonly href: string | null;
}

export interface Here {
  readonly origin: string;
  readonly hostname: string;
  readonly port: string;
}

const LINK = /https?:\/\/[^\s]+/g;
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function partsOf(body: string, here: Here): readonly MailPart[] {
  const parts: MailPart[] = [];
  let at = 0;
  const add = (text: string, href: string | null) => {
    if (text !== '') parts.push({ at, text, href });
    at += text.length;
  };
  for (const { 0: link, index } of body.matchAll(LINK)) {
    add(body.slice(at, index), null);
    add(link, ownPath(link, here));
  }
  add(body.slice(at), null);
  return parts;
}

/** Returns only a path, so that the link can only open this service. The sandbox has several local host names. */
function ownPath(link: string, { origin, hostname, port }: Here): string | null {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const same =
    url.origin === origin || (LOCAL.test(url.hostname) && LOCAL.test(hostname) && url.port === port);
  return same && url.pathname.startsWith('/app/') ? url.pathname + url.search + url.hash : null;
}
