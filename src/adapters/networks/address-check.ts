// The part of the address check that all networks share. An address of a different network gets a different message than a
// mistyped one. Some destinations are never paid. A message never repeats the value, because people sometimes paste secrets.
import { isAddress } from '@solana/addresses';
import type { AddressCheck } from '../../ports/networks/network.ts';

/**
 * Recognises by format alone to which family of networks a text belongs, and finds secrets pasted by mistake. The formats
 * cannot overlap, because they differ in length and alphabet.
 */
export type AddressFamily = 'evm' | 'stellar' | 'solana';

interface AddressShape {
  readonly family: AddressFamily;
  readonly label: string;
  matches(text: string): boolean;
}

const EVM = /^0x[0-9a-f]{40}$/i;
// Accounts and contracts have 56 characters, and muxed accounts have 69.
const STELLAR = /^(?:[GC][A-Z2-7]{55}|M[A-Z2-7]{68})$/;

const SHAPES: readonly AddressShape[] = [
  { family: 'evm', label: 'an EVM (0x…) address', matches: (text) => EVM.test(text) },
  { family: 'stellar', label: 'a Stellar address', matches: (text) => STELLAR.test(text) },
  { family: 'solana', label: 'a Solana address', matches: isAddress },
];

const SECRETS: readonly { readonly label: string; readonly pattern: RegExp }[] = [
  { label: 'a Stellar secret seed (S…)', pattern: /^S[A-Z2-7]{55}$/ },
  { label: 'a private key or a transaction hash', pattern: /^(?:0x)?[0-9a-f]{64}$/i },
  // A Solana key pair and a signature have the same length: 64 bytes in base 58.
  { label: 'a Solana secret key or a transaction signature', pattern: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/ },
];

function looksLikeOtherFamily(text: string, expected: AddressFamily): string | undefined {
  return SHAPES.find((shape) => shape.family !== expected && shape.matches(text))?.label;
}

function looksLikeSecret(text: string): string | undefined {
  return SECRETS.find((secret) => secret.pattern.test(text))?.label;
}

export interface DestinationRules {
  readonly network: string;
  /** The token's contract, mint or issuer. Tokens sent there are burnt or stuck. */
  readonly token: readonly string[];
  /** Treasury and deposit wallets. A payment to them would look like a completed order. */
  readonly own: readonly string[];
}

type AddressReading =
  /** `identity` is the same for all spellings of one destination. `address` is the spelling that is stored and paid. */
  | { readonly ok: true; readonly address: string; readonly identity: string }
  | {
      readonly ok: false;
      readonly code: 'wallet_invalid' | 'wallet_forbidden';
      readonly reason: string;
    };

export interface AddressForm {
  readonly family: AddressFamily;
  read(text: string): AddressReading;
  /** The reason why no wallet can own this destination. Undefined means that a wallet can own it. */
  unpayable(identity: string): string | undefined;
}

export function makeAddressCheck(form: AddressForm, rules: DestinationRules): (text: string) => AddressCheck {
  const token = readIdentities(form, rules.network, 'token', rules.token);
  const own = readIdentities(form, rules.network, 'own', rules.own);

  function forbidden(identity: string): string | undefined {
    if (token.has(identity)) return "it is the token's own contract or issuer";
    if (own.has(identity)) return 'it is a wallet of this service';
    return form.unpayable(identity);
  }

  return (text) => {
    const reading = form.read(text);
    if (reading.ok) {
      const reason = forbidden(reading.identity);
      return reason === undefined ? { ok: true, address: reading.address } : refuseDestination(reason);
    }
    if (reading.code === 'wallet_forbidden') return refuseDestination(reading.reason);
    return explainInvalid(form, rules.network, text, reading.reason);
  };
}

function refuseDestination(reason: string): AddressCheck {
  return {
    ok: false,
    code: 'wallet_forbidden',
    message: `This address must not receive payments: ${reason}.`,
  };
}

function explainInvalid(form: AddressForm, network: string, text: string, reason: string): AddressCheck {
  const secret = looksLikeSecret(text);
  if (secret !== undefined) {
    const message = `This looks like ${secret}, not an address. Never send a secret key to anyone.`;
    return { ok: false, code: 'wallet_invalid', message };
  }
  const other = looksLikeOtherFamily(text, form.family);
  if (other !== undefined) {
    const message = `This looks like ${other}, but network is ${network}.`;
    return { ok: false, code: 'wallet_network_mismatch', message };
  }
  return { ok: false, code: 'wallet_invalid', message: `This is not a valid ${network} address: ${reason}.` };
}

/**
 * A mistyped entry would protect nothing, so it stops the start. The message does not contain the entry, because it may be a
 * key.
 */
function readIdentities(
  form: AddressForm,
  network: string,
  list: 'token' | 'own',
  addresses: readonly string[],
) {
  return new Set(
    addresses.map((address, index) => {
      const reading = form.read(address);
      if (!reading.ok) throw new Error(`${network}: entry ${index + 1} of "${list}" is not a valid address`);
      return reading.identity;
    }),
  );
}
