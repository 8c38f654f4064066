// Starts the payouts of sells whose tokens are all there: checks what may stop them, chooses the rail, asks it who owns
// the account, reserves the naira with the payout's reference, and only then pays.

import { keyOf } from '../../domain/ledger/ledger.ts';
import { compareNames } from '../../domain/matching/name-match.ts';
import { stepEntries } from '../../domain/movements/entries.ts';
import type { UnderWay } from '../../domain/movements/steps.ts';
import type { Change } from '../../domain/records/change.ts';
import { newMovement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTo, putOff } from '../../domain/records/transaction-moves.ts';
import { NAIRA } from '../../domain/values/assets.ts';
import type { PayingRail } from '../../ports/bank/rail.ts';
import type { Refused } from '../../ports/store/commit.ts';
import { apart, backOffMs, isHalted, newId, type SettlementDeps } from '../settlement/context.ts';
import { checkHolds, type HoldCheck } from '../settlement/hold-checks.ts';
import { bankAttempt, payAll } from './bank-steps.ts';
import { chooseRail } from './choose-rail.ts';
import { held } from './send-tokens.ts';

const RETRY_MS = 500;

/** Sells in `deposited` that the caller holds. */
export async function payOut(deps: SettlementDeps, transactions: readonly Transaction[]): Promise<void> {
  const checks = await checkHolds(deps, transactions);
  const keys = transactions.map(({ mode }) => keyOf(mode, NAIRA, 'bank_out'));
  const floats = new Map(await deps.store.balances([...new Set(keys)]));
  const { done, rethrow } = await apart(transactions, async (transaction, index) => {
    const check = checks[index]!;
    const rail = chooseRail(deps, transaction.mode);
    return { check, rail, refusal: await whyNot(deps, transaction, check, rail) };
  });
  const changes: Change[] = [];
  const payouts: (UnderWay | null)[] = [];
  for (const { item: transaction, outcome } of done) {
    const { check, rail, refusal } = outcome;
    const payout = refusal === null ? reserve(deps, transaction, check, rail!, floats) : null;
    changes.push(refusal ?? payout!.change);
    payouts.push(payout?.start ?? null);
  }
  const outcomes = await deps.store.commit(changes);
  const stored: UnderWay[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const payout = payouts[index];
    if (outcome.kind === 'committed' && payout != null) stored.push(payout);
    if (outcome.kind === 'refused') await refused(deps, done[index]!.item, outcome);
  }
  await payAll(deps, stored);
  rethrow();
}

/** The change that puts it off or holds it; null: it may be paid. */
async function whyNot(
  deps: SettlementDeps,
  transaction: Transaction,
  check: HoldCheck,
  rail: PayingRail | undefined,
): Promise<Change | null> {
  const atMs = deps.clock.now();
  const { mode, bankCode, accountNumber, accountName, tries } = transaction;
  const later = { atMs, transactions: [putOff(transaction, atMs + backOffMs(deps, tries, RETRY_MS))] };
  if (check.hold !== null) return held(transaction, check.hold, check.evidence, atMs);
  if (rail === undefined || isHalted(deps, { mode, asset: NAIRA })) return later;
  if (transaction.released) return null;
  const about = transaction.id;
  const owner = await rail.payouts.enquireName({
    bankCode: bankCode!,
    accountNumber,
    expectedName: accountName,
    about,
  });
  if (owner.kind === 'unknown') return later;
  if (owner.kind === 'no_account') return held(transaction, 'account_unknown', {}, deps.clock.now());
  const { verdict, score } = compareNames(owner.name, accountName ?? '');
  if (verdict === 'strong') return null;
  return held(transaction, 'name_mismatch', { bank_says: owner.name, verdict, score }, deps.clock.now());
}

function reserve(
  deps: SettlementDeps,
  transaction: Transaction,
  check: HoldCheck,
  rail: PayingRail,
  floats: Map<string, bigint>,
): { readonly change: Change; readonly start?: UnderWay } {
  const atMs = deps.clock.now();
  const { mode, amountMinor, feeMinor, bankCode, accountNumber, accountName } = transaction;
  const nairaMinor = amountMinor - feeMinor;
  const key = keyOf(mode, NAIRA, 'bank_out');
  const free = floats.get(key) ?? 0n;
  if (free < nairaMinor) {
    deps.onTrouble('the bank float is too low', { mode });
    const dueAtMs = atMs + backOffMs(deps, transaction.tries, RETRY_MS * 4);
    return { change: { atMs, transactions: [putOff(transaction, dueAtMs)] } };
  }
  floats.set(key, free - nairaMinor);
  const movement = newMovement({
    ...{ kind: 'payout', mode, network: null, asset: NAIRA, nairaMinor, atMs },
    id: newId(deps, 'mov'),
    amountMinor: nairaMinor,
    transactionId: transaction.id,
    destination: { bankCode: bankCode!, accountNumber, accountName },
    state: 'sending',
    attempts: 1,
    dueAtMs: atMs + deps.leaseMs,
  });
  const attempt = bankAttempt(movement, rail, atMs);
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
      usage: check.usage,
      entries: stepEntries(movement, 'reserve'),
    },
    start: { movement, attempt, transaction: move.after },
  };
}

async function refused(deps: SettlementDeps, transaction: Transaction, refusal: Refused): Promise<void> {
  const atMs = deps.clock.now();
  const { rule, constraint } = refusal;
  if (rule === 'limit_exceeded') {
    await deps.store.commit([held(transaction, 'limit_reached', {}, atMs)]);
    return;
  }
  deps.onTrouble('a payout was refused', { transaction: transaction.id, constraint });
  const dueAtMs = atMs + backOffMs(deps, transaction.tries, RETRY_MS * 4);
  await deps.store.commit([{ atMs, transactions: [putOff(transaction, dueAtMs)] }]);
}
