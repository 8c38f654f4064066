// Lets the first of two people propose to book naira that they moved at a bank. The subject of the proposal is the id of the
// future move, so that an approval books the move only once.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import {
  type BookedAccount,
  formatBankAccount,
  type NairaFacts,
  SIMULATED_ACCOUNT,
} from '../../domain/records/naira-move.ts';
import type { BankBook } from '../../domain/review/naira-moves.ts';
import { type Proposal, type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { detailText, proposeReview } from './propose-review.ts';
import type { ReviewDeps } from './review-deps.ts';

export interface NairaBookingRequest extends Omit<NairaFacts, 'account' | 'to'> {
  readonly account: string;
  readonly to: string | null;
  readonly actor: string;
}

export async function proposeNairaBooking(
  deps: ReviewDeps,
  { actor, ...given }: NairaBookingRequest,
): Promise<Result<Proposal, ReviewRefusal>> {
  const books = await deps.reviewDesk.bankBooks(given.mode);
  const account = findBookedAccount(deps.banks, books, given.account);
  if (!account.ok) return account;
  const to = given.to === null ? ok(null) : findBookedAccount(deps.banks, books, given.to);
  if (!to.ok) return to;
  const detail = { ...given, account: account.value, to: to.value, reference: given.reference.trim() };
  const asked = { action: 'naira', subjectId: newId(deps, 'nai'), detail } as const;
  const open = await deps.reviewDesk.listOpenProposals(given.mode);
  const same = open.find(
    ({ request }) => request.action === 'naira' && detailText(request) === detailText(asked),
  );
  // If the same person sends the same proposal twice, the service returns the first one. If another person proposes the same,
  // the service refuses this now, because otherwise it would refuse the proposal only at its approval.
  if (same !== undefined && same.proposedBy !== actor)
    return refuse(
      'not_possible',
      `${same.proposedBy} proposed the same booking: approve or decline ${same.id}.`,
    );
  if (same !== undefined) return ok(same);
  return proposeReview(deps, { ...asked, actor });
}

/** Accepts an account as `0123456789`, as `GTBank:0123456789`, or by its name in the ledger. */
export function findBookedAccount(
  banks: BankDirectory,
  books: readonly BankBook[],
  text: string,
): Result<BookedAccount, ReviewRefusal> {
  const [number = '', bank] = text.trim().split(':').reverse();
  const code = bank === undefined ? undefined : (banks.resolve(bank)?.code ?? bank);
  const found = books.filter((each) => {
    const own = formatBankAccount(each);
    if (own === text.trim()) return true;
    if (own === SIMULATED_ACCOUNT) return false;
    return code === undefined ? own.endsWith(`:${number}`) : own === `${code}:${number}`;
  });
  const [first, ...others] = found;
  if (first === undefined) {
    const known =
      books.map(formatBankAccount).join(', ') || 'none yet: configure a rail, and start the service';
    return refuse('not_found', `The books have no account ${text}. They have: ${known}.`);
  }
  if (others.length > 0)
    return refuse(
      'invalid',
      `Several accounts have this number: use ${found.map(formatBankAccount).join(' or ')}.`,
    );
  return ok({ name: first.name, detail: first.detail });
}
