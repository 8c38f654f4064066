// Decides which results of a lease are allowed. If several records are due at the same time, any of them may be first. If the
// limit allows only some of them, the model leases the same records as PostgreSQL. Everything else about a lease is determined.
import assert from 'node:assert/strict';
import type { LeaseRequest } from '../../../../src/ports/store/queues.ts';
import type { Model, QueueName } from '../model.ts';
import { leased, type Queued } from '../queues.ts';
import type { Tables } from '../tables.ts';
import type { Operation } from './operation.ts';

const QUEUES: Readonly<Record<string, QueueName>> = {
  leaseTransactions: 'transactions',
  leaseCredits: 'credits',
  leaseDeposits: 'deposits',
  leaseMovements: 'movements',
  leaseNotices: 'notices',
  leaseReports: 'reports',
};

export interface Lease {
  readonly queue: QueueName;
  readonly request: LeaseRequest;
  /** The lease takes records from these groups, one group after the other. */
  readonly lots: readonly (readonly string[] | undefined)[];
}

export function leaseOf({ verb, given }: Operation): Lease | undefined {
  const queue = QUEUES[verb];
  if (queue === undefined) return undefined;
  const request = given.at(-1) as LeaseRequest;
  const states = given.length === 2 ? (given[0] as readonly string[]) : undefined;
  // Transactions are leased state by state; movements of all states are leased together.
  const lots = queue === 'transactions' ? states!.map((state) => [state]) : [states];
  return { queue, request, lots };
}

export function dueFor(tables: Tables, { queue, request, lots }: Lease): Queued[][] {
  const rows = [...(tables[queue] as ReadonlyMap<string, Queued & { readonly state: string }>).values()];
  return lots.map((states) =>
    rows
      .filter(
        ({ dueAtMs, state }) =>
          dueAtMs !== null && dueAtMs <= request.atMs && (states?.includes(state) ?? true),
      )
      .sort((a, b) => a.dueAtMs! - b.dueAtMs!),
  );
}

/** Whether the limit allows only some of the records that are due at the same time. */
export function isTied(tables: Tables, lease: Lease): boolean {
  let left = lease.request.limit;
  for (const due of dueFor(tables, lease)) {
    if (left > 0 && left < due.length) return due[left - 1]!.dueAtMs === due[left]!.dueAtMs;
    left -= Math.min(left, due.length);
  }
  return false;
}

/** Leases in the model the records that PostgreSQL leased, if that is allowed. Returns whether PostgreSQL had a choice. */
export function followLease(model: Model, lease: Lease, answered: readonly Queued[]): boolean {
  const taken = new Set(answered.map(({ id }) => id));
  let left = lease.request.limit;
  let choice = false;
  for (const due of dueFor(model.tables, lease)) {
    const mine = due.filter(({ id }) => taken.has(id));
    assert.equal(mine.length, Math.min(left, due.length), `of ${due.length} due, ${left} were wanted`);
    const rest = due.filter(({ id }) => !taken.has(id));
    const [last, first] = [mine.at(-1)?.dueAtMs ?? null, rest[0]?.dueAtMs ?? null];
    if (last !== null && first !== null) {
      assert.ok(last <= first, 'something older was left behind');
      choice ||= last === first;
    }
    left -= mine.length;
  }
  take(model, lease, answered);
  return choice;
}

/** Leases in the model the records that PostgreSQL returned. They must equal the model's records. */
function take(model: Model, { queue, request }: Lease, answered: readonly Queued[]): void {
  for (const each of answered) {
    const row = (model.tables[queue] as ReadonlyMap<string, Queued>).get(each.id)!;
    assert.deepEqual(each, leased(row, request.atMs + request.leaseMs));
    model.core.put(queue, each);
  }
}
