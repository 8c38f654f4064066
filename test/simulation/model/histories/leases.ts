// The allowed results of a lease. Of several records due at the same time any may be first, so if the limit cuts between them the
// model follows PostgreSQL; everything else about a lease is determined.
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
  /** The groups it takes from, one after the other. */
  readonly lots: readonly (readonly string[] | undefined)[];
}

export function leaseOf({ verb, given }: Operation): Lease | undefined {
  const queue = QUEUES[verb];
  if (queue === undefined) return undefined;
  const request = given.at(-1) as LeaseRequest;
  const states = given.length === 2 ? (given[0] as readonly string[]) : undefined;
  // Transactions are leased state by state, movements of all states together.
  const lots = queue === 'transactions' ? states!.map((state) => [state]) : [states];
  return { queue, request, lots };
}

/** The due records, oldest first, in each group. */
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

/** Whether the limit cuts between records that are due at the same time. */
export function isTied(tables: Tables, lease: Lease): boolean {
  let left = lease.request.limit;
  for (const due of dueFor(tables, lease)) {
    if (left > 0 && left < due.length) return due[left - 1]!.dueAtMs === due[left]!.dueAtMs;
    left -= Math.min(left, due.length);
  }
  return false;
}

/** Leases in the model what PostgreSQL leased, if that is allowed; returns whether there was a choice. */
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

/** Leases in the model what PostgreSQL returned, which must equal the model's records. */
function take(model: Model, { queue, request }: Lease, answered: readonly Queued[]): void {
  for (const each of answered) {
    const row = (model.tables[queue] as ReadonlyMap<string, Queued>).get(each.id)!;
    assert.deepEqual(each, leased(row, request.atMs + request.leaseMs));
    model.core.put(queue, each);
  }
}
