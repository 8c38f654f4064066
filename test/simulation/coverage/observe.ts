// Derives from the store's commits which pairs of a state and an event a seed reaches: the kind and state of a record, and what
// happened to the record in that state.
import type { Entry } from '../../../src/domain/ledger/ledger.ts';
import type { Change, TransactionMove } from '../../../src/domain/records/change.ts';
import type { Movement } from '../../../src/domain/records/movement.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import type { Tables } from '../model/tables.ts';
import { moveTo, NONE, pairOf, postedAnywhere } from './pairs.ts';

export interface Observer {
  accepted(acceptance: Acceptance): void;
  applied(change: Change): void;
  /** The store was restored from a backup, so records continue from the states that they have in the backup. */
  restored(tables: Tables): void;
  readonly pairs: ReadonlySet<string>;
}

export function makeObserver(): Observer {
  const pairs = new Set<string>();
  const kinds = new Map<string, string>();
  const states = new Map<string, string>();

  const moved = (id: string, kind: string, to: string) => {
    pairs.add(pairOf(kind, states.get(id) ?? NONE, moveTo(to)));
    kinds.set(id, kind);
    states.set(id, to);
  };
  const transactionMoved = ({ after, line }: TransactionMove) => {
    if (line === null) return;
    if (line.from === line.to) pairs.add(pairOf(after.type, line.from, `stays: ${line.reason}`));
    else moved(after.id, after.type, line.to);
  };
  /** Adds the pair with the subject's state before this change. An entry without postings does not count. */
  const posted = ({ event, subjectId, postings }: Entry) => {
    if (postings.length === 0) return;
    pairs.add(postedAnywhere(event));
    const kind = kinds.get(subjectId);
    if (kind !== undefined) pairs.add(pairOf(kind, states.get(subjectId) ?? NONE, event));
  };

  return {
    pairs,
    accepted: ({ transaction }) => moved(transaction.id, transaction.type, transaction.state),
    applied: (change) => {
      for (const { id } of change.newCredits ?? []) kinds.set(id, 'credit');
      for (const movement of change.newMovements ?? []) kinds.set(movement.id, shapeOf(movement));
      for (const entry of change.entries ?? []) posted(entry);
      for (const move of change.transactions ?? []) transactionMoved(move);
      for (const { id, state } of change.newCredits ?? []) moved(id, 'credit', state);
      for (const { after } of change.credits ?? []) moved(after.id, 'credit', after.state);
      for (const { id, state } of change.newDeposits ?? []) moved(id, 'deposit', state);
      for (const { after } of change.deposits ?? []) moved(after.id, 'deposit', after.state);
      for (const { id, state } of change.newNotices ?? []) moved(id, 'notice', state);
      for (const { after } of change.notices ?? []) moved(after.id, 'notice', after.state);
      for (const movement of change.newMovements ?? []) moved(movement.id, shapeOf(movement), movement.state);
      for (const { after } of change.movements ?? []) moved(after.id, shapeOf(after), after.state);
      for (const { movementId, no, state } of change.attempts ?? [])
        moved(`${movementId} ${no}`, `attempt at a ${kinds.get(movementId)}`, state);
    },
    restored: ({ transactions, credits, deposits, notices, movements, attempts }) => {
      kinds.clear();
      states.clear();
      const known = (id: string, kind: string, state: string) => {
        kinds.set(id, kind);
        states.set(id, state);
      };
      for (const { id, type, state } of transactions.values()) known(id, type, state);
      for (const { id, state } of credits.values()) known(id, 'credit', state);
      for (const { id, state } of deposits.values()) known(id, 'deposit', state);
      for (const { id, state } of notices.values()) known(id, 'notice', state);
      for (const movement of movements.values()) known(movement.id, shapeOf(movement), movement.state);
      for (const { movementId, no, state } of [...attempts.values()].flat())
        known(`${movementId} ${no}`, `attempt at a ${kinds.get(movementId)}`, state);
    },
  };
}

/** A bank refund and a token refund are different kinds here. */
function shapeOf({ kind, network }: Movement): string {
  if (kind !== 'refund') return kind;
  return network === null ? 'bank refund' : 'token refund';
}
