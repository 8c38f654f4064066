// Checks the request line and the headers more strictly than Node. The service refuses a request that a proxy could interpret
// differently, so that the proxy and the service always see the same request.
import type { IncomingMessage } from 'node:http';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';

/** No client sends nearly as many headers. Node's limit of 16 KB alone would allow thousands of short headers. */
const MAX_HEADERS = 200;
const HOST = /^[\w.~!$&'()*+;=%:[\]-]*$/;

const TOO_MANY = refusal(
  'malformed_request',
  `The request has more than ${MAX_HEADERS} headers. Send fewer.`,
);
const NO_HOST = refusal('malformed_request', 'The Host header is missing. Send it once.');
const HOSTS = refusal('malformed_request', 'The Host header is repeated. Send it once.');
const BAD_HOST = refusal('malformed_request', 'The Host header is not a host name or an IP address.');
const CODINGS = refusal(
  'malformed_request',
  'The Transfer-Encoding header must be chunked or absent. HTTP/1.0 does not support it.',
);

/** Returns a refusal that applies to any path. The service closes the connection after such a refusal. */
export function findHeadRefusal({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | undefined {
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

/** The raw headers are counted, because `headers` of Node keeps only the first of several Host headers. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/**
 * No path of this service has a percent sign. The router would decode it, so one path would have many spellings, and a proxy
 * rule for one spelling would not match the others.
 */
export function hasPercentInPath(url: string): boolean {
  const percent = url.indexOf('%');
  if (percent === -1) return false;
  const query = url.indexOf('?');
  return query === -1 || percent < query;
}
