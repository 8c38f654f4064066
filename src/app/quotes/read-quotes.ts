// Reads quotes: one quote or a page of quotes of a business and, for operators, the quotes of all businesses.
import { QUOTE_STATES, type QuoteState } from '../../domain/quotes/quote.ts';
import { isId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { QuoteFilter, QuoteStore, QuoteWithExpiry } from '../../ports/quotes.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import {
  addCursorError,
  DEFAULT_PAGE_SIZE,
  type ListQuery,
  parseLimit,
  singleParam,
} from '../input/list-query.ts';
import { encodeCursor } from '../intake/read-transactions.ts';

export async function readQuote(
  quotes: Pick<QuoteStore, 'find'>,
  caller: BusinessReader,
  quoteId: string,
): Promise<Result<QuoteWithExpiry, Refusal>> {
  const found = isId('quo', quoteId) ? await quotes.find(scopeOf(caller), quoteId) : undefined;
  return found === undefined ? fail(quoteNotFound()) : ok(found);
}

/**
 * The message is the same if the quote does not exist and if it belongs to another business. So a caller cannot tell the two
 * apart.
 */
export function quoteNotFound(): Refusal {
  return refusal(
    'quote_not_found',
    'There is no such quote. Check quote_id, and that the key belongs to the same business and mode.',
  );
}

export interface QuotePage {
  readonly quotes: readonly QuoteWithExpiry[];
  readonly nextCursor: string | null;
}

export async function listQuotes(
  quotes: Pick<QuoteStore, 'list'>,
  caller: BusinessReader,
  query: ListQuery,
): Promise<Result<QuotePage, Refusal>> {
  const parsed = parseQuoteFilter(query);
  if (!parsed.ok) return parsed;
  return ok(
    await readQuotePage(parsed.value.limit, (limit) =>
      quotes.list(scopeOf(caller), { ...parsed.value, limit }),
    ),
  );
}

export async function listAllQuotes(
  quotes: Pick<QuoteStore, 'listAll'>,
  of: { readonly businessId?: string; readonly mode?: Mode },
  query: ListQuery,
): Promise<Result<QuotePage, Refusal>> {
  const parsed = parseQuoteFilter(query);
  if (!parsed.ok) return parsed;
  return ok(
    await readQuotePage(parsed.value.limit, (limit) => quotes.listAll({ ...of, ...parsed.value, limit })),
  );
}

async function readQuotePage(
  limit: number,
  read: (limit: number) => Promise<readonly QuoteWithExpiry[]>,
): Promise<QuotePage> {
  const found = await read(limit + 1);
  const quotes = found.slice(0, limit);
  return { quotes, nextCursor: found.length > limit ? encodeCursor(quotes.at(-1)!.quote.id) : null };
}

function parseQuoteFilter(query: ListQuery): Result<QuoteFilter, Refusal> {
  const errors = new FieldErrors();
  const state = parseState(errors, singleParam(errors, query, 'state'));
  const limit = parseLimit(errors, singleParam(errors, query, 'limit'));
  const afterId = parseCursor(errors, singleParam(errors, query, 'cursor'));
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  return ok({
    limit: limit ?? DEFAULT_PAGE_SIZE,
    ...(state !== undefined && { state }),
    ...(afterId !== undefined && { after: { id: afterId } }),
  });
}

function parseState(errors: FieldErrors, text: string | undefined): QuoteState | undefined {
  if (text === undefined) return undefined;
  const state = QUOTE_STATES.find((each) => each === text);
  return state ?? errors.add('state', 'filter_invalid', `state must be one of ${QUOTE_STATES.join(', ')}.`);
}

function parseCursor(errors: FieldErrors, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = Buffer.from(text, 'base64url').toString('latin1');
  return isId('quo', id) ? id : addCursorError(errors);
}
