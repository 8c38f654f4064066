// Values in the networks file that are checked by the network's own rules: amounts and addresses. An address in the networks
// file has the form of its family. Whether the chain has the right contract or account at that address is checked later, when
// the network is opened.
import { Type } from 'typebox';
import type { AddressCheck } from '../../../ports/networks/network.ts';
import type { Problems } from '../../settings-problems.ts';
import { text, withRule } from '../../settings-reader.ts';
import type { AddressFamily } from '../address-check.ts';
import { makeEvmAddressCheck } from '../evm/address.ts';
import { makeSolanaAddressCheck } from '../solana/address.ts';
import { makeStellarAddressCheck } from '../stellar/address.ts';
import { NOT_DEPLOYED } from './settings.ts';

const NO_RULES = { token: [], own: [] };
const CHECKS: Readonly<Record<AddressFamily, (network: string) => (text: string) => AddressCheck>> = {
  evm: (network) => makeEvmAddressCheck({ network, ...NO_RULES }),
  solana: (network) => makeSolanaAddressCheck({ network, ...NO_RULES }),
  stellar: (network) => makeStellarAddressCheck({ network, ...NO_RULES }),
};

interface Place {
  readonly name: string;
  readonly family: AddressFamily;
}

function check(text: string, { name, family }: Place): AddressCheck {
  return CHECKS[family](name)(text);
}

function address(
  place: Place,
  { fallback, also }: { readonly fallback?: string; readonly also?: string } = {},
) {
  const description = `an address on ${place.name} (in quotes)`;
  return withRule(
    Type.String({ description, ...(fallback !== undefined && { default: fallback }) }),
    (text) => text === also || check(text, place).ok,
    (text) => {
      const found = check(text, place);
      return `must be an address on ${place.name} (${found.ok ? '' : found.message.replace(/\.$/, '')})`;
    },
  );
}

/** A wallet. */
export function walletAddress(place: Place) {
  return address(place);
}

/** Of a contract of our own, which may not be deployed yet. */
export function contractAddress(place: Place) {
  return address(place, { also: NOT_DEPLOYED });
}

/** A muxed address of Stellar (M…) names one customer inside an account; an issuer is a whole account. */
export function tokenAddress(place: Place, fallback: string | undefined) {
  return withRule(
    address(place, fallback === undefined ? {} : { fallback }),
    (text) => place.family !== 'stellar' || !spell(text, place).startsWith('M'),
    () => `must be an address on ${place.name} (an account, G…)`,
  );
}

/** In the spelling that is stored. */
export function spell(text: string, place: Place): string {
  if (text === NOT_DEPLOYED) return text;
  const found = check(text, place);
  return found.ok ? found.address : text;
}

// Amounts in the networks file: in whole units, and as text because a number would be rounded.
const DECIMAL = /^(0|[1-9]\d{0,19})(?:\.(\d{1,30}))?$/;
export const AMOUNT_TEXT = 'an amount in whole units and in quotes, such as "1000000" or "0.5"';

/** `word` may stand for it. */
export function amount(fallback?: string, word?: string) {
  if (word === undefined) return text(DECIMAL, AMOUNT_TEXT, fallback);
  return text(new RegExp(`${DECIMAL.source}|^${word}$`), `${AMOUNT_TEXT}, or "${word}"`, fallback);
}

/** In minor units, never rounded. */
export function minorOf(given: string, decimals: number, at: Problems): bigint {
  const [, units = '0', fraction = ''] = DECIMAL.exec(given) ?? [];
  if (fraction.length > decimals) at.add(`has more than ${decimals} digits after the point`);
  return BigInt(`${units}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}
