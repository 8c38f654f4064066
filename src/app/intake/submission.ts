// The part of a submission that buys and sells share: the check of the business, and the durable acceptance at the end.
import type { Bank, BankDirectory } from '../../domain/catalogue/banks.ts';
import { nubanCheckPasses } from '../../domain/catalogue/nuban.ts';
import type { TransactionType } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { AmountBounds } from '../../domain/values/money.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { Networks } from '../../ports/network/network.ts';
import type { QuoteStore } from '../../ports/quotes.ts';
import type { Scenario } from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store/store.ts';
import { type Caller, type RailsEnabled, refuseOtherBusiness, scopeOf } from '../input/caller.ts';
import { type FieldErrors, isReference } from '../input/field-rules.ts';
import { type Accepted, acceptTransaction } from './accept-transaction.ts';
import type { ClaimLimit } from './claim-limit.ts';
import { NO_QUOTE, type QuoteTerms, readTerms } from './quote-terms.ts';

export interface SubmissionDeps {
  readonly store: Store;
  readonly quotes: Pick<QuoteStore, 'find'>;
  readonly banks: BankDirectory;
  readonly networks: Networks;
  readonly rails: RailsEnabled;
  /** Of buys that nothing is paid for. */
  readonly claimLimit: ClaimLimit;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly bounds: AmountBounds;
  /** How long the service waits for the payment, or the deposit. */
  readonly expiryMs: number;
  /** Called for every new acceptance, after it is durable. */
  readonly accepted: (transaction: Transaction, scenario: Scenario | null) => void;
}

export interface Submission<Request> {
  readonly caller: Caller;
  readonly body: Request;
  /** The amount as the client wrote it, digit for digit. */
  readonly amountText: string;
  readonly idempotencyKey: string | null;
  /** The sandbox scenario; null: none. */
  readonly scenario: Scenario | null;
}

export interface Draft {
  readonly transaction: Transaction;
  readonly bodyHash: string;
}

/** A request that breaks a rule now, and the hash that identifies an earlier acceptance of it. */
export interface RefusedDraft {
  readonly refusal: Refusal;
  readonly bodyHash: string;
}

interface Submitted {
  readonly business_id: string;
  readonly link_tag: string;
  readonly reference?: string;
  readonly quote_id?: string;
}

/** Checks the business before any value, then makes a request that keeps every rule durable. */
export async function submit<Request extends Submitted>(
  deps: SubmissionDeps,
  submission: Submission<Request>,
  type: TransactionType,
  draft: (
    deps: SubmissionDeps,
    submission: Submission<Request>,
    terms: QuoteTerms,
  ) => Result<Draft, RefusedDraft>,
): Promise<Result<Accepted, Refusal>> {
  const { caller, body, idempotencyKey, scenario } = submission;
  const stranger = refuseOtherBusiness(caller, body);
  if (stranger !== undefined) return fail(stranger);
  const named = body.quote_id;
  const terms = named === undefined ? NO_QUOTE : await readTerms(deps.quotes, scopeOf(caller), named);
  const drafted = draft(inTime(deps, scenario, type), submission, terms);
  if (drafted.ok) {
    const { transaction, bodyHash } = drafted.value;
    const result = await acceptTransaction(
      deps.store,
      caller,
      transaction,
      bodyHash,
      idempotencyKey,
      scenario,
    );
    if (result.ok && !result.value.replayed) deps.accepted(transaction, scenario);
    return result;
  }
  // Rules change: a vendor is removed, a maximum lowered. A repeat of an accepted request is still answered the same.
  const { refusal, bodyHash } = drafted.error;
  const reference = body.reference !== undefined && isReference(body.reference) ? body.reference : null;
  const quoteId = terms.quote?.id ?? null;
  if (reference === null && idempotencyKey === null && quoteId === null) return fail(refusal);
  const claims = { reference, idempotencyKey, quoteId, bodyHash };
  const transaction = await deps.store.findRepeated(scopeOf(caller), claims);
  return transaction === undefined ? fail(refusal) : ok({ transaction, replayed: true });
}

/** The quote in a body's hash, only where there is one: hashes of requests without a quote are what they always were. */
export function quoteFields({ quoteId }: QuoteTerms): readonly string[] {
  return quoteId === null ? [] : [quoteId];
}

/** Both need a bank: one to be paid, the other to pay. */
export function checkRail(
  errors: FieldErrors,
  rails: RailsEnabled,
  mode: Mode,
  what: 'Buying' | 'Selling',
): void {
  if (rails[mode]) return;
  errors.add(
    'type',
    'rail_not_enabled',
    `${what} is not enabled in ${mode} mode yet: the operator has set up no bank rail.`,
  );
}

/** What a reviewer should see of a bank account. Never a refusal: the check digit does not show a wrong number for certain. */
export function accountFlags(
  nameFlags: readonly string[],
  bank: Bank | undefined,
  accountNumber: string,
): readonly string[] {
  const code = bank?.cbnCode ?? null;
  const isOdd = code !== null && nubanCheckPasses(code, accountNumber) === false;
  return [...nameFlags, ...(bank === undefined ? ['bank_unknown'] : []), ...(isOdd ? ['check_digit'] : [])];
}

/** The scenarios about lateness expire at once instead of after a day. */
const LATE_SCENARIO_MS = 1_000;

function inTime(deps: SubmissionDeps, scenario: Scenario | null, type: TransactionType): SubmissionDeps {
  return scenario === 'late' || (scenario === 'deposit_late' && type === 'sell')
    ? { ...deps, expiryMs: LATE_SCENARIO_MS }
    : deps;
}
