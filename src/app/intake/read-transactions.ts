// Reads one transaction of a business, or one page of its transactions. The reads never find data of another business or mode
// than those of the key.
import {
  STATES,
  TRANSACTION_TYPES,
  type TransactionState,
  type TransactionType,
} from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { idTimeMs, isId } from '../../domain/values/ids.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { TransactionFilter } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';
import { checkReference, FieldErrors } from '../input/field-rules.ts';
import {
  addCursorError,
  DEFAULT_PAGE_SIZE,
  type ListQuery,
  parseLimit,
  parseTime,
  singleParam,
} from '../input/list-query.ts';
import { transactionNotFound } from './change-transaction.ts';

export async function readTransaction(
  store: Store,
  caller: BusinessReader,
  transactionId: string,
): Promise<Result<Transaction, Refusal>> {
  const transaction = isId('txn', transactionId)
    ? await store.findTransaction(scopeOf(caller), transactionId)
    : undefined;
  return transaction === undefined ? fail(transactionNotFound()) : ok(transaction);
}

export interface TransactionPage {
  readonly transactions: readonly Transaction[];
  readonly nextCursor: string | null;
}

export async function listTransactions(
  store: Store,
  caller: BusinessReader,
  query: ListQuery,
): Promise<Result<TransactionPage, Refusal>> {
  const parsed = parseTransactionFilter(query);
  if (!parsed.ok) return parsed;
  const { limit } = parsed.value;
  const found = await store.listTransactions(scopeOf(caller), { ...parsed.value, limit: limit + 1 });
  const transactions = found.slice(0, limit);
  const nextCursor = found.length > limit ? encodeCursor(transactions.at(-1)!.id) : null;
  return ok({ transactions, nextCursor });
}

export function parseTransactionFilter(query: ListQuery): Result<TransactionFilter, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string) => singleParam(errors, query, name);
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
    limit: limit ?? DEFAULT_PAGE_SIZE,
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
  // A request may spell the type in three ways: as in requests, as in responses, and as in the name of the product.
  const word = text.toLowerCase().replace(/_ramp$/, '');
  const type = TRANSACTION_TYPES.find((each) => each === word);
  return type ?? errors.add('type', 'filter_invalid', 'type must be Buy or Sell.');
}

function parseState(errors: FieldErrors, text: string | undefined): TransactionState | undefined {
  if (text === undefined) return undefined;
  const state = STATES.find((each) => each === text);
  return state ?? errors.add('state', 'filter_invalid', `state must be one of ${STATES.join(', ')}.`);
}

export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function parseCursor(errors: FieldErrors, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = Buffer.from(text, 'base64url').toString('latin1');
  if (isId('txn', id)) return id;
  return addCursorError(errors);
}
