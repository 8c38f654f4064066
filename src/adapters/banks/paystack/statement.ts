// Money that came into our dedicated accounts at Paystack, as GET /transaction lists it, oldest first. A position is the time and the
// id of the last transaction that was handed out; a transaction that is not settled yet holds back those behind it.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type { CreditLine, Statement, StatementPage } from '../../../ports/bank/statement.ts';
import type { Clock } from '../../../ports/clock.ts';
import { fieldOf, plain, textOf, wholeOf } from '../connection/json.ts';
import type { PaystackClient } from './client.ts';
import { ENDED_TRANSACTIONS } from './codes.ts';

export interface PaystackStatementParts {
  readonly client: PaystackClient;
  readonly directory: BankDirectory;
  readonly clock: Clock;
  readonly fromMs: number;
  readonly lagMs: number;
}

/** Lines on one page of the statement. */
const PAGE_LINES = 100;
/** Transactions in one answer. */
const PER_ANSWER = 100;
/** A stretch of time with more transactions than this is read in parts. */
const MOST_IN_STRETCH = 1_000;
const DAY_MS = 86_400_000;
/** Bank transfers. Cards and other channels bring in nothing that a customer of ours announced. */
const CHANNEL = 'dedicated_nuban';

interface Place {
  readonly atMs: number;
  readonly id: bigint;
}

interface Transaction extends Place {
  readonly status: string | null;
  readonly json: unknown;
}

export function makePaystackStatement(parts: PaystackStatementParts): Statement {
  return { read: (position) => read(parts, position) };
}

async function read(parts: PaystackStatementParts, position: string | null): Promise<StatementPage> {
  const { clock, fromMs, lagMs } = parts;
  const start: Place = position === null ? { atMs: fromMs, id: 0n } : placeOf(position);
  const untilMs = clock.now() - lagMs;
  for (let from = start; ; ) {
    const stretch = await readStretch(parts, from.atMs, untilMs);
    const behind = stretch.transactions.filter((each) => compare(each, start) > 0).toSorted(compare);
    const open = behind.findIndex((each) => mayChange(each, untilMs));
    const settled = open < 0 ? behind : behind.slice(0, open);
    const credits = settled.filter(({ status }) => status === 'success').slice(0, PAGE_LINES);
    if (credits.length > 0)
      return { lines: credits.map((each) => lineOf(parts, each)), position: textOfPlace(credits.at(-1)!) };
    if (open >= 0 || stretch.endMs >= untilMs) return { lines: [], position: position ?? textOfPlace(start) };
    from = { atMs: stretch.endMs, id: 0n };
  }
}

/** Held for a day at most: one that never ends must not hold back all money for ever. */
function mayChange({ status, atMs }: Transaction, nowMs: number): boolean {
  return atMs > nowMs - DAY_MS && (status === null || !ENDED_TRANSACTIONS.has(status));
}

/** Everything from a time on, to `untilMs` or to an earlier end when there is too much of it. */
async function readStretch(
  { client }: PaystackStatementParts,
  fromMs: number,
  untilMs: number,
): Promise<{ readonly transactions: readonly Transaction[]; readonly endMs: number }> {
  let endMs = Math.max(untilMs, fromMs);
  let first = await readAnswer(client, fromMs, endMs, 1);
  while (first.total > MOST_IN_STRETCH && endMs - fromMs > 1) {
    endMs = fromMs + Math.ceil((endMs - fromMs) / 2);
    first = await readAnswer(client, fromMs, endMs, 1);
  }
  const rows = [...first.rows];
  for (let page = 2; (page - 1) * PER_ANSWER < first.total; page++)
    rows.push(...(await readAnswer(client, fromMs, endMs, page)).rows);
  // New transactions move those on later pages: one may be seen twice.
  const byId = new Map(rows.filter(isOurs).map((row) => [wholeOf(row, 'id'), transactionOf(row)]));
  return { transactions: [...byId.values()].filter(({ atMs }) => atMs <= endMs), endMs };
}

async function readAnswer(client: PaystackClient, fromMs: number, endMs: number, page: number) {
  const answer = await client.get('/transaction', {
    perPage: `${PER_ANSWER}`,
    page: `${page}`,
    from: new Date(fromMs).toISOString(),
    to: new Date(endMs).toISOString(),
  });
  if (answer.kind === 'refused') throw new Error(`Paystack lists no transactions: status ${answer.status}`);
  if (answer.kind !== 'done') throw new Error(`Paystack lists no transactions: ${answer.reason}`);
  const total = wholeOf(answer.meta, 'total');
  if (!Array.isArray(answer.data) || total === null)
    throw new Error('Paystack lists transactions in a form that is not documented');
  return { rows: answer.data as readonly unknown[], total: Number(total) };
}

function isOurs(row: unknown): boolean {
  return (
    fieldOf(row, 'currency') === 'NGN' &&
    (textOf(row, 'authorization', 'channel') ?? textOf(row, 'channel')) === CHANNEL
  );
}

function transactionOf(row: unknown): Transaction {
  const id = wholeOf(row, 'id');
  const atMs = timeOf(row, 'created_at') ?? timeOf(row, 'createdAt');
  if (id === null || atMs === null) throw new Error('Paystack lists a transaction without id or time');
  return { id, atMs, status: textOf(row, 'status'), json: row };
}

/** What is not known is null. Without an amount it is 0, which is set aside; without an account it waits for people: neither is lost. */
function lineOf({ directory }: PaystackStatementParts, { id, atMs, json }: Transaction): CreditLine {
  const said = (name: string) => textOf(json, 'authorization', name);
  const bank = said('receiver_bank');
  return {
    kind: 'credit',
    sourceId: `${id}`,
    accountNumber: said('receiver_bank_account_number') ?? '',
    accountBankCode: (bank !== null && directory.resolve(bank)?.code) || null,
    amountMinor: wholeOf(json, 'amount') ?? 0n,
    payerAccount: said('sender_bank_account_number'),
    payerName: said('sender_name'),
    payerBankName: said('sender_bank'),
    narration: said('narration'),
    sessionId: null,
    valueAtMs: timeOf(json, 'paid_at') ?? timeOf(json, 'paidAt') ?? atMs,
    raw: plain(json),
  };
}

function timeOf(row: unknown, name: string): number | null {
  const ms = Date.parse(textOf(row, name) ?? '');
  return Number.isNaN(ms) ? null : ms;
}

function compare(one: Place, other: Place): number {
  if (one.atMs !== other.atMs) return one.atMs - other.atMs;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

const PLACE = /^(\d{1,15}) (\d{1,18})$/;

function textOfPlace({ atMs, id }: Place): string {
  return `${atMs} ${id}`;
}

function placeOf(position: string): Place {
  const [, atMs, id] = PLACE.exec(position) ?? [];
  if (atMs === undefined || id === undefined) throw new Error('the stored position is not one of this rail');
  return { atMs: Number(atMs), id: BigInt(id) };
}
