// Checks whether a wallet can receive the token now, and how. Every payment is checked before a transaction is signed, because
// one failed operation undoes the whole transaction.
import { hash } from 'node:crypto';
import type { StellarSettings } from '../../settings/settings.ts';
import { type AccountState, loadAccount, type StellarToken } from './account.ts';
import { type HorizonFields, optionalText } from './fields.ts';
import type { Horizon } from './horizon.ts';
import { StrKey } from './strkey.ts';

export type RecipientReadiness =
  | { readonly kind: 'payment'; readonly roomMinor: bigint }
  /** The tokens are put into a claimable balance. The wallet claims the balance later. */
  | { readonly kind: 'claimable_balance' }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

const ED25519_BYTES = 32;

function isMuxed(address: string): boolean {
  return address.startsWith('M');
}

export function accountOfAddress(address: string): string {
  if (!isMuxed(address)) return address;
  return StrKey.encodeEd25519PublicKey(StrKey.decodeMed25519PublicKey(address).slice(0, ED25519_BYTES));
}

export async function loadReadiness(
  horizon: Horizon,
  to: string,
  token: StellarToken,
  { withoutTrustline }: Pick<StellarSettings, 'withoutTrustline'>,
): Promise<RecipientReadiness> {
  // Invalid addresses are refused earlier. If one got here, a server's error about it would delay all other payments.
  if (!StrKey.isValidEd25519PublicKey(to) && !StrKey.isValidMed25519PublicKey(to))
    return { kind: 'refused', reason: 'it is not the address of an account' };
  return readinessOf(to, await loadAccount(horizon, accountOfAddress(to), token), withoutTrustline);
}

function readinessOf(
  to: string,
  account: AccountState | undefined,
  withoutTrustline: StellarSettings['withoutTrustline'],
): RecipientReadiness {
  // A shared account identifies its customers by memo, so without a memo the money could not be credited. The id of a muxed
  // address has the same function as a memo.
  if (account?.memoRequired === true && !isMuxed(to)) {
    return { kind: 'refused', reason: 'the account requires a memo, and the address has none' };
  }
  const trustline = account?.trustline;
  if (trustline === undefined) {
    // A claimable balance belongs to an account and cannot keep the id of a muxed address.
    if (withoutTrustline === 'claimable_balance' && !isMuxed(to)) return { kind: 'claimable_balance' };
    const reason = account === undefined ? 'the account does not exist' : 'the account has no trustline';
    return { kind: 'waiting', reason };
  }
  if (!trustline.authorised) return { kind: 'waiting', reason: 'the trustline is not authorised' };
  return { kind: 'payment', roomMinor: trustline.roomMinor };
}

// Finds the order of a payment to the shared receiving account, by the memo of its transaction or by the id of the muxed
// destination address.
const MOST_ID = 2n ** 64n - 1n;

/** The id has 63 bits, so that it fits a signed database integer. It is never 0, because some wallets treat 0 as no memo. */
export function memoIdOf(network: string, transactionId: string): string {
  const bits = hash(
    'sha256',
    JSON.stringify([network, 'deposit', transactionId]),
    'buffer',
  ).readBigUInt64BE();
  return (bits >> 1n || 1n).toString();
}

/**
 * The memo from the sender. A text memo counts as well, because people type the number into a text field. A text that is not a
 * number cannot be mistaken for one. A hash memo never identifies an order.
 */
export function readMemo(transaction: HorizonFields): string | null {
  const type = optionalText(transaction, 'memo_type');
  if (type !== 'id' && type !== 'text') return null;
  const memo = (optionalText(transaction, 'memo') ?? '').trim();
  if (type === 'id' || /^\d+$/.test(memo)) return parseMemoId(memo) ?? textOrNull(memo);
  return textOrNull(memo);
}

/** Returns an id without leading zeros. Null means that the text is not a valid id. */
export function parseMemoId(text: string): string | null {
  if (!/^\d{1,40}$/.test(text)) return null;
  const id = BigInt(text);
  return id <= MOST_ID ? id.toString() : null;
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}
