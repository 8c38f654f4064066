// Contains what buys and sells share: the dependencies of a submission, some of its checks, and the final step, which stores
// the acceptance.
import { type Bank, type BankDirectory, nubanCheckPasses } from '../../domain/catalogue/banks.ts';
import type { TransactionType } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { AmountBounds } from '../../domain/values/money.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { QuoteStore } from '../../ports/quotes.ts';
import type { Scenario } from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store/store.ts';
import { type Caller, type RailsEnabled, scopeOf } from '../input/caller.ts';
import { type FieldErrors, isReference } from '../input/field-rules.ts';
import { type AcceptedTransaction, acceptTransaction } from './accept-transaction.ts';
import type { ClaimLimit } from './claim-limit.ts';
import type { QuoteTerms } from './quote-terms.ts';

export interface SubmissionDeps {
  readonly store: Store;
  readonly quotes: Pick<QuoteStore, 'find'>;
  readonly banks: BankDirectory;
  readonly networks: Networks;
  readonly rails: RailsEnabled;
  readonly claimLimit: ClaimLimit;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly bounds: AmountBounds;
  /** How long the service waits for the payment of a buy or the deposit of a sell. */
  readonly expiryMs: number;
  /** The service calls this for every new acceptance, after it is stored durably. */
  readonly accepted: (transaction: Transaction, scenario: Scenario | null) => void;
}

/** The dependencies for checking a request. The check neither reads nor stores records. */
export type SubmissionDraftDeps = Omit<SubmissionDeps, 'store' | 'quotes' | 'accepted'>;

export interface Submission<Request> {
  readonly caller: Caller;
  readonly body: Request;
  /** The amount exactly as the client wrote it. */
  readonly amountText: string;
  readonly idempotencyKey: string | null;
  /** The scenario that the sandbox plays for this transaction, or null. */
  readonly scenario: Scenario | null;
}

export interface SubmissionDraft {
  readonly transaction: Transaction;
  readonly bodyHash: string;
}

/** A request that breaks a rule of today, with the hash that finds an earlier acceptance of the same request. */
export interface RefusedSubmissionDraft {
  readonly refusal: Refusal;
  readonly bodyHash: string;
}

/**
 * Stores a valid request. If a request breaks a rule of today, it may still repeat a request that the service accepted earlier.
 */
export async function acceptDraft(
  { store, accepted }: Pick<SubmissionDeps, 'store' | 'accepted'>,
  { caller, body, idempotencyKey, scenario }: Submission<{ readonly reference?: string }>,
  { quote }: QuoteTerms,
  drafted: Result<SubmissionDraft, RefusedSubmissionDraft>,
): Promise<Result<AcceptedTransaction, Refusal>> {
  if (drafted.ok) {
    const { transaction, bodyHash } = drafted.value;
    const result = await acceptTransaction(store, caller, transaction, bodyHash, idempotencyKey, scenario);
    if (result.ok && !result.value.replayed) accepted(transaction, scenario);
    return result;
  }
  // Rules change: for example, a vendor is removed or a maximum is lowered. A repeat of an accepted request still gets the same
  // response.
  const { refusal, bodyHash } = drafted.error;
  const reference = body.reference !== undefined && isReference(body.reference) ? body.reference : null;
  const quoteId = quote?.id ?? null;
  if (reference === null && idempotencyKey === null && quoteId === null) return fail(refusal);
  const claims = { reference, idempotencyKey, quoteId, bodyHash };
  const transaction = await store.findRepeated(scopeOf(caller), claims);
  return transaction === undefined ? fail(refusal) : ok({ transaction, replayed: true });
}

/** The hash of a body includes the quote only if there is one, so that hashes of requests without a quote stay unchanged. */
export function quoteHashFields({ quoteId }: QuoteTerms): readonly string[] {
  return quoteId === null ? [] : [quoteId];
}

/** Buys and sells both need a bank rail: a buy to receive the payment, and a sell to pay out. */
export function checkRailEnabled(
  errors: FieldErrors,
  rails: RailsEnabled,
  mode: Mode,
  what: 'Buying' | 'Selling',
): void {
  if (rails[mode]) return;
  errors.add(
    'type',
    'rail_not_enabled',
    `${what} is not enabled in ${mode} mode yet: the operator has not set up a bank rail.`,
  );
}

/**
 * Returns warnings for reviewers about a bank account. A warning never refuses the request, because a wrong check digit does
 * not prove that the number is wrong.
 */
export function accountFlags(
  nameFlags: readonly string[],
  bank: Bank | undefined,
  accountNumber: string,
): readonly string[] {
  const code = bank?.cbnCode ?? null;
  const isOdd = code !== null && nubanCheckPasses(code, accountNumber) === false;
  return [...nameFlags, ...(bank === undefined ? ['bank_unknown'] : []), ...(isOdd ? ['check_digit'] : [])];
}

/** In the sandbox scenarios about late payments, a transaction expires after about a second instead of a day. */
const LATE_SCENARIO_MS = 1_000;

export function computeExpiresAtMs(
  { expiryMs }: Pick<SubmissionDeps, 'expiryMs'>,
  scenario: Scenario | null,
  type: TransactionType,
  nowMs: number,
): number {
  const isLate = scenario === 'late' || (scenario === 'deposit_late' && type === 'sell');
  return nowMs + (isLate ? LATE_SCENARIO_MS : expiryMs);
}
