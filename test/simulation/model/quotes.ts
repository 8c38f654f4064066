// Keeps quotes in memory, one request at a time, with the same results as the PostgreSQL adapter. A violation of the database's
// own rules throws an error.
import { convertToNaira, type Quote } from '../../../src/domain/quotes/quote.ts';
import type {
  ExposureLimits,
  NewQuote,
  QuoteFilter,
  QuoteOutcome,
  QuoteStore,
  QuoteWithExpiry,
} from '../../../src/ports/quotes.ts';
import type { BusinessScope } from '../../../src/ports/store/reads.ts';
import { forbidden } from './table.ts';
import { joined, type Memory, type Sync } from './tables.ts';

type Now = () => number;

export function quoteCore(memory: Memory, now: Now): Sync<QuoteStore> {
  const { quotes, quoteKeys } = memory;
  const found = (quote: Quote): QuoteWithExpiry => ({ quote, expired: quote.expiresAtMs <= now() });
  return {
    add: (quote, limits) => add(memory, quote, limits, now()),
    find: (scope, id) => {
      const quote = quotes.get(id);
      return quote !== undefined && isOf(quote, scope) ? found(quote) : undefined;
    },
    findByKey: ({ businessId, mode }, key) => {
      const bound = quoteKeys.get(joined(businessId, mode, key));
      return bound && { ...found(quotes.get(bound.quoteId)!), requestHash: bound.requestHash };
    },
    list: (scope, filter) => listed(memory, (quote) => isOf(quote, scope), filter, now()).map(found),
    listAll: ({ businessId, mode, ...filter }) =>
      listed(
        memory,
        (quote) =>
          (businessId ?? quote.businessId) === quote.businessId && (mode ?? quote.mode) === quote.mode,
        filter,
        now(),
      ).map(found),
    exposure: () => exposure(memory, now()),
    purge: (expiredBeforeMs) => purge(memory, expiredBeforeMs),
  };
}

function add(memory: Memory, given: NewQuote, limits: ExposureLimits, nowMs: number): QuoteOutcome {
  const { validForMs, keyId, idempotency, ...facts } = given;
  const { id, businessId, mode } = facts;
  const before = memory.quotes.get(id);
  if (before !== undefined) return { kind: 'created', quote: before };
  const key = keyId === null ? undefined : memory.keys.get(keyId);
  if (keyId !== null && (key?.businessId !== businessId || key.mode !== mode)) return { kind: 'key_revoked' };
  const name = idempotency && joined(businessId, mode, idempotency.key);
  const bound = name === null ? undefined : memory.quoteKeys.get(name);
  if (bound !== undefined) {
    if (bound.requestHash !== idempotency!.requestHash) return { kind: 'idempotency_key_reused' };
    const quote = memory.quotes.get(bound.quoteId)!;
    return { kind: 'repeated', quote, expired: quote.expiresAtMs <= nowMs };
  }
  const { openMinor, openQuotes } = openOf(memory, facts, nowMs);
  if (openMinor + facts.nairaMinor > limits.maxOpenMinor || openQuotes >= limits.maxOpenQuotes)
    return { kind: 'exposure_exceeded', openMinor, openQuotes };
  const quote: Quote = {
    ...facts,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + validForMs,
    transactionId: null,
  };
  if (!isSound(quote)) throw forbidden('quotes_sound');
  memory.quotes.set(id, quote);
  if (name !== null) memory.quoteKeys.set(name, { quoteId: id, requestHash: idempotency!.requestHash });
  return { kind: 'created', quote };
}

function isSound(quote: Quote): boolean {
  const { amountMinor, nairaMinor, feeMinor, rateE4, currency, side, decisionId } = quote;
  if (amountMinor <= 0n || nairaMinor <= 0n || rateE4 <= 0n) return false;
  if (feeMinor < 0n || feeMinor >= nairaMinor || quote.expiresAtMs <= quote.createdAtMs) return false;
  if ((currency === 'NGN') !== (decisionId === null)) return false;
  if (currency === 'NGN' ? rateE4 !== 10_000n : side === 'sell') return false;
  return nairaMinor === convertToNaira(amountMinor, rateE4);
}

function isOf(quote: Quote, { businessId, mode }: BusinessScope): boolean {
  return quote.businessId === businessId && quote.mode === mode;
}

function isOpenAt({ transactionId, expiresAtMs }: Quote, nowMs: number): boolean {
  return transactionId === null && expiresAtMs > nowMs;
}

function openOf({ quotes }: Memory, scope: BusinessScope, nowMs: number) {
  const open = [...quotes.values()].filter((quote) => isOf(quote, scope) && isOpenAt(quote, nowMs));
  return { openMinor: open.reduce((sum, { nairaMinor }) => sum + nairaMinor, 0n), openQuotes: open.length };
}

function listed(
  { quotes }: Memory,
  wanted: (quote: Quote) => boolean,
  { state, after, limit }: QuoteFilter,
  nowMs: number,
): readonly Quote[] {
  const stateOf = (quote: Quote) =>
    quote.transactionId !== null ? 'used' : quote.expiresAtMs > nowMs ? 'open' : 'expired';
  return [...quotes.values()]
    .filter((quote) => wanted(quote) && (state ?? stateOf(quote)) === stateOf(quote))
    .filter(({ id }) => after === undefined || id < after.id)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

function exposure(memory: Memory, nowMs: number) {
  const open = [...memory.quotes.values()].filter((quote) => isOpenAt(quote, nowMs));
  const scopes = Map.groupBy(open, ({ businessId, mode }) => joined(businessId, mode));
  return [...scopes.values()].map(([first]) => {
    const { businessId, mode } = first!;
    return { businessId, mode, ...openOf(memory, { businessId, mode }, nowMs) };
  });
}

function purge({ quotes, quoteKeys }: Memory, expiredBeforeMs: number): number {
  const gone = new Set<string>();
  for (const { id, transactionId, expiresAtMs } of quotes.values())
    if (transactionId === null && expiresAtMs < expiredBeforeMs) gone.add(id);
  for (const id of gone) quotes.delete(id);
  for (const [name, { quoteId }] of quoteKeys) if (gone.has(quoteId)) quoteKeys.delete(name);
  return gone.size;
}
