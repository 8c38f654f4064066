// Handles the notices of rails: a reversed credit, a returned payout, or a payout that was paid after all. A notice about a
// record that is not stored yet waits for the record. If the outcome of the record is unknown, the notice waits for the
// outcome.
import { type TransferCharges, transferCharges } from '../../domain/catalogue/bank-charges.ts';
import { accountDetail } from '../../domain/ledger/chart-of-accounts.ts';
import { readMemory } from '../../domain/movements/outcome-memory.ts';
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import { type Movement, parseBankReference } from '../../domain/records/movement.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { bookLatePayout, bookReturnedPayout } from '../../domain/settlement/returned-payout.ts';
import { reverseCredit } from '../../domain/settlement/reversal.ts';
import { newId, type PickDeps, type SettlementDeps } from '../engine/deps.ts';
import { backOffMs } from '../engine/retries.ts';

const LOOK_AGAIN_MS = 500;
/** After this many checks, the service no longer expects the record of the notice, and a reviewer decides. */
const MAX_LOOKS = 20;
/** After this many checks, the service no longer expects the notice of a return that the rail made before. */
const LOOKS_FOR_A_RETURN = 6;

/**
 * The caller must hold the leases of the notices in `notices`. If a change is stale, its notice is tried again later or goes to
 * review.
 */
export async function handleNotices(deps: SettlementDeps, notices: readonly BankNotice[]): Promise<void> {
  for (const notice of notices) {
    const change = await HANDLERS[notice.kind](deps, notice);
    const [outcome] = await deps.store.commit([change]);
    if (outcome?.kind === 'stale') {
      await deps.store.commit([retryOrReview(deps, notice)]);
    }
    const { openCase } = change;
    if (outcome?.kind === 'committed' && openCase?.movementId !== undefined) {
      const { id, kind, movementId: movement, transactionId: transaction } = openCase;
      const what = kind === 'payout_returned' ? 'a payout was returned' : 'a payout was paid after all';
      deps.onTrouble(what, { movement, transaction, case: id });
    }
    if (outcome?.kind !== 'refused') continue;
    const { rule, constraint } = outcome;
    const before = rule === 'returned_before';
    const { id, about } = notice;
    deps.onTrouble(before ? 'a rail reported the outcome of a payout twice' : 'a notice was refused', {
      ...{ notice: id, about, constraint },
    });
    // The outcome is already booked. Reviewers see that the rail reports it again, under another id or with another amount.
    if (rule === 'returned_before') await deps.store.commit([sendToReview(deps.clock.now(), notice)]);
  }
}

const HANDLERS: Readonly<
  Record<BankNotice['kind'], (deps: SettlementDeps, notice: BankNotice) => Promise<Change>>
> = {
  credit_reversed: handleReversal,
  payout_returned: handleReturnedPayout,
  payout_paid_late: handleLatePayout,
};

function retryOrReview(deps: PickDeps<'clock' | 'entropy' | 'onTrouble'>, notice: BankNotice): Change {
  const atMs = deps.clock.now();
  if (notice.tries > MAX_LOOKS) {
    deps.onTrouble('a notice matches no record', { notice: notice.id, about: notice.about });
    return sendToReview(atMs, notice);
  }
  return {
    atMs,
    notices: [makeMove(notice, { dueAtMs: atMs + backOffMs(deps, notice.tries, LOOK_AGAIN_MS) })],
  };
}

function sendToReview(atMs: number, notice: BankNotice): Change {
  return { atMs, notices: [makeMove(notice, { state: 'review', dueAtMs: null })] };
}

async function handleReversal(deps: SettlementDeps, notice: BankNotice): Promise<Change> {
  const credit = await deps.store.findCredit(notice.mode, notice.source, notice.about);
  if (credit === undefined) return handleReportedReversal(deps, notice);
  const atMs = deps.clock.now();
  if (notice.amountMinor !== credit.amountMinor) {
    deps.onTrouble('a bank reversed a different amount than it credited', {
      notice: notice.id,
      credit: credit.id,
    });
    return sendToReview(atMs, notice);
  }
  if (credit.state === 'split') return reverseParts(deps, notice, credit);
  return reverseWholeCredit(deps, notice, credit);
}

