// What a buy and a sell have in common on their way in: what they need, who may ask, and the durable last step.
import type { BankDirectory } from '../domain/banks.ts';
import type { AmountBounds } from '../domain/money.ts';
import { nubanCheckPasses } from '../domain/nuban.ts';
import type { Refusal } from '../domain/refusals.ts';
import { fail, type Result } from '../domain/result.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Clock, Entropy } from '../ports/clock.ts';
import type { Networks } from '../ports/network.ts';
import type { Store } from '../ports/store.ts';
import { type Accepted, acceptTransaction } from './accept-transaction.ts';
import { type Caller, type RailsEnabled, refuseOtherBusiness } from './caller.ts';

export interface SubmissionDeps {
  readonly store: Store;
  readonly banks: BankDirectory;
  readonly networks: Networks;
  readonly rails: RailsEnabled;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly bounds: AmountBounds;
  /** How long the payment, or the deposit, is waited for. */
  readonly expiryMs: number;
}

export interface Submission<Request> {
  readonly caller: Caller;
  readonly body: Request;
  /** The amount as the client wrote it, digit for digit. */
  readonly amountText: string;
  readonly idempotencyKey: string | null;
}

export interface Draft {
  readonly transaction: Transaction;
  readonly bodyHash: string;
}

/** The business is checked before any value is; what keeps every rule is made durable. */
export async function submit<Request extends { readonly business_id: string; readonly link_tag: string }>(
  deps: SubmissionDeps,
  submission: Submission<Request>,
  draft: (deps: SubmissionDeps, submission: Submission<Request>) => Result<Draft, Refusal>,
): Promise<Result<Accepted, Refusal>> {
  const { caller, body, idempotencyKey } = submission;
  const stranger = refuseOtherBusiness(caller, body);
  if (stranger !== undefined) return fail(stranger);
  const drafted = draft(deps, submission);
  if (!drafted.ok) return drafted;
  const { transaction, bodyHash } = drafted.value;
  return acceptTransaction(deps.store, caller, transaction, bodyHash, idempotencyKey);
}

/** A warning for reviewers, never a refusal: the check digit cannot tell a wrong number for certain. */
export function checkDigitFails(cbnCode: string | null, accountNumber: string): boolean {
  return cbnCode !== null && nubanCheckPasses(cbnCode, accountNumber) === false;
}
