// Checks records. Each transition is allowed by the state table and is in the timeline, and a credit pays only one transaction.
// Every recorded receipt really arrived, and no rule chooses between equal claims.
import type { Change, MatchRecord, TransactionMove } from '../../../src/domain/records/change.ts';
import type { BankCredit } from '../../../src/domain/records/credit.ts';
import type { Deposit } from '../../../src/domain/records/deposit.ts';
import { canMove, type TransactionState } from '../../../src/domain/records/states.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import type { WatchParts } from './watch-parts.ts';

const OPEN: ReadonlySet<TransactionState> = new Set<TransactionState>([
  'awaiting_payment',
  'awaiting_wallet',
]);

export interface RecordsWatch {
  accepted(acceptance: Acceptance): void;
  applied(change: Change): void;
  restored(): void;
}

export function watchRecords(parts: WatchParts): RecordsWatch {
  const { tables, broken } = parts;
  const states = new Map<string, TransactionState>();
  const paidBy = new Map<string, string>();
  const moved = ({ after, line }: TransactionMove) => {
    const { id, type, state } = after;
    const from = states.get(id);
    states.set(id, state);
    const to = line?.to ?? from;
    const isInTimeline = line === null || line.from === from;
    if (!isInTimeline || state !== to)
      broken(
        'every move is in the timeline',
        `${id}: ${from} to ${state}, the timeline says ${line?.from} to ${to}`,
        id,
      );
    if (from !== state && !canMove(type, from!, state))
      broken('only the moves of the table are made', `${id}: ${from} to ${state}`, id);
  };
  const credited = ({ id, state, transactionId }: BankCredit) => {
    if (state !== 'matched') return;
    const before = paidBy.get(id);
    if (before !== undefined && before !== transactionId)
      broken('one credit pays at most one transaction', `${id} pays ${before} and ${transactionId}`, id);
    paidBy.set(id, transactionId!);
  };
  return {
    accepted: ({ transaction }) => {
      states.set(transaction.id, transaction.state);
    },
    restored: () => {
      states.clear();
      paidBy.clear();
      for (const { id, state } of tables().transactions.values()) states.set(id, state);
      for (const credit of tables().credits.values()) credited(credit);
    },
    applied: (change) => {
      for (const move of change.transactions ?? []) moved(move);
      for (const { after } of change.credits ?? []) credited(after);
      for (const credit of change.newCredits ?? [])
        if (!isKnownLine(parts, credit))
          broken('every credit is one the bank reported', credit.sourceId, credit.id);
      for (const deposit of change.newDeposits ?? [])
        if (!isKnownArrival(parts, deposit))
          broken('every deposit is one that arrived', deposit.txHash, deposit.id);
    },
  };
}

function isKnownLine({ happened }: WatchParts, credit: BankCredit): boolean {
  if (credit.parentId !== null) return true;
  return happened().lines.some(
    ({ line }) =>
      line.kind === 'credit' &&
      line.sourceId === credit.sourceId &&
      line.amountMinor === credit.amountMinor &&
      line.accountNumber === credit.accountNumber,
  );
}

function isKnownArrival({ happened }: WatchParts, deposit: Deposit): boolean {
  return happened().arrivals.some(
    ({ txHash, amountMinor }) => txHash === deposit.txHash && amountMinor === deposit.amountMinor,
  );
}

/** If two businesses or two wallets expect the same payment, and no data shows the owner, no rule may choose between them. */
export function noGuess({ tables, broken }: WatchParts, match: MatchRecord): void {
  const { creditId, transactionId, candidates, actor } = match;
  if (transactionId === null || actor !== 'matching') return;
  const credit = tables().credits.get(creditId)!;
  const chosen = tables().transactions.get(transactionId)!;
  const rival = candidates.find(({ transactionId: id }) => {
    const other = tables().transactions.get(id)!;
    return (
      (other.businessId !== chosen.businessId || other.wallet?.address !== chosen.wallet?.address) &&
      other.amountMinor === chosen.amountMinor &&
      other.accountNumber === chosen.accountNumber &&
      other.accountName === chosen.accountName &&
      OPEN.has(other.state)
    );
  });
  if (rival !== undefined && credit.narration === null)
    broken(
      'the service never guesses between two businesses, or two wallets',
      `${creditId} pays ${transactionId} and might have paid ${rival.transactionId}`,
      transactionId,
    );
}
