// Starts the payouts of sells whose tokens are all there: checks what may stop them, chooses the rail, asks it who owns
// the account, reserves the naira with the payout's reference, and only then pays.

import { stepEntries } from '../../domain/movements/entries.ts';
import type { UnderWay } from '../../domain/movements/steps.ts';
import type { NotChosen, PayoutFacts } from '../../domain/rails/route.ts';
import { describeNone } from '../../domain/rails/words.ts';
import type { Change } from '../../domain/records/change.ts';
import { newMovement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTo, putOff } from '../../domain/records/transaction-moves.ts';
import { NAIRA } from '../../domain/values/assets.ts';
import type { Refused } from '../../ports/store/commit.ts';
import { checkAccount } from '../enquiries/check-account.ts';
import { apart, backOffMs, isHalted, newId, type SettlementDeps } from '../settlement/context.ts';
import { checkHolds, type HoldCheck } from '../settlement/hold-checks.ts';
import { payAll } from './bank-steps.ts';
import { type ChosenRail, openRailChooser, payoutAccountOf, type RailChoice } from './choose-rail.ts';
import { bankAttempt } from './fail-over.ts';
import { held } from './send-tokens.ts';

const RETRY_MS = 500;

/** Sells in `deposited` that the caller holds. */
export async function payOut(deps: SettlementDeps, transactions: readonly Transaction[]): Promise<void> {
  const checks = await checkHolds(deps, transactions);
  const chooser = await openRailChooser(
    deps,
    transactions.map(({ mode }) => mode),
  );
  const choices = transactions.map((transaction, index) =>
    checks[index]!.hold === null ? chooser.choose(transaction.mode, factsOf(transaction)) : NOT_CHOSEN,
  );
  const { done, rethrow } = await apart(transactions, async (transaction, index) => {
    const [check, choice] = [checks[index]!, choices[index]!];
    return { check, choice, refusal: await whyNot(deps, transaction, check, choice) };
  });
  const changes: Change[] = [];
  const payouts: (UnderWay | null)[] = [];
  for (const { item: transaction, outcome } of done) {
    const { check, choice, refusal } = outcome;
    const payout = refusal === null ? reserve(deps, transaction, check, choice as ChosenRail) : null;
    changes.push(refusal ?? payout!.change);
    payouts.push(payout?.start ?? null);
  }
  const outcomes = await deps.store.commit(changes);
  const stored: UnderWay[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const payout = payouts[index];
    if (outcome.kind === 'committed' && payout != null) stored.push(payout);
    if (outcome.kind !== 'refused') continue;
    const { item, outcome: judged } = done[index]!;
    await refused(deps, item, outcome, judged.choice);
  }
  await payAll(deps, stored);
  rethrow();
}

/** One that is held is not routed. */
const NOT_CHOSEN: RailChoice = { kind: 'none', why: [] };

function factsOf({ amountMinor, feeMinor, bankCode }: Transaction): PayoutFacts {
  return { amountMinor: amountMinor - feeMinor, bankCode: bankCode!, tried: [] };
}

/** The change that puts it off or holds it; null: it may be paid. */
async function whyNot(
  deps: SettlementDeps,
  transaction: Transaction,
  check: HoldCheck,
  choice: RailChoice,
): Promise<Change | null> {
  const atMs = deps.clock.now();
  const { mode, tries } = transaction;
  const firstMs = choice.kind === 'none' ? RETRY_MS * 4 : RETRY_MS;
  const later = { atMs, transactions: [putOff(transaction, atMs + backOffMs(deps, tries, firstMs))] };
  if (check.hold !== null) return held(transaction, check.hold, check.evidence, atMs);
  if (choice.kind === 'none') reportNone(deps, transaction, choice.why);
  if (choice.kind === 'none' || isHalted(deps, { mode, asset: NAIRA })) return later;
  const checked = await checkAccount(deps, choice.rail.payouts, transaction);
  if (checked.kind === 'unknown') return later;
  return checked.kind === 'clear'
    ? null
    : held(transaction, checked.exception, checked.evidence, deps.clock.now());
}

function reportNone(deps: SettlementDeps, { id, mode }: Transaction, why: readonly NotChosen[]): void {
  const poor = why.find((each) => each.why === 'float_too_low');
  if (poor !== undefined) deps.onTrouble('the bank float is too low', { mode, rail: poor.rail });
  else if (why.length > 0)
    deps.onTrouble('no rail takes a payout', { transaction: id, why: describeNone(why) });
}

function reserve(
  deps: SettlementDeps,
  transaction: Transaction,
  check: HoldCheck,
  { rail, usage }: ChosenRail,
): { readonly change: Change; readonly start: UnderWay } {
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
    dueAtMs: atMs + deps.leaseMs,
  });
  const attempt = bankAttempt(movement, rail.name, [], atMs);
  const move = moveTo(transaction, 'paying_out', {
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
    start: { movement, attempt, transaction: move.after },
  };
}

async function refused(
  deps: SettlementDeps,
  transaction: Transaction,
  refusal: Refused,
  choice: RailChoice,
): Promise<void> {
  const atMs = deps.clock.now();
  const { rule, constraint } = refusal;
  const isCapped = choice.kind === 'chosen' && choice.usage.length > 0;
  // Of a rail with a cap it is not known which limit it was: the next turn reads both, and holds it or takes another rail.
  if (rule === 'limit_exceeded' && !isCapped) {
    await deps.store.commit([held(transaction, 'limit_reached', {}, atMs)]);
    return;
  }
  deps.onTrouble('a payout was refused', { transaction: transaction.id, constraint });
  const dueAtMs = atMs + backOffMs(deps, transaction.tries, RETRY_MS * 4);
  await deps.store.commit([{ atMs, transactions: [putOff(transaction, dueAtMs)] }]);
}
