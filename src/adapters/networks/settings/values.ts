// The values in the networks file that the network's own rules check: amounts and addresses. An address must have the format of
// its family. When the network is opened, the service checks that the chain has the right contract or account at that address.
import { Type } from 'typebox';
import type { AddressCheck } from '../../../ports/networks/network.ts';
import type { SettingsProblems } from '../../settings-problems.ts';
import { textSchema, withRule } from '../../settings-reader.ts';
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

interface AddressScope {
  readonly name: string;
  readonly family: AddressFamily;
}

function checkAddressText(text: string, { name, family }: AddressScope): AddressCheck {
  return CHECKS[family](name)(text);
}

function addressSchema(
  place: AddressScope,
  { fallback, also }: { readonly fallback?: string; readonly also?: string } = {},
) {
  const description = `an address on ${place.name} (in quotes)`;
  return withRule(
    Type.String({ description, ...(fallback !== undefined && { default: fallback }) }),
    (text) => text === also || checkAddressText(text, place).ok,
    (text) => {
      const found = checkAddressText(text, place);
      return `must be an address on ${place.name} (${found.ok ? '' : found.message.replace(/\.$/, '')})`;
    },
  );
}

export function walletAddressSchema(place: AddressScope) {
  return addressSchema(place);
}

/** The address of one of the operator's own contracts, which may not be deployed yet. */
export function contractAddressSchema(place: AddressScope) {
  return addressSchema(place, { also: NOT_DEPLOYED });
}

/**
 * The issuer must be an account, not a muxed address. A muxed address of Stellar (M…) identifies one customer inside an account.
 */
export function tokenAddressSchema(place: AddressScope, fallback: string | undefined) {
  return withRule(
    addressSchema(place, fallback === undefined ? {} : { fallback }),
    (text) => place.family !== 'stellar' || !spellAddress(text, place).startsWith('M'),
    () => `must be an address on ${place.name} (an account, G…)`,
  );
}

export function spellAddress(text: string, place: AddressScope): string {
  if (text === NOT_DEPLOYED) return text;
  const found = checkAddressText(text, place);
  return found.ok ? found.address : text;
}

// Amounts in the networks file are in whole units. They are text, because a number would be rounded.
const DECIMAL = /^(0|[1-9]\d{0,19})(?:\.(\d{1,30}))?$/;
export const AMOUNT_TEXT = 'an amount in whole units and in quotes, such as "1000000" or "0.5"';

/** The field also accepts `word` in place of an amount. */
export function amountSchema(fallback?: string, word?: string) {
  if (word === undefined) return textSchema(DECIMAL, AMOUNT_TEXT, fallback);
  return textSchema(new RegExp(`${DECIMAL.source}|^${word}$`), `${AMOUNT_TEXT}, or "${word}"`, fallback);
}

/** Returns the amount in minor units, never rounded. */
export function parseMinor(given: string, decimals: number, at: SettingsProblems): bigint {
  const [, units = '0', fraction = ''] = DECIMAL.exec(given) ?? [];
  if (fraction.length > decimals) at.add(`has more than ${decimals} digits after the point`);
  return BigInt(`${units}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}
