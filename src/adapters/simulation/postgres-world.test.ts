// Tests the simulated world on a real PostgreSQL. Logs lose no line when commits are out of order, the first row with a key is
// kept, and only one process at a time leases a play.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { until } from '../../../test/support/patience.ts';
import type { Database } from '../postgres/connection/database.ts';
import { openPostgresWorld } from './postgres-world.ts';
import type { WorldArrival, WorldStatementRow, WorldTransfer } from './simulated-world.ts';

const url = await freshDatabase();
const database = openTestDatabase(url);
const world = openPostgresWorld(database);
let made = 0;

const line = (sourceId = `credit-${++made}`): WorldStatementRow => ({
  copy: 1,
  reportedAtMs: 0,
  line: {
    kind: 'credit',
    sourceId,
    accountNumber: '1234567890',
    accountBankCode: null,
    amountMinor: 1n,
    payerAccount: null,
    payerName: null,
    payerBankName: null,
    narration: null,
    sessionId: null,
    valueAtMs: 0,
    raw: {},
  },
});
const arrival = (id = `deposit-${++made}`): WorldArrival => ({
  id,
  network: 'N',
  txHash: `hash of ${id}`,
  txIndex: 0,
  address: 'a',
  memo: null,
  sender: null,
  ourToken: true,
  amountMinor: 10n ** 30n,
  fate: 'settles',
  atMs: 0,
  settledAtMs: 1,
});
const transfer = (orderId = `mov_${++made}`, changes: Partial<WorldTransfer> = {}): WorldTransfer => ({
  orderId,
  hash: `hash of ${orderId}`,
  network: 'N',
  about: null,
  address: 'a',
  amountMinor: 5n,
  fate: 'lands',
  atMs: 1,
  includedAtMs: 2,
  finalAtMs: 3,
  ...changes,
});

/** Rows written through this database stay uncommitted until the test calls `commit`. */
async function undecided(): Promise<{ database: Database; commit(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  const own = { ...database, query: (query: pg.QueryConfig) => client.query(query) } as Database;
  return {
    database: own,
    commit: async () => {
      await client.query('commit');
      await client.end();
    },
  };
}

async function isWaitedForLock(): Promise<boolean> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await database.query({ text })).rowCount !== 0;
}

test('logs: a line that is committed late is not skipped, even if other lines are appended in the meantime', async () => {
  for (const log of [
    {
      append: (at: typeof world, id: string) => at.statement.put(line(id)),
      after: async (position: number) =>
        (await world.statement.after(position, 1_000)).map((row) => ({ ...row, id: row.line.sourceId })),
    },
    {
      append: (at: typeof world, id: string) => at.arrivals.put(arrival(id)),
      after: (position: number) => world.arrivals.after('N', position, 1_000),
    },
  ]) {
    const slow = await undecided();
    const start = (await log.after(0)).at(-1)?.position ?? 0;
    await log.append(openPostgresWorld(slow.database), 'slow');
    let quickIsDone = false;
    const quick = log.append(world, 'quick').then(() => {
      quickIsDone = true;
    });
    await until('the quick one waits', async () => quickIsDone || (await isWaitedForLock()));
    assert.equal(quickIsDone, false, 'a later number waits for the earlier one');
    assert.deepEqual(await log.after(start), []);
    await slow.commit();
    await quick;
    assert.deepEqual(
      (await log.after(start)).map(({ id }) => id),
      ['slow', 'quick'],
    );
  }
});

test('logs: while three processes write, a reader sees every line once and in order', async () => {
  const start = (await world.statement.after(0, 1_000)).at(-1)?.position ?? 0;
  const writers = Array.from({ length: 3 }, () => openPostgresWorld(openTestDatabase(url, 2)));
  const wanted = new Set<string>();
  let writing = true;
  const written = Promise.all(
    writers.map(async (writer) => {
      for (let round = 0; round < 20; round++) {
        const rows = Array.from({ length: 1 + (round % 7) }, () => line());
        for (const row of rows) wanted.add(row.line.sourceId);
        await Promise.all(rows.map((row) => writer.statement.put(row)));
      }
    }),
  ).finally(() => {
    writing = false;
  });
  const seen: string[] = [];
  let position = start;
  for (let more = true; more; ) {
    more = writing;
    const rows = await world.statement.after(position, 1_000);
    assert.ok(rows.every((row, index) => row.position > (rows[index - 1]?.position ?? position)));
    seen.push(...rows.map((row) => row.line.sourceId));
    position = rows.at(-1)?.position ?? position;
  }
  await written;
  assert.equal(seen.length, wanted.size);
  assert.deepEqual(new Set(seen), wanted);
});

