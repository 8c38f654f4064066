// The rate store in memory. It runs one call at a time and returns the same results as the PostgreSQL adapter.
import type { BoardBook, BoardSnapshot } from '../../../src/domain/rates/board.ts';
import { findLastAccepted } from '../../../src/domain/rates/rate-decision.ts';
import type { RateProduct } from '../../../src/domain/rates/rates.ts';
import { hasSameValues, makeBoardBook } from '../../../src/domain/rates/same-decision.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import type {
  DeskPrice,
  RateStore,
  SourceState,
  StoredDecision,
  StoredSpread,
} from '../../../src/ports/rates.ts';
import type { Sync } from '../model/tables.ts';

export type RateVerbs = Pick<RateStore, 'leaseSources' | 'saveReading' | 'saveFailure' | 'decide'>;

type SourceRow = SourceState & { readonly leasedUntilMs: number | null };

interface Book {
  readonly decision: StoredDecision;
  readonly changedAtMs: number;
}

export interface RateMemory {
  readonly sources: Map<string, SourceRow>;
  readonly deskPrices: DeskPrice[];
  readonly spreads: StoredSpread[];
  readonly decisions: Map<string, StoredDecision>;
  readonly books: Map<string, Book>;
}

export function emptyRateMemory(): RateMemory {
  return { sources: new Map(), deskPrices: [], spreads: [], decisions: new Map(), books: new Map() };
}

export function rateCore(memory: RateMemory, onDecided: (decision: StoredDecision) => void): Sync<RateVerbs> {
  const { sources } = memory;
  const change = (name: string, changes: Partial<SourceRow>) =>
    sources.set(name, { ...(sources.get(name) ?? newSource(name, 0)), ...changes });
  return {
    leaseSources: (names, atMs, leaseMs) => {
      for (const name of names) if (!sources.has(name)) sources.set(name, newSource(name, atMs));
      const due = names.filter((name) => isDue(sources.get(name)!, atMs)).sort();
      return due.map((name) => {
        change(name, { leasedUntilMs: atMs + leaseMs });
        return sources.get(name)!;
      });
    },
    saveReading: (name, rates, atMs, nextReadAtMs) => {
      // A slow reader writes nothing if another reader was faster.
      if ((sources.get(name)?.lastReadAtMs ?? 0) > atMs) return;
      const read = { lastReadAtMs: atMs, nextReadAtMs, leasedUntilMs: null, failures: 0, openUntilMs: null };
      change(name, { ...read, rates });
    },
    saveFailure: (name, { code, message }, { atMs, nextReadAtMs, openUntilMs }) => {
      const failures = sources.get(name)!.failures + 1;
      const failed = { lastFailureAtMs: atMs, lastFailure: { code, message }, failures };
      change(name, { ...failed, nextReadAtMs, openUntilMs, leasedUntilMs: null });
    },
    decide: (mode, product, decide) => {
      const last = memory.books.get(`${mode} ${product}`)?.decision ?? null;
      const decision = decide({
        desk: deskPricesOf(memory, mode, product),
        sources: [...sources.values()],
        lastAccepted: findLastAccepted(last),
        last,
      });
      if (decision === null) return null;
      storeDecision(memory, decision);
      onDecided(decision);
      return decision;
    },
  };
}

function newSource(name: string, nextReadAtMs: number): SourceRow {
  const never = { lastReadAtMs: null, lastFailureAtMs: null, lastFailure: null, openUntilMs: null };
  return { name, ...never, failures: 0, nextReadAtMs, leasedUntilMs: null, rates: [] };
}

function isDue({ nextReadAtMs, leasedUntilMs, openUntilMs }: SourceRow, atMs: number): boolean {
  return nextReadAtMs <= atMs && (leasedUntilMs ?? 0) <= atMs && (openUntilMs ?? 0) <= atMs;
}

function storeDecision({ decisions, books }: RateMemory, decision: StoredDecision): void {
  const name = `${decision.mode} ${decision.product}`;
  const before = books.get(name);
  const isSame = before !== undefined && hasSameValues(before.decision, decision);
  decisions.set(decision.id, decision);
  books.set(name, { decision, changedAtMs: isSame ? before.changedAtMs : decision.atMs });
}

function deskPricesOf({ deskPrices }: RateMemory, mode: Mode, product: RateProduct): readonly DeskPrice[] {
  const own = deskPrices.filter((price) => price.mode === mode && price.product === product);
  return [...new Map(own.map((price) => [price.currency, price])).values()];
}

export function boardOf({ books, spreads }: RateMemory, generation: number): BoardSnapshot {
  const booksOf = (mode: Mode) => {
    const found: Partial<Record<RateProduct, BoardBook>> = {};
    for (const { decision, changedAtMs } of books.values())
      if (decision.mode === mode) found[decision.product] = makeBoardBook(decision, decision.id, changedAtMs);
    return found;
  };
  const spreadsOf = (mode: Mode) => spreads.filter((each) => each.mode === mode);
  return {
    generation,
    books: { live: booksOf('live'), test: booksOf('test') },
    spreads: { live: spreadsOf('live'), test: spreadsOf('test') },
  };
}
