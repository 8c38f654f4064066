// Starts the payouts of sells whose tokens have all arrived. It checks for holds, chooses the rail, asks the rail for the owner
// of the account, and reserves the naira under the payout's reference. Only then does it pay.
import { stepEntries } from '../../../domain/movements/entries.ts';
import { bankAttempt } from '../../../domain/movements/payout-steps.ts';
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import type { PayoutFacts, SkippedRail } from '../../../domain/rails/choose-rail.ts';
import { describeSkippedRails } from '../../../domain/rails/rail-texts.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import type { Change } from '../../../domain/records/change.ts';
import { newMovement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { moveTransaction, postponeTransaction } from '../../../domain/records/transaction-moves.ts';
import { NAIRA } from '../../../domain/values/money.ts';
import type { RefusedCommit } from '../../../ports/store/commit.ts';
import { checkPayoutAccount } from '../../account-lookups/check-payout-account.ts';
import { isAssetHalted, newId, type PickDeps, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs, makeBatcher, runEach } from '../../engine/retries.ts';
import { checkHolds, type HoldCheck } from '../../settlement/check-holds.ts';
import { makeCommitStep, putOnHold } from '../commit-steps.ts';
import {
  type ChosenRail,
  openRailChooser,
  payoutAccountOf,
  type RailChoice,
  type RailChooser,
} from './choose-rail.ts';
import { orderPayout } from './order-payout.ts';

const RETRY_MS = 500;

/**
 * `transactions` contains sells in the state `deposited` whose leases the caller holds. No sell waits for the bank of another
 * sell.
 */
export async function payOut(deps: SettlementDeps, transactions: readonly Transaction[]): Promise<void> {
  const checks = await checkHolds(deps, transactions);
  const chooser = await openRailChooser(
    deps,
    transactions.map(({ mode }) => mode),
  );
  const commitOne = makeBatcher((changes: readonly Change[]) => deps.store.commit(changes));
  const commitStep = makeCommitStep(deps);
  const { rethrow } = await runEach(transactions, async (transaction, index) => {
    const check = checks[index]!;
    const judged = await planPayout(deps, chooser, transaction, check);
    const payout = judged.kind === 'pay' ? reservePayout(deps, transaction, check, judged.choice) : null;
    const outcome = await commitOne(judged.kind === 'pay' ? payout!.change : judged.change);
    if (outcome.kind === 'refused') await onCommitRefused(deps, transaction, outcome, judged);
    if (outcome.kind === 'committed' && payout !== null) await orderPayout(deps, payout.order, commitStep);
  });
  rethrow();
}

/** The service must not choose the rails in `tried`. */
function payoutFactsOfSell(
  { amountMinor, feeMinor, bankCode }: Transaction,
  tried: readonly string[] = [],
): PayoutFacts {
  return { amountMinor: amountMinor - feeMinor, bankCode: bankCode!, tried };
}

type PayoutPlan =
  | { readonly kind: 'wait'; readonly change: Change }
  | { readonly kind: 'pay'; readonly choice: ChosenRail };

/** Decides about the payout of a sell. If the sell must be on hold, the service chooses no rail. */
async function planPayout(
  deps: SettlementDeps,
  chooser: RailChooser,
  transaction: Transaction,
  check: HoldCheck,
): Promise<PayoutPlan> {
  const { mode } = transaction;
  if (check.hold !== null)
    return makeWaitPlan(putOnHold(transaction, check.hold, check.evidence, deps.clock.now()));
  const choice = chooser.choose(mode, payoutFactsOfSell(transaction));
  if (choice.kind === 'none') reportNoRail(deps, transaction, choice.why);
  if (choice.kind === 'none' || isAssetHalted(deps, { mode, asset: NAIRA })) {
    const firstMs = choice.kind === 'none' ? RETRY_MS * 4 : RETRY_MS;
    return makeWaitPlan(postponePayout(deps, transaction, firstMs));
  }
  return checkOwnerOnRails(deps, chooser, transaction, choice);
}

/**
 * The rail that will pay must confirm the owner of the account. If a rail cannot reply now, it does not get the payout, and the
 * service asks the next rail.
 */
async function checkOwnerOnRails(
  deps: PickDeps<'store' | 'clock' | 'entropy' | 'onTrouble'>,
  chooser: RailChooser,
  transaction: Transaction,
  first: ChosenRail,
): Promise<PayoutPlan> {
  const { id, mode } = transaction;
  const silent: string[] = [];
  let choice: RailChoice = first;
  while (choice.kind === 'chosen') {
    const { rail } = choice;
    const checked = await checkPayoutAccount(deps, rail.payouts, transaction);
    if (checked.kind === 'clear') return { kind: 'pay', choice };
    if (checked.kind === 'hold')
      return makeWaitPlan(putOnHold(transaction, checked.exception, checked.evidence, deps.clock.now()));
    deps.onTrouble('a rail cannot look up an account owner', { transaction: id, mode, rail: rail.name });
    silent.push(rail.name);
    choice = chooser.choose(mode, payoutFactsOfSell(transaction, silent));
    const leftMs = transaction.dueAtMs! - deps.clock.now();
    if (choice.kind === 'chosen' && leftMs < choice.rail.terms.timeoutMs) break;
  }
  return makeWaitPlan(postponePayout(deps, transaction, RETRY_MS));
}

function makeWaitPlan(change: Change): PayoutPlan {
  return { kind: 'wait', change };
}

function postponePayout(
  deps: PickDeps<'clock' | 'entropy'>,
  transaction: Transaction,
  firstMs: number,
): Change {
  const atMs = deps.clock.now();
  return {
    atMs,
    transactions: [postponeTransaction(transaction, atMs + backOffMs(deps, transaction.tries, firstMs))],
  };
}

function reportNoRail(
  { onTrouble }: PickDeps<'onTrouble'>,
  { id, mode }: Transaction,
  why: readonly SkippedRail[],
): void {
  // The service reports missing naira only if this is the only obstacle. If another rail is paused, the rail without naira is
  // not the reason.
  const isPoor = why.length > 0 && why.every((each) => each.why === 'float_too_low');
  if (isPoor) onTrouble('the bank float is too low', { mode, rail: why[0]!.rail });
  else if (why.length > 0)
    onTrouble('no rail takes a payout', { transaction: id, why: describeSkippedRails(why) });
}

function reservePayout(
  deps: PickDeps<'clock' | 'entropy'>,
  transaction: Transaction,
  check: HoldCheck,
  { rail, usage }: ChosenRail,
): { readonly change: Change; readonly order: LiveAttempt } {
  const atMs = deps.clock.now();
  const { mode, amountMinor, feeMinor, bankCode, accountNumber, accountName } = transaction;
  const nairaMinor = amountMinor - feeMinor;
  const movement = newMovement({
    ...{ kind: 'payout', mode, network: null, asset: NAIRA, nairaMinor, atMs },
    id: newId(deps, 'mov'),
    amountMinor: nairaMinor,
    transactionId: transaction.id,
    destination: { bankCode: bankCode!, accountNumber, accountName },
    bankAccount: payoutAccountOf(rail),
    state: 'sending',
    attempts: 1,
    dueAtMs: atMs + callLeaseMs(rail.terms),
  });
  const attempt = bankAttempt(movement, rail.name, [], atMs);
  const move = moveTransaction(transaction, 'paying_out', {
    actor: 'settlement',
    atMs,
    reason: 'payout_reserved',
    dueAtMs: null,
    evidence: { movement: movement.id, reference: attempt.reference },
  });
  return {
    change: {
      atMs,
      transactions: [move],
      newMovements: [movement],
      attempts: [attempt],
      usage: [...check.usage, ...usage],
      entries: stepEntries(movement, 'reserve'),
    },
    order: { movement, attempt, transaction: move.after },
  };
}

async function onCommitRefused(
  deps: SettlementDeps,
  transaction: Transaction,
  { rule, constraint }: RefusedCommit,
  judged: PayoutPlan,
): Promise<void> {
  const atMs = deps.clock.now();
  const isCapped = judged.kind === 'pay' && judged.choice.usage.length > 0;
  // If the rail has a cap, it is unknown whether the cap or the limit of the business refused the payout. The next run reads
  // both, and then puts the payout on hold or chooses another rail.
  if (rule === 'limit_exceeded' && !isCapped) {
    await deps.store.commit([putOnHold(transaction, 'limit_reached', {}, atMs)]);
    return;
  }
  deps.onTrouble('a payout was refused', { transaction: transaction.id, constraint });
  const dueAtMs = atMs + backOffMs(deps, transaction.tries, RETRY_MS * 4);
  await deps.store.commit([{ atMs, transactions: [postponeTransaction(transaction, dueAtMs)] }]);
}
