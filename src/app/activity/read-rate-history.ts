// The history of one rate, as one point per interval. For a business, each point includes the spread that its tier had at that
// time. An interval without an accepted value has no point.
import {
  applySpread,
  CURRENCIES,
  HISTORY_INTERVALS,
  type HistoryInterval,
  type HistoryPoint,
  type HistoryQuestion,
  INTERVAL_MS,
  RATE_PRODUCTS,
} from '../../domain/rates/rates.ts';
import { spreadFor } from '../../domain/rates/spread.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateStore } from '../../ports/rates.ts';
import { FieldErrors } from '../input/field-rules.ts';
import { type ListQuery, parseTime, singleParam } from '../input/list-query.ts';

export const MAX_HISTORY_POINTS = 1_500;
const DAY_MS = 86_400_000;
const DEFAULT_SPAN_MS: Readonly<Record<HistoryInterval, number>> = {
  '1m': DAY_MS,
  '1h': 7 * DAY_MS,
  '1d': 365 * DAY_MS,
};

export interface RateHistoryDeps {
  readonly rateStore: Pick<RateStore, 'readHistory' | 'listSpreads'>;
  readonly clock: Clock;
}

export interface RatePointWithSpread {
  readonly atMs: number;
  /** The last rate of the interval. */
  readonly rateE4: bigint;
  readonly lowE4: bigint;
  readonly highE4: bigint;
}

export interface RateHistory extends HistoryQuestion {
  /** Oldest first. */
  readonly points: readonly RatePointWithSpread[];
}

/** Reads the history of a rate. If the caller gives no tier, the result has the values without a spread, for the operator. */
export async function readRateHistory(
  { rateStore, clock }: RateHistoryDeps,
  reader: { readonly mode: Mode; readonly tier: string | null },
  query: ListQuery,
): Promise<Result<RateHistory, Refusal>> {
  const nowMs = clock.now();
  const parsed = parseHistoryQuery(query, nowMs);
  if (!parsed.ok) return parsed;
  const question = parsed.value;
  const { product, currency, interval } = question;
  const points = await rateStore.readHistory(reader.mode, question);
  const rules = await rateStore.listSpreads(reader.mode);
  const quoted = points.flatMap((point): RatePointWithSpread[] => {
    // The point of an interval has the last rate of the interval, so the spread at the end of the interval applies.
    const atMs = Math.min(point.atMs + INTERVAL_MS[interval] - 1, nowMs);
    const spreadBps =
      reader.tier === null ? 0 : spreadFor(rules, { product, currency, tier: reader.tier, atMs });
    return spreadBps === undefined ? [] : [quotePoint(question, point, spreadBps)];
  });
  return ok({ ...question, points: quoted });
}

function quotePoint(
  { product }: HistoryQuestion,
  point: HistoryPoint,
  spreadBps: number,
): RatePointWithSpread {
  const quoted = (valueE4: bigint) => applySpread(product, valueE4, spreadBps);
  return {
    atMs: point.atMs,
    rateE4: quoted(point.lastE4),
    lowE4: quoted(point.lowE4),
    highE4: quoted(point.highE4),
  };
}

function parseHistoryQuery(query: ListQuery, nowMs: number): Result<HistoryQuestion, Refusal> {
  const errors = new FieldErrors();
  const oneOf = <T extends string>(name: string, known: readonly T[], otherwise?: T): T | undefined => {
    const text = singleParam(errors, query, name) ?? otherwise;
    const found = known.find((each) => each === text);
    return found ?? errors.add(name, 'filter_invalid', `${name} must be one of ${known.join(', ')}.`);
  };
  const product = oneOf('product', RATE_PRODUCTS);
  const currency = oneOf('currency', CURRENCIES);
  const interval = oneOf('interval', HISTORY_INTERVALS, '1h');
  const givenFromMs = parseTime(errors, 'from', singleParam(errors, query, 'from'));
  const toMs = parseTime(errors, 'to', singleParam(errors, query, 'to')) ?? nowMs;
  const stepMs = INTERVAL_MS[interval ?? '1h'];
  const fromMs = Math.floor((givenFromMs ?? toMs - DEFAULT_SPAN_MS[interval ?? '1h']) / stepMs) * stepMs;
  if (fromMs >= toMs) errors.add('from', 'filter_invalid', 'from must be before to.');
  else if (Math.ceil((toMs - fromMs) / stepMs) > MAX_HISTORY_POINTS)
    errors.add('from', 'filter_invalid', tooManyPointsMessage(interval ?? '1h'));
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  return ok({ product: product!, currency: currency!, interval: interval!, fromMs, toMs });
}

function tooManyPointsMessage(interval: HistoryInterval): string {
  const longer = HISTORY_INTERVALS[HISTORY_INTERVALS.indexOf(interval) + 1];
  const wayOut = longer === undefined ? '' : `, or interval=${longer}`;
  return `from and to are more than ${MAX_HISTORY_POINTS} points of ${interval} apart. Use a shorter period${wayOut}.`;
}
