// Reads a transaction at Monnify (money that came into a reserved account), as GET /api/v2/transactions/{reference} returns it.
// Monnify's list and events only contain the reference of a transaction, so only this response counts. The account that was
// paid is looked up by its reference.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import { parseSessionId } from '../../../domain/values/session-id.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RailEventVerdict } from '../../../ports/rails/rail-events.ts';
import type { CreditLine } from '../../../ports/rails/rail-statement.ts';
import { fieldOf, numberTextOf, textOf, withPlainNumbers } from '../../json.ts';
import { parseBankTime, parseNairaAsKobo } from '../connection/amounts-and-times.ts';
import type { MonnifyClient } from './client.ts';
import { ENDED_COLLECTIONS, PAID_COLLECTIONS } from './codes.ts';

export interface CollectionParts {
  readonly client: MonnifyClient;
  readonly directory: BankDirectory;
  readonly clock: Clock;
  /** Returns the service's bank code for Monnify's bank code, or null if Monnify's code is not known. */
  readonly bankOf: (code: string) => string | null;
  /** Money that came in before this time does not count. If this is null, no money counts. */
  readonly fromMs: number | null;
}

export interface Collections {
  verify(reference: string): Promise<RailEventVerdict>;
}

interface ReservedAccount {
  readonly number: string;
  readonly bankCode: string | null;
}

const ACCOUNT_NUMBER = /^\d{10}$/;
const NO_ACCOUNT: ReservedAccount = { number: '', bankCode: null };
/** A reserved account is looked up again after this time, because it may get a second bank. */
const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 1_000;

export function makeCollections(parts: CollectionParts): Collections {
  const known = new Map<string, { readonly account: ReservedAccount; readonly untilMs: number }>();
  const accountOf = async (reference: string): Promise<ReservedAccount | { readonly reason: string }> => {
    const nowMs = parts.clock.now();
    const remembered = known.get(reference);
    if (remembered !== undefined && nowMs < remembered.untilMs) return remembered.account;
    const account = await lookUpAccount(parts, reference);
    if ('reason' in account) return account;
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(reference, { account, untilMs: nowMs + REMEMBERED_MS });
    return account;
  };
  return { verify: (reference) => verifyCollection(parts, accountOf, reference) };
}

async function verifyCollection(
  parts: CollectionParts,
  accountOf: (reference: string) => Promise<ReservedAccount | { readonly reason: string }>,
  reference: string,
): Promise<RailEventVerdict> {
  const path = `/api/v2/transactions/${encodeURIComponent(reference)}`;
  const answer = await parts.client.call({ method: 'GET', path });
  if (answer.kind === 'refused' && answer.status === 404) return { kind: 'not_found' };
  if (answer.kind === 'refused')
    return { kind: 'unknown', why: `Monnify refuses the query (status ${answer.status})` };
  if (answer.kind !== 'done') return { kind: 'unknown', why: answer.reason };
  const { body } = answer;
  if (textOf(body, 'transactionReference') !== reference)
    return { kind: 'unknown', why: 'Monnify answers about another reference' };
  const standing = collectionStateOf(parts, body);
  if (standing.kind !== 'paid') return standing;
  const own = destinationIn(parts, body) ?? (await accountOf(textOf(body, 'product', 'reference') ?? ''));
  if ('reason' in own) return { kind: 'unknown', why: own.reason };
  const line = creditLineOf(parts, reference, body, own);
  if (!standing.isReversed) return { kind: 'credit', line };
  const { amountMinor, raw } = line;
  const of = { sourceId: `reversed:${reference}`, about: reference, amountMinor, raw };
  return { kind: 'reversed', notice: { kind: 'credit_reversed', ...of } };
}

