// Reads an address in the networks file and checks its form by the rules of its family. Whether the chain has the right
// contract or account at that address is checked later, when the network is opened.
import type { AddressCheck } from '../../../ports/network/describes.ts';
import type { AddressFamily } from '../address-family.ts';
import { makeEvmAddressCheck } from '../evm/address.ts';
import { makeSolanaAddressCheck } from '../solana/address.ts';
import { makeStellarAddressCheck } from '../stellar/address.ts';
import type { Fields } from './fields.ts';

const NO_RULES = { token: [], own: [] };
const CHECKS: Readonly<Record<AddressFamily, (network: string) => (text: string) => AddressCheck>> = {
  evm: (network) => makeEvmAddressCheck({ network, ...NO_RULES }),
  solana: (network) => makeSolanaAddressCheck({ network, ...NO_RULES }),
  stellar: (network) => makeStellarAddressCheck({ network, ...NO_RULES }),
};

/** In the spelling that is stored. */
export function addressIn<Name extends string>(
  fields: Fields<Name>,
  name: Name,
  { name: network, family }: { readonly name: string; readonly family: AddressFamily },
  fallback?: string,
): string {
  const given = fields.value(name);
  const value = given === undefined ? fallback : given;
  if (value === undefined) throw fields.problem(name, 'is missing');
  const problem = (why: string) => fields.problem(name, `must be an address on ${network} (${why})`);
  if (typeof value !== 'string') throw problem('in quotes');
  const check = CHECKS[family](network)(value);
  if (!check.ok) throw problem(check.message.replace(/\.$/, ''));
  // A muxed address (M…) names one customer inside an account; an issuer is a whole account.
  if (family === 'stellar' && name === 'token' && check.address.startsWith('M'))
    throw problem('an account, G…');
  return check.address;
}
