// Makes a quote: the naira amount at the current rate, the current fee, and the time until which both are valid. The service
// never quotes a rate that is out of date or missing.
import { actorKind } from '../../domain/people/actor.ts';
import { convertToNaira, NAIRA_RATE_E4, type Quote } from '../../domain/quotes/quote.ts';
import { ratesUnavailable, type ServedRate, servedRate } from '../../domain/rates/board.ts';
import { TRANSACTION_TYPES, type TransactionType } from '../../domain/records/states.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import {
  type AmountBounds,
  canonicalAmount,
  formatNaira,
  koboToToken,
  MAX_WIRE_MINOR,
} from '../../domain/values/money.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { DescribedNetworks, NetworkDescription } from '../../ports/networks/network.ts';
import type { ExposureLimits, QuoteStore, QuoteWithExpiry } from '../../ports/quotes.ts';
import type { RateBoard } from '../../ports/rates.ts';
import { type BusinessActor, type FeePayer, scopeOf } from '../input/caller.ts';
import {
  checkAmount,
  checkFee,
  checkNetwork,
  FieldErrors,
  normaliseNetworkName,
} from '../input/field-rules.ts';
import { hashFields, idempotencyKeyReused } from '../intake/accept-transaction.ts';
import { checkCurrency, normaliseCurrency, type QuoteCurrency } from './quote-currency.ts';

export interface QuoteDeps {
  readonly quotes: Pick<QuoteStore, 'add' | 'findByKey'>;
  readonly board: RateBoard;
  readonly networks: DescribedNetworks;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly bounds: Readonly<Record<TransactionType, AmountBounds>>;
  readonly validForMs: number;
  readonly limits: ExposureLimits;
}

export type QuoteCaller = BusinessActor &
  FeePayer & { readonly key: { readonly business: { readonly id: string; readonly tier: string } } };

export interface QuoteRequest {
  readonly side: string;
  readonly currency?: string | undefined;
  readonly network?: string | undefined;
}

export interface QuoteSubmission {
  readonly caller: QuoteCaller;
  readonly body: QuoteRequest;
  /** The amount exactly as the client wrote it. */
  readonly amountText: string;
  readonly idempotencyKey: string | null;
}

export interface MadeQuote extends QuoteWithExpiry {
  /** True if the same request was made before. Then the result is the current state of its quote. */
  readonly replayed: boolean;
}

type PricedQuote = Omit<Quote, 'createdAtMs' | 'expiresAtMs' | 'transactionId'>;

export async function makeQuote(
  deps: QuoteDeps,
  submission: QuoteSubmission,
): Promise<Result<MadeQuote, Refusal>> {
  const { caller, body, amountText, idempotencyKey: key } = submission;
  const requestHash = hashFields([
    'quote',
    body.side,
    canonicalAmount(amountText),
    normaliseCurrency(body.currency),
    normaliseNetworkName(deps.networks, body.network),
  ]);
  const priced = await priceQuote(deps, submission);
  if (!priced.ok) {
    // Rates expire and rules change, but a repeated request still gets the same response.
    const before = key === null ? undefined : await deps.quotes.findByKey(scopeOf(caller), key);
    if (before?.requestHash !== requestHash) return priced;
    return ok({ quote: before.quote, expired: before.expired, replayed: true });
  }
  const outcome = await deps.quotes.add(
    {
      ...priced.value,
      validForMs: deps.validForMs,
      keyId: actorKind(caller.key.id) === 'key' ? caller.key.id : null,
      idempotency: key === null ? null : { key, requestHash },
    },
    deps.limits,
  );
  switch (outcome.kind) {
    case 'created':
      return ok({ quote: outcome.quote, expired: false, replayed: false });
    case 'repeated':
      return ok({ quote: outcome.quote, expired: outcome.expired, replayed: true });
    case 'idempotency_key_reused':
      return fail(idempotencyKeyReused());
    case 'exposure_exceeded':
      return fail(exposureExceeded(deps.limits, outcome, priced.value.nairaMinor));
    case 'key_revoked':
      return fail(refusal('unauthorized', 'The secret key is missing, wrong or revoked.'));
  }
}

