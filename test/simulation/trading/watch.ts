// Checks the promises about rates and quotes while a seed trades: what a decision may use, how far a lying source can move it,
// and what a quote is based on. A quote is used only once, and unchanged.
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { RateCandidate, ValueDecision } from '../../../src/domain/rates/rate-decision.ts';
import { applySpread } from '../../../src/domain/rates/rates.ts';
import { DESK, type ProductPlan } from '../../../src/domain/rates/reading.ts';
import { spreadFor } from '../../../src/domain/rates/spread.ts';
import type { ExposureLimits } from '../../../src/ports/quotes.ts';
import type { StoredDecision } from '../../../src/ports/rates.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import type { Tables } from '../model/tables.ts';
import { MODE } from '../people/company.ts';
import type { Setting } from '../world/setting.ts';
import type { RateMemory } from './rate-store.ts';
import type { RateWorld } from './rate-world.ts';

export interface TradeWatch {
  decided(decision: StoredDecision): void;
  /** `beganMs`: the time at which the request for the quote began. */
  quoted(quote: Quote, beganMs: number): void;
  accepted(acceptance: Acceptance): void;
}

export interface WatchedTrades {
  readonly now: () => number;
  readonly memory: RateMemory;
  readonly world: () => RateWorld;
  readonly plan: ProductPlan;
  readonly limits: ExposureLimits;
  readonly skewMs: number;
  readonly tables: () => Tables;
  readonly broken: Setting['broken'];
}

const AHEAD_MS = 300_000;
/** The time for which a process may serve its cached data after a change. */
const SERVED_MS = 1_000;
/**
 * The allowed error of a rate in per cent. It covers 5 % if one source reports alone, 2 % from a lying source that stays near
 * an honest one, and both effects together.
 */
const ALLOWED = 8n;

export function makeTradeWatch(watched: WatchedTrades): TradeWatch {
  const { broken, tables } = watched;
  const usedBy = new Map<string, string>();
  return {
    decided: (decision) => {
      if (decision.mode !== MODE) return;
      for (const value of decision.values) if (value.valueE4 !== null) checkValue(watched, decision, value);
    },
    quoted: (quote, beganMs) => {
      checkExposure(watched, quote);
      const { currency } = quote;
      const wrong = currency === 'NGN' ? null : wrongRate(watched, quote, currency, beganMs);
      if (wrong !== null) broken('a quote is made from a rate that holds', `${quote.id}: ${wrong}`, quote.id);
      const exact = quote.amountMinor * quote.rateE4;
      const isExact = quote.nairaMinor * 10_000n >= exact && (quote.nairaMinor - 1n) * 10_000n < exact;
      if (!isExact) broken('a quote is its amount at its rate, rounded up to the kobo', quote.id, quote.id);
    },
    accepted: ({ transaction }) => {
      const { id, quoteId } = transaction;
      if (quoteId === null) return;
      const before = usedBy.get(quoteId);
      if (before !== undefined && before !== id)
        broken('a quote is used at most once', `${quoteId}: ${before} and ${id}`, id);
      usedBy.set(quoteId, id);
      const wrong = differenceOf(watched, transaction, tables().quotes.get(quoteId));
      if (wrong !== null) broken('a quote is honoured as it was made', `${quoteId} for ${id}: ${wrong}`, id);
    },
  };
}

function differenceOf(
  { now }: WatchedTrades,
  { amountMinor, feeMinor, businessId, type, wallet }: Acceptance['transaction'],
  quote: Quote | undefined,
): string | null {
  if (quote === undefined) return 'there is no such quote';
  if (quote.businessId !== businessId) return `it is of ${quote.businessId}`;
  if (quote.side !== type) return `it is a ${quote.side}`;
  if (quote.nairaMinor !== amountMinor) return `${amountMinor} instead of ${quote.nairaMinor}`;
  if (quote.feeMinor !== feeMinor) return `the fee is ${feeMinor} instead of ${quote.feeMinor}`;
  if (quote.network !== null && wallet?.network !== quote.network) return `it is for ${quote.network}`;
  return now() >= quote.expiresAtMs ? 'it has expired' : null;
}

function checkExposure({ tables, limits, broken, now }: WatchedTrades, { businessId, id }: Quote): void {
  const open = [...tables().quotes.values()].filter(
    (quote) => quote.businessId === businessId && quote.transactionId === null && quote.expiresAtMs > now(),
  );
  const openMinor = open.reduce((sum, { nairaMinor }) => sum + nairaMinor, 0n);
  if (openMinor <= limits.maxOpenMinor && open.length <= limits.maxOpenQuotes) return;
  broken('open quotes stay below their limit', `${businessId}: ${open.length} worth ${openMinor}`, id);
}

