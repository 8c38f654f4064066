// The text of a mail in parts: a link to a page of this service can be followed, whatever else is in the text is text.

export interface MailPart {
  readonly at: number;
  readonly text: string;
  /** Below this very service; null: text. */
  readonly href: string | null;
}

/** The parts of the page's address that matter. */
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

/** As a path, so that it leads to this service and nowhere else. The sandbox has several names on one machine. */
function ownPath(link: string, { origin, hostname, port }: Here): string | null {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const same =
    url.origin === origin || (LOCAL.test(url.hostname) && LOCAL.test(hostname) && url.port === port);
  return same && url.pathname.startsWith('/app/') ? url.pathname + url.search + url.hash : null;
}