/**
 * This report of a reversal does not come from the credit source of the account. The credit source should report the reversal,
 * too. If it does not do so in time, people review the notice.
 */
async function handleReportedReversal(deps: SettlementDeps, notice: BankNotice): Promise<Change> {
  const report = await deps.store.findReport(notice.mode, notice.source, notice.about);
  const id = report?.state === 'linked' ? report.creditId : null;
  const credit = id === null ? undefined : (await deps.store.creditsById([id])).get(id);
  if (credit?.state !== 'reversed' || credit.amountMinor !== notice.amountMinor)
    return retryOrReview(deps, notice);
  return { atMs: deps.clock.now(), notices: [makeMove(notice, { state: 'done', dueAtMs: null })] };
}

/**
 * Reverses the parts first, each one separately and including the parts of a part. Then it reverses the credit itself. If a
 * part cannot be reversed, the notice goes to review.
 */
async function reverseParts(deps: SettlementDeps, notice: BankNotice, credit: BankCredit): Promise<Change> {
  const parts = await deps.store.partsOf(credit.id);
  for (const part of parts.filter(({ state }) => state !== 'reversed')) {
    const reverse = part.state === 'split' ? reverseParts : reverseWholeCredit;
    const { notices, ...change } = await reverse(deps, notice, part);
    if (change.credits === undefined) return { atMs: change.atMs, notices: notices! };
    const [outcome] = await deps.store.commit([change]);
    if (outcome!.kind !== 'committed') return retryOrReview(deps, notice);
  }
  const atMs = deps.clock.now();
  return {
    atMs,
    notices: [makeMove(notice, { state: 'done', dueAtMs: null })],
    credits: [makeMove(credit, { state: 'reversed', exception: 'credit_reversed', dueAtMs: null })],
  };
}

async function reverseWholeCredit(
  deps: SettlementDeps,
  notice: BankNotice,
  credit: BankCredit,
): Promise<Change> {
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
    deps.onTrouble('a credit was reversed after it was used', {
      credit: credit.id,
      transaction: id,
      case: change.openCase.id,
    });
  }
  return change;
}

interface TriedPayout {
  readonly movement: Movement;
  /**
   * True if the notice is about the last attempt of the movement. A rail that refused the payout may have received it again,
   * under another reference.
   */
  readonly isLast: boolean;
  /** The time when the last attempt was paid, and whether the rail had refused it before. Null if it was not paid. */
  readonly landed: { readonly atMs: number; readonly wasRefused: boolean } | null;
  readonly transaction: Transaction | null;
}

/**
 * Returns undefined if nothing was tried on the rail that sent the notice. The same reference from another rail refers to
 * something else.
 */
async function findTriedPayout(
  deps: PickDeps<'store'>,
  notice: BankNotice,
): Promise<TriedPayout | undefined> {
  const { source: rail, about: reference } = notice;
  const movement = await deps.store.movementById(parseBankReference(reference), { rail, reference });
  if (movement === undefined) return undefined;
  const { id, transactionId } = movement;
  const attempt = (await deps.store.lastAttempts([id])).get(id);
  const transaction =
    transactionId === null
      ? undefined
      : (await deps.store.transactionsById([transactionId])).get(transactionId);
  const isLast = attempt?.rail === rail && attempt.reference === reference;
  const landed =
    isLast && attempt.state === 'landed'
      ? { atMs: attempt.updatedAtMs, wasRefused: readMemory(attempt).refusal !== null }
      : null;
  return { movement, isLast, landed, transaction: transaction ?? null };
}

async function handleReturnedPayout(deps: SettlementDeps, notice: BankNotice): Promise<Change> {
  const found = await findTriedPayout(deps, notice);
  if (found === undefined) return retryOrReview(deps, notice);
  const { movement, isLast, transaction } = found;
  if (isUnderWay(movement)) return postponeNotice(deps, notice);
  const { mode, network, nairaMinor } = movement;
  const paid = movement.state === 'done' && network === null && mode === notice.mode && isLast;
  // The payout was never paid, was already returned, or was smaller than the notice says. So the returned money does not belong
  // to this payout.
  if (!paid || notice.amountMinor > nairaMinor) return reviewContradiction(deps, notice, movement);
  return bookReturnedPayout({
    notice,
    movement,
    transaction,
    caseId: newId(deps, 'cas'),
    atMs: deps.clock.now(),
  });
}

