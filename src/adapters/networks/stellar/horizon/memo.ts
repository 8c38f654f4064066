// Which order a payment to the shared receiving account belongs to: by the memo of its transaction or by the id of the muxed
// address it was sent to.
import { hash } from 'node:crypto';
import { type Fields, optionalText } from './fields.ts';

const MOST_ID = 2n ** 64n - 1n;

/** 63 bits, so that it also fits a signed database integer; never 0, which some wallets treat as no memo. */
export function memoIdOf(network: string, transactionId: string): string {
  const bits = hash(
    'sha256',
    JSON.stringify([network, 'deposit', transactionId]),
    'buffer',
  ).readBigUInt64BE();
  return (bits >> 1n || 1n).toString();
}

/**
 * The memo that a sender wrote. A text memo counts as well: people type the number into a text field, and a text that is not a
 * number cannot be mistaken for one. A hash memo never names an order.
 */
export function memoOf(transaction: Fields): string | null {
  const type = optionalText(transaction, 'memo_type');
  if (type !== 'id' && type !== 'text') return null;
  const memo = (optionalText(transaction, 'memo') ?? '').trim();
  if (type === 'id' || /^\d+$/.test(memo)) return idOf(memo) ?? textOrNull(memo);
  return textOrNull(memo);
}

/** The number of an id, as it is written without leading zeros. */
export function idOf(text: string): string | null {
  if (!/^\d{1,40}$/.test(text)) return null;
  const id = BigInt(text);
  return id <= MOST_ID ? id.toString() : null;
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}
