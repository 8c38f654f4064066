// Reads for a business: one of its transactions, or a page of them. Nothing outside the key's business and mode is
// ever found.

import { STATES, type State, TRANSACTION_TYPES, type TransactionType } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { parseInstant } from '../../domain/values/calendar.ts';
import { idTimeMs, isId } from '../../domain/values/ids.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { TransactionFilter } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import { type Reader, scopeOf } from './caller.ts';
import { transactionNotFound } from './change-transaction.ts';
import { checkReference, FieldErrors } from './field-rules.ts';

const DEFAULT_PAGE = 25;
export const MAX_PAGE = 100;

export async function readTransaction(
  store: Store,
  caller: Reader,
  transactionId: string,
): Promise<Result<Transaction, Refusal>> {
  const transaction = isId('txn', transactionId)
    ? await store.findTransaction(scopeOf(caller), transactionId)
    : undefined;
  return transaction === undefined ? fail(transactionNotFound()) : ok(transaction);
}

/** Query parameters as they came: a name given twice is an array. */
export type ListQuery = Readonly<Record<string, unknown>>;

export interface Page {
  readonly transactions: readonly Transaction[];
  readonly nextCursor: string | null;
}

export async function listTransactions(
  store: Store,
  caller: Reader,
  query: ListQuery,
): Promise<Result<Page, Refusal>> {
  const parsed = parseFilter(query);
  if (!parsed.ok) return parsed;
  const { limit } = parsed.value;
  // One more than asked for tells whether there is a next page.
  const found = await store.listTransactions(scopeOf(caller), { ...parsed.value, limit: limit + 1 });
  const transactions = found.slice(0, limit);
  const nextCursor = found.length > limit ? encodeCursor(transactions.at(-1)!.id) : null;
  return ok({ transactions, nextCursor });
}

function parseFilter(query: ListQuery): Result<TransactionFilter, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string): string | undefined => {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value;
    return errors.add(name, 'filter_invalid', `${name} was given more than once. Give it once.`);
  };
  const type = parseType(errors, text('type'));
  const state = parseState(errors, text('state'));
  const referenceText = text('reference');
  const reference = referenceText === undefined ? undefined : checkReference(errors, referenceText);
  const createdFromMs = parseTime(errors, 'created_from', text('created_from'));
  const createdToMs = parseTime(errors, 'created_to', text('created_to'));
  const limit = parseLimit(errors, text('limit'));
  const afterId = parseCursor(errors, text('cursor'));
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  const filter: TransactionFilter = {
    limit: limit ?? DEFAULT_PAGE,
    ...(type !== undefined && { type }),
    ...(state !== undefined && { state }),
    ...(reference !== undefined && { reference }),
    ...(createdFromMs !== undefined && { createdFromMs }),
    ...(createdToMs !== undefined && { createdToMs }),
    ...(afterId !== undefined && { after: { id: afterId, createdAtMs: idTimeMs(afterId) } }),
  };
  return ok(filter);
}

function parseType(errors: FieldErrors, text: string | undefined): TransactionType | undefined {
  if (text === undefined) return undefined;
  // The word of the request, of the answer and of the product: all three are understood.
  const word = text.toLowerCase().replace(/_ramp$/, '');
  const type = TRANSACTION_TYPES.find((each) => each === word);
  return type ?? errors.add('type', 'filter_invalid', 'type must be Buy or Sell.');
}

function parseState(errors: FieldErrors, text: string | undefined): State | undefined {
  if (text === undefined) return undefined;
  const state = STATES.find((each) => each === text);
  return state ?? errors.add('state', 'filter_invalid', `state must be one of ${STATES.join(', ')}.`);
}

function parseTime(errors: FieldErrors, name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = parseInstant(text);
  return timeMs ?? errors.add(name, 'filter_invalid', `${name} must be a time such as 2026-11-14T09:30:00Z.`);
}

function parseLimit(errors: FieldErrors, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_PAGE) return limit;
  return errors.add('limit', 'filter_invalid', `limit must be a whole number from 1 to ${MAX_PAGE}.`);
}

function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function parseCursor(errors: FieldErrors, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = Buffer.from(text, 'base64url').toString('latin1');
  if (isId('txn', id)) return id;
  return errors.add('cursor', 'cursor_invalid', 'cursor must be a next_cursor from an earlier answer.');
}
