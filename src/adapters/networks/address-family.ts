// Recognises by shape alone which kind of network a text was copied from, and secrets pasted by mistake. The
// shapes cannot overlap: they differ in length and alphabet.
import { isAddress } from '@solana/addresses';

export type AddressFamily = 'evm' | 'stellar' | 'solana';

interface Shape {
  readonly family: AddressFamily;
  readonly label: string;
  matches(text: string): boolean;
}

const EVM = /^0x[0-9a-f]{40}$/i;
// Accounts and contracts have 56 characters, muxed accounts 69.
const STELLAR = /^(?:[GC][A-Z2-7]{55}|M[A-Z2-7]{68})$/;

const SHAPES: readonly Shape[] = [
  { family: 'evm', label: 'an EVM (0x…) address', matches: (text) => EVM.test(text) },
  { family: 'stellar', label: 'a Stellar address', matches: (text) => STELLAR.test(text) },
  { family: 'solana', label: 'a Solana address', matches: isAddress },
];

const SECRETS: readonly { readonly label: string; readonly pattern: RegExp }[] = [
  { label: 'a Stellar secret seed (S…)', pattern: /^S[A-Z2-7]{55}$/ },
  { label: 'a private key or a transaction hash', pattern: /^(?:0x)?[0-9a-f]{64}$/i },
  // 64 bytes in base 58: a Solana key pair and a signature have the same length.
  { label: 'a Solana secret key or a transaction signature', pattern: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/ },
];

/** What a text looks like, when it is an address of another family than the one expected. */
export function looksLikeOtherFamily(text: string, expected: AddressFamily): string | undefined {
  return SHAPES.find((shape) => shape.family !== expected && shape.matches(text))?.label;
}

export function looksLikeSecret(text: string): string | undefined {
  return SECRETS.find((secret) => secret.pattern.test(text))?.label;
}