async function priceQuote(
  deps: QuoteDeps,
  { caller, body, amountText }: QuoteSubmission,
): Promise<Result<PricedQuote, Refusal>> {
  const errors = new FieldErrors();
  const { businessId, mode } = scopeOf(caller);
  const atMs = deps.clock.now();
  const side = checkSide(errors, body.side);
  const currency = checkCurrency(errors, side, body.currency);
  const network = body.network === undefined ? null : checkNetwork(errors, deps.networks, mode, body.network);
  const amountMinor = checkQuotedAmount(errors, deps, side, currency, amountText);
  if (side === undefined || currency === undefined || network === undefined || amountMinor === undefined)
    return fail(errors.refusal()!);

  const rate = currency === 'NGN' ? null : await findRate(deps, caller, currency, atMs);
  if (rate !== null && !rate.ok) return rate;
  const rateE4 = rate === null ? NAIRA_RATE_E4 : rate.value.rateE4;
  const nairaMinor = convertToNaira(amountMinor, rateE4);
  const worth = checkNairaBounds(errors, nairaMinor, deps.bounds[side]);
  const feeMinor = checkFee(errors, caller, side, worth, atMs);
  if (feeMinor !== undefined)
    checkRepresentable(errors, network, side === 'buy' ? nairaMinor - feeMinor : nairaMinor);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  return ok({
    id: makeId('quo', atMs, deps.entropy.bytes(ID_RANDOM_BYTES)),
    businessId,
    mode,
    side,
    amountMinor,
    currency,
    network: network?.name ?? null,
    nairaMinor,
    feeMinor: feeMinor!,
    rateE4,
    sources: rate === null ? [] : rate.value.sources,
    decisionId: rate === null ? null : rate.value.decisionId,
  });
}

function checkSide(errors: FieldErrors, text: string): TransactionType | undefined {
  const side = TRANSACTION_TYPES.find((each) => each === text);
  return side ?? errors.add('side', 'side_invalid', 'side must be buy or sell.');
}

/**
 * An amount in naira must be within the bounds of the transaction. An amount in another currency may be any number that JSON
 * holds exactly.
 */
function checkQuotedAmount(
  errors: FieldErrors,
  { bounds }: QuoteDeps,
  side: TransactionType | undefined,
  currency: QuoteCurrency | undefined,
  amountText: string,
): bigint | undefined {
  if (currency === 'NGN' && side !== undefined) return checkAmount(errors, amountText, bounds[side]);
  return checkAmount(errors, amountText, { minMinor: 1n, maxMinor: MAX_WIRE_MINOR }, (minor) =>
    formatNaira(minor).slice(1),
  );
}

function checkNairaBounds(
  errors: FieldErrors,
  nairaMinor: bigint,
  { minMinor, maxMinor }: AmountBounds,
): bigint | undefined {
  const worth = `amount is worth ${formatNaira(nairaMinor)}, which is`;
  if (nairaMinor < minMinor) {
    const message = `${worth} below the minimum of ${formatNaira(minMinor)}.`;
    return errors.add('amount', 'amount_below_minimum', message);
  }
  if (nairaMinor <= maxMinor) return nairaMinor;
  const message = `${worth} above the maximum of ${formatNaira(maxMinor)}.`;
  return errors.add('amount', 'amount_above_maximum', message);
}

/** If the network cannot send the tokens of a quote exactly, no person could ever use the quote. */
function checkRepresentable(
  errors: FieldErrors,
  network: NetworkDescription | null,
  tokensMinor: bigint,
): void {
  if (network === null || koboToToken(tokensMinor, network.asset.decimals) !== undefined) return;
  errors.add(
    'amount',
    'amount_not_representable',
    `amount cannot be sent exactly on ${network.name}: its token has only ${network.asset.decimals} decimals. Use fewer decimals.`,
  );
}

async function findRate(
  { board }: QuoteDeps,
  { key }: QuoteCaller,
  currency: Exclude<QuoteCurrency, 'NGN'>,
  atMs: number,
): Promise<Result<ServedRate, Refusal>> {
  const snapshot = board.current() ?? (await board.refresh());
  const asked = { mode: key.mode, product: 'otc_buy', tier: key.business.tier, atMs } as const;
  const rate = servedRate(snapshot, asked, currency);
  if (typeof rate !== 'string') return ok(rate);
  return fail(ratesUnavailable([{ currency, why: rate }]));
}

function exposureExceeded(
  { maxOpenMinor, maxOpenQuotes }: ExposureLimits,
  { openMinor, openQuotes }: { readonly openMinor: bigint; readonly openQuotes: number },
  wantedMinor: bigint,
): Refusal {
  const open = `${openQuotes} open quotes worth ${formatNaira(openMinor)}`;
  const most = `at most ${maxOpenQuotes} worth ${formatNaira(maxOpenMinor)}`;
  return refusal(
    'quote_exposure_exceeded',
    `The business has ${open}; this one of ${formatNaira(wantedMinor)} would exceed its limit: ${most}. ` +
      'Use the open quotes, or wait until they expire.',
  );
}