/** Describes the error in the rate of a quote; null if the rate is correct. */
function wrongRate(
  { memory, skewMs, now }: WatchedTrades,
  quote: Quote,
  currency: ValueDecision['currency'],
  beganMs: number,
): string | null {
  const decision = memory.decisions.get(quote.decisionId ?? '');
  const value = decision?.values.find((each) => each.currency === currency);
  if (value === undefined || value.valueE4 === null) return 'there is no value';
  if (value.validUntilMs !== null && value.validUntilMs <= beganMs - skewMs)
    return `it ended ${beganMs - value.validUntilMs} ms before`;
  const [fromMs, toMs] = [beganMs - skewMs - SERVED_MS, now() + skewMs];
  const changes = memory.spreads
    .map((spread) => spread.fromMs)
    .filter((atMs) => atMs > fromMs && atMs <= toMs);
  const rates = [fromMs, ...changes].map((atMs) => {
    const bps = spreadFor(memory.spreads, { product: 'otc_buy', currency, tier: 'standard', atMs });
    return bps === undefined ? null : applySpread('otc_buy', value.valueE4!, bps);
  });
  if (!rates.includes(quote.rateE4)) return `${quote.rateE4} is none of ${rates.join()}`;
  const isUsed = (name: string, valueE4: bigint) =>
    value.candidates.some(
      (each) => each.source === name && each.valueE4 === valueE4 && each.verdict === 'used',
    );
  const isExplained =
    quote.sources.length > 0 && quote.sources.every((each) => isUsed(each.name, each.valueE4));
  return isExplained ? null : 'it names a source that was not used';
}

function checkValue(watched: WatchedTrades, decision: StoredDecision, value: ValueDecision): void {
  const { plan, world, broken } = watched;
  const { currency, validUntilMs, candidates } = value;
  const subject = decision.id;
  const used = candidates.filter(({ verdict }) => verdict === 'used');
  const ends = used.map((candidate) => endOf(watched, currency, decision, candidate));
  const isOver = ends.some((endMs) => endMs <= decision.atMs);
  const isAhead = used.some(({ asOfMs }) => asOfMs > decision.atMs + AHEAD_MS);
  if (isOver || isAhead)
    broken('no number is used past its end or before its time', `${currency} in ${decision.id}`, subject);
  const isOverride =
    used.length === 1 && used[0]!.source === DESK && deskPrice(watched, currency, decision)?.override;
  const minimum = isOverride ? 1 : plan.minimum;
  const weights = used.map((candidate) => weightOf(watched, currency, decision, candidate));
  if (sum(weights) < minimum)
    broken(
      'a value rests on the minimum of sources',
      `${currency} in ${decision.id}: ${used.length}`,
      subject,
    );
  const lasting = sum(weights.filter((_, index) => ends[index]! >= (validUntilMs ?? 0)));
  if (validUntilMs !== null && lasting < minimum)
    broken('a value ends with its sources', `${currency} in ${decision.id}`, subject);
  const { lowE4, highE4 } = world().honest(currency);
  const valueE4 = value.valueE4!;
  if (valueE4 * 100n < lowE4 * (100n - ALLOWED) || valueE4 * 100n > highE4 * (100n + ALLOWED))
    broken(
      'a lying source moves no value further than the rules allow',
      `${currency} is ${valueE4} in ${decision.id}, honest sources say ${lowE4} to ${highE4}`,
      subject,
    );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function deskPrice({ memory }: WatchedTrades, currency: string, { product }: StoredDecision) {
  return memory.deskPrices.findLast((price) => price.currency === currency && price.product === product);
}

function weightOf(
  watched: WatchedTrades,
  currency: string,
  decision: StoredDecision,
  { source, crossed }: RateCandidate,
): number {
  return source === DESK && !crossed && deskPrice(watched, currency, decision)?.confirmed ? 2 : 1;
}

/**
 * Returns when a rate expires; Infinity for a crossed rate. A crossed rate expires with the first of its parts, so it may
 * expire earlier than this function says.
 */
function endOf(
  watched: WatchedTrades,
  currency: string,
  decision: StoredDecision,
  { source, asOfMs, crossed }: RateCandidate,
): number {
  if (crossed) return Number.POSITIVE_INFINITY;
  if (source === DESK)
    return deskPrice(watched, currency, decision)?.validUntilMs ?? Number.POSITIVE_INFINITY;
  return asOfMs + watched.world().sources.find(({ name }) => name === source)!.ageLimitMs;
}
