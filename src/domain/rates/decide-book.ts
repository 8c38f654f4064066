// Decides the rates of one product from the reports of its sources: which numbers are used, which are not, and why. One wrong
// source never moves a price further than the rules allow. A price that two sources confirm is never refused only because it is
// new.
import { findAgreement, isJump, sumWeights } from './agreement.ts';
import { explainTooFar, makeAcceptedValue, type PriceStep } from './price-steps.ts';
import type {
  AcceptedValue,
  LastAcceptedValues,
  NumberVerdict,
  RateDecision,
  RateGap,
  ValueDecision,
} from './rate-decision.ts';
import { describeDecimalShift, distanceText, rateText } from './rate-words.ts';
import { CURRENCIES, type Currency } from './rates.ts';
import { DESK, type ProductPlan, type SourceReading } from './reading.ts';
import { type ScreenContext, type ScreenedNumber, screenNumber } from './screen-number.ts';
import { crossedNumbers, directNumbers, type SourceNumber } from './source-numbers.ts';

export interface BookQuestion {
  readonly plan: ProductPlan;
  readonly readings: readonly SourceReading[];
  readonly lastAccepted: LastAcceptedValues;
  readonly nowMs: number;
}

interface CurrencyQuestion extends ScreenContext {
  readonly currency: Currency;
  readonly minimum: number;
  readonly dollar: CurrencyOutcome | null;
}

interface CurrencyOutcome {
  readonly decision: ValueDecision;
  readonly isBacked: boolean;
}

export function decideBook({ plan, readings, lastAccepted, nowMs }: BookQuestion): RateDecision {
  const context: ScreenContext = { lastAccepted, nowMs };
  const judgedOf = (currency: Currency, sources: readonly string[] = plan.sources) =>
    directNumbers(currency, sources, readings).map((number) => screenNumber(currency, number, context));
  const beside = (plan.crosses ?? []).filter((name) => !plan.sources.includes(name));
  const besideOf = (currency: Currency) => judgedOf(currency, beside).filter(isNotDesk).filter(hasPassed);
  const question = { ...context, minimum: Math.max(1, plan.minimum) };
  const dollars = judgedOf('USD');
  const dollar = decideValue({ ...question, currency: 'USD', dollar: null }, dollars);
  const { crossing, doubted } = agreeOnDollars(
    dollars,
    hasNoValue(dollar.decision) ? lastAccepted.USD : undefined,
  );
  const dollarsBeside = besideOf('USD');
  const values = CURRENCIES.map((currency) => {
    if (currency === 'USD') return dollar.decision;
    const direct = judgedOf(currency).map((number) => markDoubted(number, doubted));
    const crossed = crossedNumbers({
      dollars: crossing,
      dollarsBeside,
      listed: [...direct.filter(hasPassed), ...besideOf(currency)],
      listing: new Set(direct.map(({ source }) => source)),
    });
    const judged = [...direct, ...crossed.map((number) => screenNumber(currency, number, context))];
    return decideValue({ ...question, currency, dollar }, judged).decision;
  });
  return { product: plan.product, atMs: nowMs, values };
}

interface DollarAgreement {
  /** The dollar rates from which cross rates may be computed. */
  readonly crossing: readonly SourceNumber[];
  /** The sources whose numbers for other currencies are not trusted either, with the reasons. */
  readonly doubted: ReadonlyMap<string, string>;
}

function hasNoValue({ valueE4 }: ValueDecision): boolean {
  return valueE4 === null;
}

/**
 * Finds the dollar rates on which the sources agree. An override sets the price of the dollar, not the ratio of a euro to a
 * dollar. If the dollar has no price now, `last` is its last price. A source far from `last` has an outdated or wrong naira
 * price, so it must not set other currencies.
 */
function agreeOnDollars(judged: readonly ScreenedNumber[], last: AcceptedValue | undefined): DollarAgreement {
  const live = judged.filter(hasPassed);
  if (live.length === 0) return { crossing: [], doubted: new Map() };
  const { used, outliers, medianE4 } = findAgreement(live);
  const doubted = new Map<string, string>();
  const doubtAll = (numbers: readonly ScreenedNumber[], baseE4: bigint, name: string) => {
    for (const { source, valueE4 } of numbers) {
      // The desk sets each price separately, so a doubtful dollar price does not make its other prices doubtful.
      if (source === DESK) continue;
      const why = `Its price of the dollar, ${rateText(valueE4)}, is ${distanceText(valueE4, baseE4)} from ${name} ${rateText(baseE4)}: its naira price is wrong or outdated.`;
      doubted.set(source, why);
    }
  };
  if (medianE4 !== null) doubtAll(outliers, medianE4, 'the median');
  if (last !== undefined) {
    const far = live.filter(({ valueE4 }) => isJump(valueE4, last.valueE4));
    doubtAll(far, last.valueE4, 'the last accepted value');
  }
  return { crossing: used.filter(({ source }) => !doubted.has(source)), doubted };
}

function markDoubted(number: ScreenedNumber, doubted: DollarAgreement['doubted']): ScreenedNumber {
  const why = hasPassed(number) ? doubted.get(number.source) : undefined;
  return why === undefined ? number : { ...number, verdict: 'outlier', why };
}

/** A desk override counts even if the desk is not a listed source. Cross rates do not use the override. */
function isNotDesk({ source }: ScreenedNumber): boolean {
  return source !== DESK;
}

function hasPassed({ verdict }: ScreenedNumber): boolean {
  return verdict === 'used';
}

