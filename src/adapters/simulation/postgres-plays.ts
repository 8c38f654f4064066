// Stores plays in PostgreSQL. A play is the scenario of a test transaction and the step that the scenario has reached. A
// process claims a play with a lease, moves it only if its version has not changed since the claim, and finds it by its
// transaction. The rows are inserted together with the transactions (adapters/postgres/accept/accept-batch.ts).
import type { Play, Scenario } from '../../ports/sandbox.ts';
import { type ArrayColumn, columnArrays } from '../postgres/connection/column-arrays.ts';
import type { Database } from '../postgres/connection/database.ts';
import { makeGroupCommit } from '../postgres/connection/group-commit.ts';
import { makeSharedReads } from './postgres-rows.ts';
import type { SimulatedWorld } from './simulated-world.ts';

// The statement is written so that the planner always uses the key, even if it estimates the size of the table wrongly.
const CLAIM = `
update simulated_plays set version = version + 1, due_at = to_timestamp(($1::float8 + $2::float8) / 1000)
where transaction_id = any(array(
  select transaction_id from simulated_plays where due_at <= to_timestamp($1::float8 / 1000)
  order by due_at limit $3 for update skip locked))
returning transaction_id, scenario, step, version`;

interface PlayMove {
  readonly play: Play;
  readonly next: { readonly step: number; readonly dueAtMs: number } | null;
}

const MOVE_COLUMNS: readonly ArrayColumn<PlayMove>[] = [
  ['transaction_id', 'text', ({ play }) => play.transactionId],
  ['version', 'integer', ({ play }) => play.version.toString()],
  ['step', 'integer', ({ play, next }) => (next?.step ?? play.step).toString()],
  ['due_ms', 'float8', ({ next }) => next?.dueAtMs.toString() ?? null],
];

const MOVE = `
update simulated_plays p
set step = i.step, version = p.version + 1, due_at = to_timestamp(i.due_ms / 1000)
from unnest(${MOVE_COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
  as i(transaction_id, version, step, due_ms)
where p.transaction_id = any($1) and p.transaction_id = i.transaction_id and p.version = i.version`;

const SCENARIO = `
select k.place, p.scenario from unnest($1::text[]) with ordinality as k(id, place)
cross join lateral (select scenario from simulated_plays where transaction_id = k.id limit 1) p`;

export function makePostgresPlays(database: Database): SimulatedWorld['plays'] & { drain(): Promise<void> } {
  const moves = makeGroupCommit<PlayMove, void>({
    write: async (batch) => {
      await database.query({ name: 'plays-move', text: MOVE, values: columnArrays(MOVE_COLUMNS, batch) });
      return batch.map(() => undefined);
    },
    keysOf: ({ play }) => [play.transactionId],
    maxBatch: 500,
    lanes: 1,
    patienceMs: 0,
  });
  const scenarios = makeSharedReads<string, Scenario>(
    database,
    'plays-scenario',
    SCENARIO,
    [['id', 'text', (id) => id]],
    (raw) => raw.scenario,
  );
  return {
    lease: async ({ atMs, leaseMs, limit }) => {
      const { rows } = await database.query<{
        transaction_id: string;
        scenario: Scenario;
        step: number;
        version: number;
      }>({ name: 'plays-claim', text: CLAIM, values: [atMs, leaseMs, limit] });
      return rows.map(({ transaction_id, ...play }) => ({ transactionId: transaction_id, ...play }));
    },
    move: (play, next) => moves.submit({ play, next }),
    scenarioOf: (transactionId) => scenarios.submit(transactionId),
    walletAskedAtMs: async (transactionId, atMs) => {
      const { rows } = await database.query<{ asked: string }>({
        name: 'plays-wallet-asked',
        text: `update simulated_plays set wallet_asked_at_ms = coalesce(wallet_asked_at_ms, $2)
          where transaction_id = $1 returning wallet_asked_at_ms as asked`,
        values: [transactionId, atMs],
      });
      return rows[0] === undefined ? atMs : Number(rows[0].asked);
    },
    drain: () => moves.drain(),
  };
}