test('the first row with a key is kept, even if another process inserts one at the same time', async () => {
  const other = openPostgresWorld(openTestDatabase(url, 2));
  const fates = ['lands', 'expired'] as const;
  for (let round = 0; round < 20; round++) {
    const orders = Array.from({ length: 20 }, () => `mov_${++made}`);
    const [ours, theirs] = await Promise.all([
      Promise.all(orders.map((id) => world.transfers.put([transfer(id, { fate: fates[0] })]))),
      Promise.all(orders.toReversed().map((id) => other.transfers.put([transfer(id, { fate: fates[1] })]))),
    ]);
    const theirsInOrder = theirs.toReversed().flat();
    for (const [index, row] of ours.flat().entries()) {
      assert.equal(row.fate, theirsInOrder[index]!.fate);
      assert.deepEqual([row.tries, theirsInOrder[index]!.tries].toSorted(), [1, 2]);
    }
  }
});

test('rows that are inserted together all come from the same process, even if another process inserts them in another order', async () => {
  const other = openPostgresWorld(openTestDatabase(url, 2));
  for (let round = 0; round < 20; round++) {
    const hashes = Array.from({ length: 10 }, () => `hash ${++made}`);
    const together = (hash: string, fate: WorldTransfer['fate']) =>
      Array.from({ length: 5 }, (_, index) => transfer(`mov ${4 - index} of ${hash}`, { hash, fate }));
    const [ours, theirs] = await Promise.all([
      Promise.all(hashes.map((hash) => world.transfers.put(together(hash, 'lands')))),
      Promise.all(
        hashes.toReversed().map((hash) => other.transfers.put(together(hash, 'expired').toReversed())),
      ),
    ]);
    for (const [index, rows] of ours.entries()) {
      const known = theirs.toReversed()[index]!.toReversed();
      assert.deepEqual(
        rows.map(({ orderId, fate }) => [orderId, fate]),
        known.map(({ orderId, fate }) => [orderId, fate]),
      );
      assert.equal(new Set(rows.map(({ fate }) => fate)).size, 1, 'one fate for one hash');
    }
  }
});

test('rows that are inserted together share one statement, even if many other rows are inserted', async () => {
  const statements: string[] = [];
  const spied = {
    ...database,
    query: (query: pg.QueryConfig) => {
      if (query.name === 'simulated_transfers-put') statements.push(query.values![1] as string);
      return database.query(query);
    },
  } as Database;
  const hashes = Array.from({ length: 701 }, () => `hash ${++made}`);
  const own = openPostgresWorld(spied);
  const together = (hash: string) => ['a', 'b', 'c'].map((id) => transfer(`${id} of ${hash}`, { hash }));
  await Promise.all(hashes.map((hash) => own.transfers.put(together(hash))));
  assert.ok(statements.length > 1);
  for (const hash of hashes) {
    const holding = statements.map((text) => text.split(`"${hash}"`).length - 1);
    assert.deepEqual(
      holding.filter((count) => count > 0),
      [3],
    );
  }
});

test('rows are read back unchanged by their keys', async () => {
  const rows = Array.from({ length: 50 }, () => transfer(undefined, { about: `O'Neil "\\{},NULL 😀` }));
  await Promise.all(rows.map((row) => world.transfers.put([row])));
  const found = await Promise.all(
    [...rows, { orderId: 'no such order', hash: '' }].map(({ orderId, hash }) =>
      world.transfers.find({ orderId, hash }),
    ),
  );
  assert.deepEqual(found, [...rows.map((row) => ({ ...row, tries: 1 })), undefined]);
  const big = await world.arrivals.put(arrival());
  const { network, txHash, txIndex } = big;
  assert.deepEqual(await world.arrivals.find({ network, txHash, txIndex }), big);
});

