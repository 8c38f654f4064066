// Updates records. It takes only the fields that may change from the change; the original facts stay the same.
import { isOpenCredit } from '../../../src/domain/records/credit.ts';
import { putNoted, setNoted, type Write } from './journal.ts';
import { idsIn, plain } from './table.ts';
import { isAlive } from './tables.ts';

export const moveTransactions: Write = ({ transactions, timeline }, changes, journal) => {
  for (const change of changes) {
    for (const { version, after, line } of change.transactions ?? []) {
      const { id, state, stateReason, wallet, exception, txHash } = after;
      const { receivedMinor, refundedMinor, released, dueAtMs, tries, updatedAtMs } = after;
      if (line !== null) {
        const { from, actor, reason, evidence } = line;
        const facts = { from, to: state, actor, reason, evidence: plain(evidence ?? null) };
        const lines = timeline.get(id) ?? [];
        if (lines.at(-1)?.version === version + 1) return 'timeline_pkey';
        setNoted(journal, timeline, id, [...lines, { version: version + 1, ...facts, atMs: updatedAtMs }]);
      }
      putNoted(journal, transactions, id, {
        ...transactions.rows.get(id)!,
        ...{ state, stateReason, wallet, exception, txHash, receivedMinor, refundedMinor, released },
        ...{ dueAtMs, tries, updatedAtMs, version: version + 1 },
      });
    }
  }
  return null;
};

export const moveCredits: Write = ({ credits }, changes, journal) => {
  for (const change of changes) {
    for (const { version, after } of change.credits ?? []) {
      const { id, state, exception, transactionId, tries } = after;
      if (state === 'matched' && transactionId === null) return 'bank_credits_sound';
      const before = credits.rows.get(id)!;
      // The credit became due during the decision. While the credit is open, it stays due.
      const hastened = isOpenCredit(after) && before.dueAtMs !== null && before.dueAtMs <= change.atMs;
      const dueAtMs = hastened ? before.dueAtMs : after.dueAtMs;
      const moved = { state, exception, transactionId, tries, dueAtMs, version: version + 1 };
      putNoted(journal, credits, id, { ...before, ...moved });
    }
  }
  return null;
};

export const moveDeposits: Write = ({ deposits }, changes, journal) => {
  for (const change of changes) {
    for (const { version, after } of change.deposits ?? []) {
      const { id, state, exception, transactionId, amountMinor, chainAtMs, tries, dueAtMs } = after;
      if (amountMinor <= 0n) return 'deposits_sound';
      const moved = {
        ...{ state, exception, transactionId, amountMinor, chainAtMs, tries, dueAtMs },
        version: version + 1,
      };
      putNoted(journal, deposits, id, { ...deposits.rows.get(id)!, ...moved });
    }
  }
  return null;
};

export const moveMovements: Write = ({ movements, groups }, changes, journal) => {
  for (const change of changes) {
    for (const { version, after } of change.movements ?? []) {
      const { id, state, reason, bankAccount, attempts, tries, dueAtMs, updatedAtMs } = after;
      const before = movements.rows.get(id)!;
      const destination = plain(after.destination);
      const moved = { state, reason, destination, bankAccount, attempts, tries, dueAtMs, updatedAtMs };
      const next = { ...before, ...moved, version: version + 1 };
      if (isAlive(next) && !isAlive(before) && next.transactionId !== null) {
        if (idsIn(groups.alive, next.transactionId).size > 0) return 'movements_one_alive';
      }
      putNoted(journal, movements, id, next);
    }
  }
  return null;
};

export const moveNotices: Write = ({ notices }, changes, journal) => {
  for (const change of changes) {
    for (const { version, after } of change.notices ?? []) {
      const { id, state, tries, dueAtMs } = after;
      putNoted(journal, notices, id, {
        ...notices.rows.get(id)!,
        ...{ state, tries, dueAtMs, version: version + 1 },
      });
    }
  }
  return null;
};