function collectionStateOf(
  { fromMs }: CollectionParts,
  body: unknown,
):
  | { readonly kind: 'paid'; readonly isReversed: boolean }
  | Extract<RailEventVerdict, { kind: 'no_value' | 'not_yet' }> {
  const currency = textOf(body, 'currency') ?? textOf(body, 'currencyCode');
  const isTransfer =
    currency === 'NGN' &&
    textOf(body, 'product', 'type') === 'RESERVED_ACCOUNT' &&
    textOf(body, 'paymentMethod') === 'ACCOUNT_TRANSFER';
  if (!isTransfer) return { kind: 'no_value', why: 'it is not a transfer to a reserved account' };
  const paidAtMs = parseBankTime(textOf(body, 'paidOn'), 'day');
  if (fromMs === null || (paidAtMs !== null && paidAtMs < fromMs))
    return { kind: 'no_value', why: 'it is not covered by credits_from' };
  const status = textOf(body, 'paymentStatus') ?? '';
  if (PAID_COLLECTIONS.has(status)) return { kind: 'paid', isReversed: false };
  if (status === 'REVERSED') return { kind: 'paid', isReversed: true };
  if (ENDED_COLLECTIONS.has(status)) return { kind: 'no_value', why: 'it was not paid' };
  return { kind: 'not_yet', why: 'Monnify has not settled it' };
}

function destinationIn({ bankOf }: CollectionParts, body: unknown): ReservedAccount | null {
  const number = textOf(body, 'destinationAccountInformation', 'accountNumber') ?? '';
  if (!ACCOUNT_NUMBER.test(number)) return null;
  return { number, bankCode: bankOf(textOf(body, 'destinationAccountInformation', 'bankCode') ?? '') };
}

/** If a reference has accounts at several banks, it is unclear which account was paid. Then a person must decide. */
async function lookUpAccount(
  { client, bankOf }: CollectionParts,
  reference: string,
): Promise<ReservedAccount | { readonly reason: string }> {
  if (reference === '') return NO_ACCOUNT;
  const path = `/api/v2/bank-transfer/reserved-accounts/${encodeURIComponent(reference)}`;
  const answer = await client.call({ method: 'GET', path });
  if (answer.kind === 'refused' && answer.status === 404) return NO_ACCOUNT;
  if (answer.kind === 'refused')
    return { reason: `Monnify refuses to name the account (status ${answer.status})` };
  if (answer.kind !== 'done') return answer;
  const listed = fieldOf(answer.body, 'accounts');
  const accounts = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  const number = accounts.length === 1 ? (textOf(accounts[0], 'accountNumber') ?? '') : '';
  if (!ACCOUNT_NUMBER.test(number)) return NO_ACCOUNT;
  return { number, bankCode: bankOf(textOf(accounts[0], 'bankCode') ?? '') };
}

/**
 * Unknown values are null. If the amount is missing, it becomes 0, and the credit is set aside for a person. A credit without
 * an account waits until a person decides. So no credit is lost.
 */
function creditLineOf(
  { directory, clock, bankOf }: CollectionParts,
  reference: string,
  body: unknown,
  { number, bankCode }: ReservedAccount,
): CreditLine {
  const payments = fieldOf(body, 'accountPayments');
  // A transaction with several payments has no single payer.
  const said = (name: string) =>
    Array.isArray(payments) && payments.length > 1 ? null : textOf(body, 'accountDetails', name);
  const payerBank = bankOf(said('bankCode') ?? '');
  const session = said('sessionId') ?? '';
  return {
    kind: 'credit',
    sourceId: reference,
    accountNumber: number,
    accountBankCode: bankCode,
    amountMinor: parseNairaAsKobo(numberTextOf(body, 'amountPaid') ?? '', 'exact') ?? 0n,
    payerAccount: said('accountNumber'),
    payerName: said('accountName'),
    payerBankName: directory.all.find(({ code }) => code === payerBank)?.name ?? null,
    narration: textOf(body, 'paymentDescription'),
    sessionId: parseSessionId(session),
    valueAtMs: parseBankTime(textOf(body, 'paidOn'), 'day') ?? clock.now(),
    raw: withPlainNumbers(body),
  };
}
