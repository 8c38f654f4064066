// URLs in settings files. They may hold keys, so messages name the field and never the URL.
import { ANY_TEXT, withRule } from './schema.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function urlIn(value: unknown): URL | undefined {
  return typeof value === 'string' ? (URL.parse(value) ?? undefined) : undefined;
}

export function isOnThisMachine(url: URL | undefined): boolean {
  return url !== undefined && /^https?:$/.test(url.protocol) && LOOPBACK.test(url.hostname);
}

/** Plain HTTP can be changed on the way: it is accepted only on this machine. */
export function isSafe(url: URL | undefined): boolean {
  return url?.protocol === 'https:' || isOnThisMachine(url);
}

/** Of a bank or a source of rates. `wayOut` says where a password goes instead. */
export function safeUrl(wayOut = '') {
  return withRule(
    withRule(
      ANY_TEXT,
      (value) => isSafe(urlIn(value)),
      () => 'must be an https:// URL (http:// only on this machine)',
    ),
    (value) => `${urlIn(value)?.username ?? ''}${urlIn(value)?.password ?? ''}` === '',
    () => `must not hold a user name or a password${wayOut}`,
  );
}