function decideValue(question: CurrencyQuestion, judged: readonly ScreenedNumber[]): CurrencyOutcome {
  const override = judged.find((number) => number.override && hasPassed(number));
  if (override === undefined) return decideByAgreement(question, judged);
  const refused = findDistanceProblem(question, override.valueE4, [override]);
  if (refused !== null) {
    return decideByAgreement(
      question,
      mark(judged, new Set([override]), 'jump', () => refused),
    );
  }
  const others = new Set(judged.filter((number) => hasPassed(number) && number !== override));
  const marked = mark(
    judged,
    others,
    'overridden',
    () => `A desk price overrides it: ${rateText(override.valueE4)}.`,
  );
  return accept(question, marked, override.valueE4, override.endMs);
}

function decideByAgreement(question: CurrencyQuestion, judged: readonly ScreenedNumber[]): CurrencyOutcome {
  const live = judged.filter(hasPassed);
  if (live.length === 0)
    return refuse(question, judged, judged.length === 0 ? 'no_source' : 'too_few_sources');
  const { used, outliers, medianE4, comparedWithE4 } = findAgreement(live);
  const compared = mark(judged, new Set(outliers), 'outlier', ({ valueE4 }) =>
    medianE4 === null
      ? `No majority of the ${live.length} live numbers agrees; this one is ${distanceText(valueE4, comparedWithE4)} from their median ${rateText(comparedWithE4)}.${describeDecimalShift(valueE4, comparedWithE4)}`
      : `It is ${distanceText(valueE4, medianE4)} from ${rateText(medianE4)}, the median of the agreeing sources; at most 2 % is allowed.${describeDecimalShift(valueE4, medianE4)}`,
  );
  const kept = new Set<SourceNumber>(used);
  if (medianE4 === null || sumWeights(used) < question.minimum) {
    const counted = `It passed all checks, but only ${sumWeights(used)} of the ${question.minimum} required sources did.`;
    return refuse(
      question,
      mark(compared, kept, 'used', () => counted),
      'too_few_sources',
    );
  }
  const refused = findDistanceProblem(question, medianE4, used);
  if (refused !== null)
    return refuse(
      question,
      mark(compared, kept, 'jump', () => refused),
      'jump_unconfirmed',
    );
  return accept(question, compared, medianE4, findEndOfMinimum(used, question.minimum));
}

function findDistanceProblem(
  question: CurrencyQuestion,
  valueE4: bigint,
  used: readonly SourceNumber[],
): string | null {
  return isBackedBy(used) ? null : explainTooFar(makePriceStep(question, valueE4));
}

function makePriceStep(
  { currency, lastAccepted, dollar, nowMs }: CurrencyQuestion,
  valueE4: bigint,
): PriceStep {
  const dollarE4 = dollar?.isBacked ? dollar.decision.valueE4 : null;
  return { currency, valueE4, last: lastAccepted[currency] ?? null, dollarE4, nowMs };
}

/**
 * A crossed number does not count as a second source. Its ratio to the dollar comes from the sources that list the currency.
 */
function isBackedBy(used: readonly SourceNumber[]): boolean {
  return sumWeights(used.filter(({ crossed }) => !crossed)) >= 2;
}

/**
 * The time from which fewer sources than the minimum have a fresh number. Null: the numbers are samples, which do not expire.
 */
function findEndOfMinimum(used: readonly SourceNumber[], minimum: number): number | null {
  const latestFirst = [...used].sort((a, b) => (b.endMs ?? Infinity) - (a.endMs ?? Infinity) || 0);
  let counted = 0;
  for (const { endMs, weight } of latestFirst) {
    counted += weight;
    if (counted >= minimum) return endMs;
  }
  throw new Error('there are fewer sources than the minimum, so no end can be found');
}

function accept(
  question: CurrencyQuestion,
  judged: readonly ScreenedNumber[],
  valueE4: bigint,
  validUntilMs: number | null,
): CurrencyOutcome {
  const { currency, dollar, nowMs } = question;
  const used = judged.filter(hasPassed);
  const isBacked = isBackedBy(used);
  const isOfDesk = used.every(({ source }) => source === DESK);
  // If the dollar has no value now, its last value is used. The currency then keeps its ratio to the dollar.
  const footing = { valueE4, dollarE4: dollar?.decision.accepted?.valueE4 ?? null, atMs: nowMs };
  const accepted = makeAcceptedValue({ step: makePriceStep(question, valueE4), footing, isBacked, isOfDesk });
  return {
    decision: makeValueDecision(currency, judged, { valueE4, validUntilMs, gap: null, accepted }),
    isBacked,
  };
}

function refuse(
  { currency, lastAccepted }: CurrencyQuestion,
  judged: readonly ScreenedNumber[],
  gap: RateGap,
): CurrencyOutcome {
  const accepted: AcceptedValue | null = lastAccepted[currency] ?? null;
  return {
    decision: makeValueDecision(currency, judged, { valueE4: null, validUntilMs: null, gap, accepted }),
    isBacked: false,
  };
}

function makeValueDecision(
  currency: Currency,
  judged: readonly ScreenedNumber[],
  rest: Omit<ValueDecision, 'currency' | 'candidates'>,
): ValueDecision {
  const candidates = judged.map(({ source, valueE4, asOfMs, crossed, verdict, why }) => ({
    source,
    valueE4,
    asOfMs,
    crossed,
    verdict,
    why,
  }));
  return { currency, ...rest, candidates };
}

function mark(
  judged: readonly ScreenedNumber[],
  chosen: ReadonlySet<SourceNumber>,
  verdict: NumberVerdict,
  why: (number: ScreenedNumber) => string,
): ScreenedNumber[] {
  return judged.map((number) => (chosen.has(number) ? { ...number, verdict, why: why(number) } : number));
}
