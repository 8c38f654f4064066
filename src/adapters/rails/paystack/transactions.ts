// A transaction of Paystack (money in), as its list has it and as it verifies one by its reference: both become the same line.
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

/** Bank transfers. Cards and other channels bring in nothing that a customer of ours announced. */
const CHANNEL = 'dedicated_nuban';

export function isBankTransfer(json: unknown): boolean {
  return (
    fieldOf(json, 'currency') === 'NGN' &&
    (textOf(json, 'authorization', 'channel') ?? textOf(json, 'channel')) === CHANNEL
  );
}

/** Null: it has no id or no time. */
export function readPaystackTransaction(json: unknown): PaystackTransaction | null {
  const id = wholeOf(json, 'id');
  const atMs = timeOf(json, 'created_at') ?? timeOf(json, 'createdAt');
  return id === null || atMs === null ? null : { id: `${id}`, atMs, status: textOf(json, 'status'), json };
}

/** What is not known is null. Without an amount it is 0, which is set aside; without an account it waits for people: neither is lost. */
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
