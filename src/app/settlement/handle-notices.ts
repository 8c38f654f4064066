// Handles what rails report besides credits: a credit taken back, a payout that returned. A notice about a record that is
// not stored yet waits for it.

import { entryOf } from '../../domain/ledger/ledger.ts';
import { type Change, moveOf } from '../../domain/records/change.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import { isReturning } from '../../domain/records/exceptions.ts';
import { movementOfReference } from '../../domain/records/movement.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import { moveTo } from '../../domain/records/transaction-moves.ts';
import { reverseCredit } from '../../domain/settlement/reversal.ts';
import { backOffMs, newId, type SettlementDeps } from './context.ts';

const LOOK_AGAIN_MS = 500;
/** After so many looks the record is not expected any more: a reviewer decides. */
const MAX_LOOKS = 20;

/** Notices that the caller leased. Stale ones keep their lease and are decided again. */
export async function handleNotices(deps: SettlementDeps, notices: readonly BankNotice[]): Promise<void> {
  for (const notice of notices) {
    const change =
      notice.kind === 'credit_reversed' ? await reversal(deps, notice) : await payoutReturned(deps, notice);
    const [outcome] = await deps.store.commit([change]);
    if (outcome?.kind === 'stale') {
      await deps.store.commit([again(deps, notice)]);
    }
    const { openCase } = change;
    if (outcome?.kind === 'committed' && openCase?.movementId !== undefined) {
      const { id, movementId: movement, transactionId: transaction } = openCase;
      deps.onTrouble('a payout came back', { movement, transaction, case: id });
    }
    if (outcome?.kind !== 'refused') continue;
    const { rule, constraint } = outcome;
    deps.onTrouble(rule === 'returned_before' ? 'a payout came back twice' : 'a notice was refused', {
      notice: notice.id,
      about: notice.about,
      constraint,
    });
    // It is booked already: reviewers see that the rail reports it again, under another id or with another amount.
    if (rule === 'returned_before') await deps.store.commit([forPeople(deps.clock.now(), notice)]);
  }
}

function again(deps: SettlementDeps, notice: BankNotice): Change {
  const atMs = deps.clock.now();
  if (notice.tries > MAX_LOOKS) {
    deps.onTrouble('a notice is about nothing we know', { notice: notice.id, about: notice.about });
    return forPeople(atMs, notice);
  }
  return {
    atMs,
    notices: [moveOf(notice, { dueAtMs: atMs + backOffMs(deps, notice.tries, LOOK_AGAIN_MS) })],
  };
}

function forPeople(atMs: number, notice: BankNotice): Change {
  return { atMs, notices: [moveOf(notice, { state: 'review', dueAtMs: null })] };
}

async function reversal(deps: SettlementDeps, notice: BankNotice): Promise<Change> {
  const credit = await deps.store.findCredit(notice.mode, notice.source, notice.about);
  if (credit === undefined) return again(deps, notice);
  const atMs = deps.clock.now();
  if (notice.amountMinor !== credit.amountMinor) {
    deps.onTrouble('a bank took back another amount than it gave', { notice: notice.id, credit: credit.id });
    return forPeople(atMs, notice);
  }
  if (credit.state === 'split') return reverseParts(deps, notice, credit);
  return reverseOne(deps, notice, credit);
}

/** The parts first, each by itself; the whole when none is left. A part that cannot be taken back goes to review. */
async function reverseParts(deps: SettlementDeps, notice: BankNotice, credit: BankCredit): Promise<Change> {
  const parts = await deps.store.partsOf(credit.id);
  for (const part of parts.filter(({ state }) => state !== 'reversed')) {
    const { notices, ...change } = await reverseOne(deps, notice, part);
    if (change.credits === undefined) return { atMs: change.atMs, notices: notices! };
    const [outcome] = await deps.store.commit([change]);
    if (outcome!.kind !== 'committed') return again(deps, notice);
  }
  const atMs = deps.clock.now();
  return {
    atMs,
    notices: [moveOf(notice, { state: 'done', dueAtMs: null })],
    credits: [moveOf(credit, { state: 'reversed', exception: 'credit_reversed', dueAtMs: null })],
  };
}

async function reverseOne(deps: SettlementDeps, notice: BankNotice, credit: BankCredit): Promise<Change> {
  const id = credit.transactionId;
  const transaction = id === null ? null : ((await deps.store.transactionsById([id])).get(id) ?? null);
  const movements =
    id === null ? await deps.store.movementsOfCredit(credit.id) : await deps.store.movementsOf([id]);
  const change = reverseCredit({
    notice,
    credit,
    transaction,
    refunds: movements.filter((each) => each.kind === 'refund' && each.creditId === credit.id),
    send: movements.find((each) => each.kind === 'send') ?? null,
    freeze: deps.policies[credit.mode].freezeOnReversal,
    caseId: newId(deps, 'cas'),
    atMs: deps.clock.now(),
  });
  if (change.openCase !== undefined) {
    deps.onTrouble('a credit was taken back after its value was given', {
      credit: credit.id,
      transaction: id,
      case: change.openCase.id,
    });
  }
  return change;
}

async function payoutReturned(deps: SettlementDeps, notice: BankNotice): Promise<Change> {
  const atMs = deps.clock.now();
  const { source: rail, about: reference } = notice;
  // Only the rail that paid can return it: the same reference from another rail is not about this payout.
  const movement = await deps.store.movementById(movementOfReference(reference), { rail, reference });
  // A failed payout never left, so waiting cannot make it one that returned: it goes on to review.
  if (movement === undefined || !['done', 'failed'].includes(movement.state)) return again(deps, notice);
  const id = movement.transactionId;
  const transaction = id === null ? undefined : (await deps.store.transactionsById([id])).get(id);
  const { mode, network, nairaMinor } = movement;
  const paid = movement.state === 'done' && network === null && mode === notice.mode;
  // Never paid, or less than the notice says: not our money. A second return is refused by the database.
  if (!paid || notice.amountMinor > nairaMinor) {
    deps.onTrouble('a returned payout makes no sense', { notice: notice.id, movement: movement.id });
    return forPeople(atMs, notice);
  }
  const caseId = newId(deps, 'cas');
  return {
    atMs,
    notices: [moveOf(notice, { state: 'done', dueAtMs: null })],
    openCase: {
      id: caseId,
      kind: 'payout_returned',
      mode: notice.mode,
      businessId: transaction?.businessId ?? null,
      transactionId: id,
      creditId: null,
      movementId: movement.id,
      amountMinor: notice.amountMinor,
    },
    entries: [
      entryOf('payout_returned', {
        mode: notice.mode,
        subjectId: id ?? movement.id,
        amounts: { amount: notice.amountMinor },
      }),
    ],
    ...(transaction !== undefined && {
      transactions: [
        moveTo(transaction, transaction.state, {
          actor: 'bank',
          atMs,
          reason: 'payout_returned',
          dueAtMs: transaction.dueAtMs,
          // While two people have its money sent back, that ends it: an earlier refund does not change this.
          updates: isReturning(transaction) ? {} : { exception: 'payout_returned' },
          evidence: { movement: movement.id, case: caseId },
        }),
      ],
    }),
  };
}
