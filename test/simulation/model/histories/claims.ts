// What a claim may answer. Of several that are due at the same time any may go first, so where the limit cuts between
// them the model follows PostgreSQL; everything else about a claim is foretold.
import assert from 'node:assert/strict';
import type { ClaimRequest } from '../../../../src/ports/store.ts';
import type { Model, QueueName } from '../model.ts';
import type { Queued } from '../queues.ts';
import type { Operation } from './operation.ts';

const QUEUES: Readonly<Record<string, QueueName>> = {
  claimTransactions: 'transactions',
  claimCredits: 'credits',
  claimDeposits: 'deposits',
  claimMovements: 'movements',
  claimNotices: 'notices',
};

export interface Claim {
  readonly queue: QueueName;
  readonly request: ClaimRequest;
  /** The lots it takes from, one after the other. */
  readonly lots: readonly (readonly string[] | undefined)[];
}

export function claimOf({ verb, given }: Operation): Claim | undefined {
  const queue = QUEUES[verb];
  if (queue === undefined) return undefined;
  const request = given.at(-1) as ClaimRequest;
  const states = given.length === 2 ? (given[0] as readonly string[]) : undefined;
  // Transactions are taken state by state, movements of all states together.
  const lots = queue === 'transactions' ? states!.map((state) => [state]) : [states];
  return { queue, request, lots };
}

/** What is due, oldest first, in each lot. */
export function dueFor(model: Model, { queue, request, lots }: Claim): Queued[][] {
  const rows = [
    ...(model.tables[queue] as ReadonlyMap<string, Queued & { readonly state: string }>).values(),
  ];
  return lots.map((states) =>
    rows
      .filter(
        ({ dueAtMs, state }) =>
          dueAtMs !== null && dueAtMs <= request.atMs && (states?.includes(state) ?? true),
      )
      .sort((a, b) => a.dueAtMs! - b.dueAtMs!),
  );
}

/** Takes in the model what PostgreSQL took, when that is what a claim may take; answers whether there was a choice. */
export function followClaim(model: Model, claim: Claim, told: readonly Queued[]): boolean {
  const { queue, request } = claim;
  const taken = new Set(told.map(({ id }) => id));
  let left = request.limit;
  let choice = false;
  for (const due of dueFor(model, claim)) {
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
  const mine = told.map(({ id }) => id);
  const leased = model.core.lease(queue, mine, request.atMs + request.leaseMs);
  assert.deepEqual(told, leased);
  return choice;
}