async function handleLatePayout(deps: SettlementDeps, notice: BankNotice): Promise<Change> {
  const found = await findTriedPayout(deps, notice);
  if (found === undefined) return retryOrReview(deps, notice);
  const { movement, isLast, transaction } = found;
  const { mode, nairaMinor, state } = movement;
  if (mode !== notice.mode || notice.amountMinor !== nairaMinor)
    return reviewContradiction(deps, notice, movement);
  const atMs = deps.clock.now();
  // If the payment was returned, its charges were already booked when it was paid.
  const charges = isLast && state === 'returned' ? 0n : lateCharges(deps, notice);
  const facts = { notice, movement, transaction, charges, caseId: newId(deps, 'cas'), atMs };
  const doubt = { mode, rail: notice.source, movementId: movement.id, atMs };
  if (isLast) {
    if (isUnderWay(movement)) return postponeNotice(deps, notice);
    if (state === 'done') return closeIfBooked(deps, notice, found);
    const late = bookLatePayout({ ...facts, payoutAccount: movement.bankAccount });
    // If the payout was returned, the rail had not refused it. So the service still trusts the refusals of the rail.
    return state === 'returned' ? late : { ...late, doubt };
  }
  // The rail finally refused this reference, so another attempt now makes the payout.
  const payer = deps.banks.find(mode, notice.source);
  if (payer === undefined) return postponeNotice(deps, notice);
  const { account } = payer;
  const payoutAccount = account && accountDetail(account.bankCode, account.number);
  return { ...bookLatePayout({ ...facts, payoutAccount }), doubt };
}

/**
 * The rail answered a status query with `paid`. If the rail had refused before, a notice before that answer is about this
 * payment. A later notice may be about a second payment, after a return that is reported but not booked yet. If the rail had not
 * refused, the notice may always be about a second payment. After the time in which a return would have been booked, people
 * review it. While the notice of a return is open, this notice waits for it: the checks do not count the time in which both
 * waited for the outcome of the payout.
 */
async function closeIfBooked(
  deps: PickDeps<'clock' | 'entropy' | 'onTrouble' | 'store'>,
  notice: BankNotice,
  { landed, movement }: TriedPayout,
): Promise<Change> {
  const { mode, source, about } = notice;
  const isReturnBooked =
    notice.tries >= LOOKS_FOR_A_RETURN && !(await deps.store.hasOpenReturn(mode, source, about));
  if (landed?.wasRefused && (notice.receivedAtMs <= landed.atMs || isReturnBooked))
    return { atMs: deps.clock.now(), notices: [makeMove(notice, { state: 'done', dueAtMs: null })] };
  if (isReturnBooked) return reviewContradiction(deps, notice, movement);
  return postponeNotice(deps, notice);
}

/** Returns the charges that the rail reports, or otherwise those from the table of bank charges. */
function lateCharges(
  { bankCharges }: PickDeps<'bankCharges'>,
  { raw, amountMinor, receivedAtMs }: BankNotice,
): bigint | TransferCharges {
  const said = (raw as { readonly charge_minor?: unknown } | null)?.charge_minor;
  if (typeof said === 'string' && /^\d{1,15}$/.test(said)) return BigInt(said);
  return transferCharges(bankCharges, amountMinor, receivedAtMs);
}

function isUnderWay({ state }: Movement): boolean {
  return state === 'pending' || state === 'sending' || state === 'unknown';
}

/** The outcome is unknown. The service decides about the notice once it knows the outcome, even if that takes a long time. */
function postponeNotice(deps: PickDeps<'clock' | 'entropy'>, notice: BankNotice): Change {
  const atMs = deps.clock.now();
  const dueAtMs = atMs + backOffMs(deps, notice.tries, LOOK_AGAIN_MS);
  return { atMs, notices: [makeMove(notice, { dueAtMs })] };
}

function reviewContradiction(
  deps: PickDeps<'clock' | 'onTrouble'>,
  notice: BankNotice,
  { id: movement, state }: Movement,
): Change {
  const what =
    state === 'returned' ? 'a payout was returned twice' : 'a notice contradicts the state of its payout';
  deps.onTrouble(what, { notice: notice.id, movement, kind: notice.kind });
  return sendToReview(deps.clock.now(), notice);
}
