// Checks of a request's head that Node leaves to us. Where two readers of one request could see two different ones, it is
// refused: a proxy in front must never have allowed something else than what is done here.
import type { IncomingMessage } from 'node:http';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';

/** Far more than any client sends; 16 KB of empty ones would be thousands. */
const MAX_HEADERS = 200;
const HOST = /^[\w.~!$&'()*+;=%:[\]-]*$/;

const TOO_MANY = refusal('malformed_request', 'The request has too many headers.');
const NO_HOST = refusal('malformed_request', 'The request has no Host header.');
const HOSTS = refusal('malformed_request', 'The request has more than one Host header.');
const BAD_HOST = refusal('malformed_request', 'The Host header is not a host.');
const CODINGS = refusal('malformed_request', 'The only transfer coding is chunked, and only in HTTP/1.1.');

/** Why the request is refused whatever it asks for; its connection is closed then. */
export function headRefusal({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return TOO_MANY;
  const { host, 'transfer-encoding': coding } = headers;
  if (host === undefined) {
    if (httpVersion === '1.1') return NO_HOST;
  } else {
    if (!HOST.test(host)) return BAD_HOST;
    if (countHosts(rawHeaders) > 1) return HOSTS;
  }
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) return CODINGS;
  return undefined;
}

/** Node keeps the first of several. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/**
 * No address of ours needs a percent sign. The router would decode one, so that one address had many spellings, and a
 * rule of a proxy for the one would miss the others.
 */
export function isSpeltOddly(url: string): boolean {
  const percent = url.indexOf('%');
  if (percent === -1) return false;
  const query = url.indexOf('?');
  return query === -1 || percent < query;
}
