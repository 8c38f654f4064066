// Reads money that came into the operator's reserved accounts at Monnify. GET /api/v1/transactions/search lists transactions
// without the payer and without the account that was paid. So the service queries each transaction once by its reference.
import type { Clock } from '../../../ports/clock.ts';
import type { CreditLine, RailStatement, StatementPage } from '../../../ports/rails/rail-statement.ts';
import { fieldOf, textOf, wholeOf, withPlainNumbers } from '../../json.ts';
import { parseBankTime } from '../connection/amounts-and-times.ts';
import {
  type BankList,
  type ListedTransaction,
  type ListingState,
  type ListPage,
  readCreditsFromList,
  writeListPosition,
} from '../connection/list-reader.ts';
import type { MonnifyClient } from './client.ts';
import { ENDED_COLLECTIONS, PAID_COLLECTIONS } from './codes.ts';
import type { Collections } from './collections.ts';

export interface MonnifyStatementParts {
  readonly client: MonnifyClient;
  readonly collections: Collections;
  readonly clock: Clock;
  readonly fromMs: number;
  readonly lagMs: number;
}

/** The number of lines on one page of the statement. Each line needs a separate query. */
const PAGE_LINES = 20;
const PER_ANSWER = 50;
/** How long later transactions wait for a transaction that is listed as paid but cannot be found by its reference. */
const HOLD_BACK_MS = 86_400_000;
/** The number of remembered transactions of other products. They are remembered so that each is queried only once. */
const MOST_REMEMBERED = 10_000;

export function makeMonnifyStatement(parts: MonnifyStatementParts): RailStatement {
  const others = new Set<string>();
  const list: BankList = {
    ...{ fromMs: parts.fromMs, most: PAGE_LINES },
    page: (fromMs, endMs, page) => readTransactionPage(parts.client, others, [fromMs, endMs], page),
    compareIds: (one, other) => (one === other ? 0 : one < other ? -1 : 1),
  };
  return { read: (position) => readStatementPage(parts, list, others, position) };
}

async function readStatementPage(
  parts: MonnifyStatementParts,
  list: BankList,
  others: Set<string>,
  position: string | null,
): Promise<StatementPage> {
  for (;;) {
    const untilMs = parts.clock.now() - parts.lagMs;
    const listed = await readCreditsFromList(list, position, untilMs);
    const { lines, last, isHeld } = await readLines(parts, others, listed.credits, untilMs);
    if (last !== null) return { lines, position: writeListPosition(last) };
    if (isHeld) return { lines: [], position: position ?? startPosition(list) };
    if (listed.credits.length === 0) return { lines: [], position: listed.position };
  }
}

/** Reads the lines before the first transaction that turns out to be still open. */
async function readLines(
  { collections }: MonnifyStatementParts,
  others: Set<string>,
  credits: readonly ListedTransaction[],
  untilMs: number,
): Promise<{
  readonly lines: readonly CreditLine[];
  readonly last: ListedTransaction | null;
  readonly isHeld: boolean;
}> {
  const lines: CreditLine[] = [];
  let last: ListedTransaction | null = null;
  for (const each of credits) {
    const verified = await collections.verify(each.id);
    if (verified.kind === 'unknown')
      throw new Error(`could not verify a transaction that Monnify lists: ${verified.why}`);
    const isMissing = verified.kind === 'not_yet' || verified.kind === 'not_found';
    if (isMissing && each.atMs > untilMs - HOLD_BACK_MS) return { lines, last, isHeld: true };
    if (isMissing || verified.kind === 'credit') {
      lines.push(isMissing ? unprovenLine(each) : verified.line);
      last = each;
      continue;
    }
    if (others.size >= MOST_REMEMBERED) others.clear();
    others.add(each.id);
  }
  return { lines, last, isHeld: false };
}

/**
 * Returns the line of a transaction that is listed as paid but was never found by its reference. The line has no amount, so it
 * is set aside for a person, and later transactions do not wait for it.
 */
function unprovenLine({ id, atMs, json }: ListedTransaction): CreditLine {
  const unknown = { accountBankCode: null, payerAccount: null, payerName: null, payerBankName: null };
  return {
    ...{ kind: 'credit', sourceId: id, accountNumber: '', amountMinor: 0n, ...unknown },
    ...{ narration: null, sessionId: null, valueAtMs: atMs, raw: withPlainNumbers(json) },
  };
}

function startPosition({ fromMs }: BankList): string {
  return writeListPosition({ atMs: fromMs, id: '0' });
}

async function readTransactionPage(
  client: MonnifyClient,
  others: ReadonlySet<string>,
  [fromMs, endMs]: readonly [number, number],
  page: number,
): Promise<ListPage> {
  const query = { page: `${page}`, size: `${PER_ANSWER}`, from: `${fromMs}`, to: `${endMs}` };
  const answer = await client.call({ method: 'GET', path: '/api/v1/transactions/search', query });
  if (answer.kind === 'refused')
    throw new Error(`Monnify did not list the transactions: status ${answer.status}`);
  if (answer.kind !== 'done') throw new Error(`Monnify did not list the transactions: ${answer.reason}`);
  const content = fieldOf(answer.body, 'content');
  const total = wholeOf(answer.body, 'totalElements');
  if (!Array.isArray(content) || total === null)
    throw new Error('Monnify lists transactions in a form that is not documented');
  const rows = content as readonly unknown[];
  const transactions = rows.filter(isTransfer).map((row): ListedTransaction => {
    const id = textOf(row, 'transactionReference');
    const atMs = parseBankTime(textOf(row, 'createdOn'), 'day');
    if (id === null || atMs === null)
      throw new Error('Monnify lists a transaction without reference or time');
    return { id, atMs, standing: others.has(id) ? 'other' : listingStateOf(row), json: row };
  });
  return { transactions, rows: rows.length, total: Number(total) };
}

function isTransfer(row: unknown): boolean {
  const currency = textOf(row, 'currencyCode') ?? textOf(row, 'currency');
  return currency === 'NGN' && textOf(row, 'paymentMethod') === 'ACCOUNT_TRANSFER';
}

function listingStateOf(row: unknown): ListingState {
  const status = textOf(row, 'paymentStatus') ?? '';
  if (PAID_COLLECTIONS.has(status)) return 'credit';
  return status === 'REVERSED' || ENDED_COLLECTIONS.has(status) ? 'other' : 'open';
}
