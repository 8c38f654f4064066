// Closes a buy on hold without a payment. One person is enough because no money belongs to the buy. If money belongs to it, or
// may belong to it, the service refuses the action.
import type { PublicReason } from '../../domain/records/move-reasons.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { rejectBuy } from '../../domain/review/buys.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { checkPerson, checkReason } from '../back-office/check-decision.ts';
import type { ReviewDeps } from './review-deps.ts';

const MAX_ROUNDS = 6;

export interface RejectionRequest {
  readonly transactionId: string;
  readonly actor: string;
  /** This note is private, and only operators can read it. */
  readonly note: string;
  readonly publicReason: PublicReason;
}

export async function rejectTransaction(
  deps: Pick<ReviewDeps, 'store' | 'clock' | 'reviewDesk'>,
  given: RejectionRequest,
): Promise<Result<Transaction, ReviewRefusal>> {
  const { transactionId: id, actor, publicReason } = given;
  const person = checkPerson(actor);
  if (!person.ok) return person;
  const note = checkReason(given.note);
  if (!note.ok) return note;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const transaction = (await deps.store.transactionsById([id])).get(id);
    if (transaction === undefined) return refuse('not_found', `There is no transaction ${id}.`);
    const meant = await deps.reviewDesk.creditsMeaning(transaction);
    const by = { actor, atMs: deps.clock.now(), publicReason, note: note.value };
    const plan = rejectBuy(transaction, meant, by);
    if (!plan.ok) return plan;
    const { change } = plan.value;
    const [outcome] = await deps.store.commit([change]);
    if (outcome!.kind === 'committed') return ok(change.transactions![0]!.after);
  }
  return refuse('busy', 'The transaction is being processed. Try again.');
}
