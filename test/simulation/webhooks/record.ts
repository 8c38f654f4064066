// Records what settlement committed in a seed, with the times at which each commit began and became visible. Webhooks read what
// settlement wrote and never change it, so they run afterwards on this record, with their own clock.
import type { Change, TimelineEntry } from '../../../src/domain/records/change.ts';
import type { Movement } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import type { Model } from '../model/model.ts';
import type { Tables } from '../model/tables.ts';

/**
 * A row of the event log: an acceptance, or a line of the timeline, with the transaction as it was stored at that time. An
 * acceptance has no line.
 */
export interface LoggedRow {
  readonly transaction: Transaction;
  readonly line: TimelineEntry | null;
  /** The movement of the refund, if the row is about one; otherwise null. */
  readonly refund: Movement | null;
}

export interface LoggedCommit {
  readonly kind: 'commit';
  /** A commit gets its number when it begins, and may become visible much later. */
  readonly beganAtMs: number;
  readonly atMs: number;
  readonly rows: readonly LoggedRow[];
}

export type Logged = LoggedCommit | { readonly kind: 'backup' | 'restored'; readonly atMs: number };

export interface Recorder {
  readonly logged: readonly Logged[];
  begins(written: object): void;
  accepted(acceptance: Acceptance, tables: Tables): void;
  applied(change: Change, tables: Tables): void;
  /** Returns the same model, but records its backups. */
  watching(model: Model): Model;
}

export function makeRecorder(now: () => number): Recorder {
  const logged: Logged[] = [];
  const began = new WeakMap<object, number>();
  const add = (written: object, rows: readonly LoggedRow[]) => {
    const atMs = now();
    if (rows.length > 0) logged.push({ kind: 'commit', beganAtMs: began.get(written) ?? atMs, atMs, rows });
  };
  return {
    logged,
    begins: (written) => {
      began.set(written, now());
    },
    accepted: (acceptance, { transactions }) =>
      add(acceptance, [
        { transaction: transactions.get(acceptance.transaction.id)!, line: null, refund: null },
      ]),
    applied: (change, { transactions, movements }) =>
      add(
        change,
        (change.transactions ?? []).flatMap(({ after: { id }, line }): LoggedRow[] => {
          if (line === null) return [];
          const refund = line.reason === 'refund_made' ? String(line.evidence?.movement) : '';
          return [{ transaction: transactions.get(id)!, line, refund: movements.get(refund) ?? null }];
        }),
      ),
    watching: (model) => ({
      ...model,
      checkpoint: () => {
        const putBack = model.checkpoint();
        logged.push({ kind: 'backup', atMs: now() });
        return () => {
          putBack();
          logged.push({ kind: 'restored', atMs: now() });
        };
      },
    }),
  };
}
