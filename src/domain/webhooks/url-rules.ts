// Checks the text of a webhook URL. The address of a host name is checked later, when the service connects. An IP address in
// the URL is checked here if the caller passes `judge`.
import type { Mode } from '../values/mode.ts';
import { fail, ok, type Result } from '../values/result.ts';

export interface UrlRules {
  readonly mode: Mode;
  /**
   * Whether loopback addresses are allowed in test mode, for a service on the embedded database. In live mode this setting has
   * no effect.
   */
  readonly allowsLoopback: boolean;
  readonly judge?: (ip: string) => 'allowed' | 'refused';
}

export interface InvalidUrl {
  readonly code: 'url_invalid';
  readonly message: string;
}

const MAX_URL_LENGTH = 2_048;
/**
 * Matches the scheme and the authority of a URL. This pattern is stricter than the URL parser, which would also accept
 * `http:host` and `http:///host`.
 */
const URL_PARTS = /^(https?):\/\/([^/?#]+)(?:[/?#]|$)/i;
/** The URL parser drops or rewrites these characters, so the service would contact a URL that differs from the text. */
const REWRITTEN_CHARACTERS = /[\u0000-\u0020\u007f\\\u00a0\u2028\u2029\ufeff]/;
const LIVE_PORT = 443;
const TEST_PORTS = new Set([80, LIVE_PORT]);
const FIRST_FREE_PORT = 1_024;

/** The host names under which cloud providers offer the credentials of a machine. */
const METADATA_NAMES = new Set([
  'metadata',
  'instance-data',
  'metadata.azure.com',
  'metadata.tencentyun.com',
]);

/** Returns the URL that the service will contact: in punycode, without a fragment and without a default port. */
export function checkWebhookUrl(text: string, rules: UrlRules): Result<string, InvalidUrl> {
  const wrongText = textProblem(text);
  if (wrongText !== null) return refuseUrl(wrongText);
  const url = new URL(text);
  const problem = hostProblem(url, rules) ?? portProblem(url, rules);
  if (problem !== null) return refuseUrl(problem);
  url.hash = '';
  return ok(url.href);
}

function refuseUrl(problem: string): Result<never, InvalidUrl> {
  return fail({ code: 'url_invalid', message: `url ${problem}` });
}

function textProblem(text: string): string | null {
  if (text.length > MAX_URL_LENGTH) return `is longer than ${MAX_URL_LENGTH} characters: use a shorter one.`;
  if (REWRITTEN_CHARACTERS.test(text))
    return 'has a space, a backslash or a control character: escape it, for example as %20.';
  const authority = URL_PARTS.exec(text)?.[2];
  if (authority === undefined || !URL.canParse(text))
    return 'is not a web address: use the form https://example.com/webhooks.';
  if (authority.includes('@'))
    return 'has a user name or password: remove it, and check the signature instead.';
  // Wide digits, dots of other scripts and %2e would become plain characters. So the service would contact a host that differs
  // from the host that people see.
  if (
    authority.includes('%') ||
    authority.normalize('NFKC') !== authority ||
    /[\u3002\uff61]/.test(authority)
  )
    return 'has a host with characters that are converted to others: write the host in its plain form.';
  return null;
}

function hostProblem({ hostname }: URL, { mode, allowsLoopback, judge }: UrlRules): string | null {
  const loopback = allowsLoopback && mode === 'test';
  const ip = addressIn(hostname);
  if (ip !== null)
    return judge?.(ip) === 'refused' ? 'has an address that is not public: use a public host.' : null;
  if (hostname.endsWith('.')) return 'has a host that ends with a dot: remove the dot.';
  if (isSubdomainOf(hostname, 'localhost'))
    return loopback ? null : 'has the host localhost, which is not public: use a public host.';
  if (isSubdomainOf(hostname, 'internal') || METADATA_NAMES.has(hostname))
    return 'has a host of an internal network: use a public host.';
  return null;
}

function portProblem({ protocol, port }: URL, { mode }: UrlRules): string | null {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  if (mode === 'test')
    return TEST_PORTS.has(number) || number >= FIRST_FREE_PORT
      ? null
      : `has port ${number}: use 80, 443 or a port from ${FIRST_FREE_PORT} on.`;
  if (protocol !== 'https:') return 'must start with https:// in live mode.';
  return number === LIVE_PORT ? null : `has port ${number}: in live mode use port ${LIVE_PORT}.`;
}

/** The URL parser has already converted decimal, octal and hexadecimal IPv4 addresses into four decimal numbers. */
function addressIn(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : null;
}

function isSubdomainOf(hostname: string, name: string): boolean {
  return hostname === name || hostname.endsWith(`.${name}`);
}