test('an invalid row fails without failing other rows of the batch', async () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    transfer(undefined, { address: index === 17 ? 'NUL \u0000' : 'a' }),
  );
  const outcomes = await Promise.allSettled(rows.map((row) => world.transfers.put([row])));
  const failed = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  assert.deepEqual(failed, [17]);
  const [sound, poisoned, beside] = ['a', 'NUL \u0000', 'a'].map((address) =>
    transfer(undefined, { address }),
  );
  const put = await Promise.allSettled([
    world.transfers.put([sound!]),
    world.transfers.put([beside!, poisoned!]),
  ]);
  assert.deepEqual(
    put.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.equal(await world.transfers.find(beside!), undefined, 'what is put together fails together');
});

test('settled amounts are summed by network and time', async () => {
  const put = (changes: Partial<WorldTransfer>) =>
    world.transfers.put([transfer(undefined, { network: 'Sum', ...changes })]);
  await Promise.all([
    put({}),
    put({ fate: 'reorganised' }),
    put({ fate: 'fails' }),
    put({ fate: 'dropped' }),
    put({ fate: 'unpaid' }),
  ]);
  await put({ finalAtMs: 100 });
  await world.arrivals.put({ ...arrival(), network: 'Sum', amountMinor: 7n });
  await world.arrivals.put({ ...arrival(), network: 'Sum', fate: 'gone' });
  await world.arrivals.put({ ...arrival(), network: 'Sum', ourToken: false });
  assert.deepEqual(await world.settledMinor('Sum', 50), { out: 10n, in: 7n });
  assert.deepEqual(await world.settledMinor('Sum', 100), { out: 15n, in: 7n });
  assert.deepEqual(await world.settledMinor('Sum', 0), { out: 0n, in: 0n });
});

test('scenarios: a due scenario is leased once, moves only with its current version, and can end', async () => {
  await database.query({
    text: `insert into simulated_plays (transaction_id, scenario, due_at)
      select 'txn_' || i, 'paid', to_timestamp(i) from generate_series(1, 40) i`,
  });
  const other = openPostgresWorld(openTestDatabase(url, 2));
  const request = { atMs: 30_000, leaseMs: 60_000, limit: 20 };
  const claims = (await Promise.all([world.plays.lease(request), other.plays.lease(request)])).flat();
  assert.equal(new Set(claims.map(({ transactionId }) => transactionId)).size, claims.length);
  const rest = await world.plays.lease(request);
  assert.equal(claims.length + rest.length, 30, 'ten are not due');
  assert.deepEqual(await world.plays.lease(request), []);

  const [ended, moved, overtaken] = claims as [(typeof claims)[0], (typeof claims)[0], (typeof claims)[0]];
  await Promise.all([
    world.plays.move(ended, null),
    world.plays.move(moved, { step: 1, dueAtMs: 30_500 }),
    world.plays.move({ ...overtaken, version: overtaken.version - 1 }, { step: 9, dueAtMs: 0 }),
  ]);
  const again = await world.plays.lease({ ...request, atMs: 30_500, limit: 1 });
  assert.deepEqual(again, [{ ...moved, step: 1, version: moved.version + 2 }]);
  const later = await world.plays.lease({ ...request, atMs: 90_000, limit: 100 });
  assert.ok(later.every(({ step }) => step === 0));
  assert.ok(!later.some(({ transactionId }) => transactionId === ended.transactionId));
  assert.deepEqual(await Promise.all([world.plays.scenarioOf('txn_1'), world.plays.scenarioOf('txn_0')]), [
    'paid',
    undefined,
  ]);
  assert.equal(await world.plays.walletAskedAtMs('txn_1', 5), 5);
  assert.equal(await other.plays.walletAskedAtMs('txn_1', 9), 5);
});
