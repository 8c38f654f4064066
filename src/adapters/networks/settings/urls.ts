// The URLs in the networks file: providers, explorer and faucet. They may hold keys, so messages name the entry and never the
// URL.
import type { Mode } from '../../../domain/values/mode.ts';
import type { AddressFamily } from '../address-family.ts';
import type { Fields } from './fields.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const MOST_PROVIDERS = 10;

/** Plain HTTP can be changed on the way: it is accepted only on this machine, or in test mode. */
function isSafe({ protocol, hostname }: URL, mode: Mode): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (mode === 'test' || LOOPBACK.test(hostname));
}

function urlIn(value: unknown): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
}

export function providersIn(
  fields: Fields<'rpc'>,
  { mode, family }: { readonly mode: Mode; readonly family: AddressFamily },
): readonly string[] {
  const list = fields.value('rpc');
  if (list === undefined) throw fields.problem('rpc', 'is missing');
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_PROVIDERS)
    throw fields.problem('rpc', `must be a list of 1 to ${MOST_PROVIDERS} URLs of providers`);
  const urls = list.map((value, index) => {
    const problem = (what: string) => fields.problem('rpc', `entry ${index + 1} ${what}`);
    const url = urlIn(value);
    if (url === undefined) throw problem('is not a URL');
    if (!isSafe(url, mode)) throw problem('must be https:// (http:// only in test mode, or on this machine)');
    if (family === 'solana' && url.username !== '')
      throw problem(
        'has a user name, which cannot be used on this network: the key goes into the path or query',
      );
    if (family === 'stellar' && url.search !== '')
      throw problem(
        'has a query, which would be lost on this network: the key goes into the path or before an @',
      );
    return url;
  });
  if (new Set(urls.map(({ href }) => href)).size < urls.length)
    throw fields.problem('rpc', 'names the same provider twice');
  return list;
}

/** Two URLs at one host are one provider. */
export function countProviders(urls: readonly string[]): number {
  return new Set(urls.map((url) => new URL(url).host)).size;
}

export function explorerIn(
  fields: Fields<'explorer_tx_url'>,
  mode: Mode,
  fallback: string | null | undefined,
): string | null {
  const given = fields.value('explorer_tx_url');
  const value = given === undefined ? fallback : given;
  if (value === undefined) throw fields.problem('explorer_tx_url', 'is missing; write null for no explorer');
  if (value === null) return null;
  const url = urlIn(value);
  if (url !== undefined && isSafe(url, mode) && `${value}`.includes('{hash}')) return `${value}`;
  throw fields.problem('explorer_tx_url', 'must be an https:// URL with {hash} in it, or null');
}

/** Only networks on this machine have a faucet. */
export function faucetIn(fields: Fields<'faucet'>): string | null {
  const value = fields.value('faucet') ?? null;
  if (value === null) return null;
  const url = urlIn(value);
  if (url !== undefined && /^https?:$/.test(url.protocol) && LOOPBACK.test(url.hostname)) return `${value}`;
  throw fields.problem('faucet', 'must be a URL on this machine, or null: only local networks have one');
}
