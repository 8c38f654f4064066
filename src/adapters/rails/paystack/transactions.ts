// Reads an incoming transaction of Paystack. The list and the query by reference give the same line.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type { CreditLine } from '../../../ports/rails/rail-statement.ts';
import { fieldOf, numberTextOf, textOf, wholeOf, withPlainNumbers } from '../../json.ts';
import { parseKobo } from '../connection/amounts-and-times.ts';

export interface PaystackTransaction {
  readonly atMs: number;
  readonly id: string;
  readonly status: string | null;
  readonly json: unknown;
}

/** The channel of bank transfers at Paystack. Payments through other channels, such as cards, match no expected payment. */
const CHANNEL = 'dedicated_nuban';

export function isBankTransfer(json: unknown): boolean {
  return (
    fieldOf(json, 'currency') === 'NGN' &&
    (textOf(json, 'authorization', 'channel') ?? textOf(json, 'channel')) === CHANNEL
  );
}

/** Returns null if the transaction has no id or no time. */
export function readPaystackTransaction(json: unknown): PaystackTransaction | null {
  const id = wholeOf(json, 'id');
  const atMs = timeOf(json, 'created_at') ?? timeOf(json, 'createdAt');
  return id === null || atMs === null ? null : { id: `${id}`, atMs, status: textOf(json, 'status'), json };
}

/**
 * Unknown values are null. If the amount is missing, it becomes 0, and the credit is set aside for a person. A credit without
 * an account waits until a person decides. So no credit is lost.
 */
export function creditLineOf(
  directory: BankDirectory,
  { id, atMs, json }: Omit<PaystackTransaction, 'status'>,
): CreditLine {
  const said = (name: string) => textOf(json, 'authorization', name);
  const bank = said('receiver_bank');
  return {
    kind: 'credit',
    sourceId: id,
    accountNumber: said('receiver_bank_account_number') ?? '',
    accountBankCode: (bank !== null && directory.resolve(bank)?.code) || null,
    amountMinor: parseKobo(numberTextOf(json, 'amount')) ?? 0n,
    payerAccount: said('sender_bank_account_number'),
    payerName: said('sender_name'),
    payerBankName: said('sender_bank'),
    narration: said('narration'),
    sessionId: null,
    valueAtMs: timeOf(json, 'paid_at') ?? timeOf(json, 'paidAt') ?? atMs,
    raw: withPlainNumbers(json),
  };
}

function timeOf(row: unknown, name: string): number | null {
  const ms = Date.parse(textOf(row, name) ?? '');
  return Number.isNaN(ms) ? null : ms;
}
