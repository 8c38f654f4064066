// Tests the catalogue in memory. The catalogue must follow every change of the database, report when it cannot, and recover
// afterwards.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../../../test/http/helpers.ts';
import { BUSINESS, databaseWithKeys, KEY } from '../../../test/http/store-fixtures.ts';
import { limitMs } from '../../../test/support/patience.ts';
import { afterFile } from '../../../test/support/sharing/file-group.ts';
import { UNNAMED_FULL_KEY } from '../../domain/catalogue/secret-keys.ts';
import { makeBackOffice } from './back-office/back-office.ts';
import { openCatalogue, type PostgresCatalogue } from './catalogue.ts';
import type { Database } from './connection/database.ts';
import { waitUntilCurrent } from './connection/kept-snapshot.ts';

const { url, database } = await databaseWithKeys();
const backOffice = makeBackOffice(database);
const doing = { actor: 'test', atMs: Date.parse('2026-11-14T09:30:00Z') };
const connection = { connectionString: url };

async function open(of: Database = database, onError: (error: Error) => void = () => undefined) {
  const catalogue = openCatalogue(of, connection, onError);
  afterFile(() => catalogue.close());
  return catalogue;
}
const keyIn = (catalogue: PostgresCatalogue, id: string) =>
  catalogue.current()?.keysByHash.get(`hash of ${id}`);
const LISTENERS = `pg_stat_activity where application_name = 'sliproad-listen' and datname = current_database()`;
const listeners = async (): Promise<number[]> => {
  const { rows } = await database.query<{ pid: number }>({ text: `select pid from ${LISTENERS}` });
  return rows.map(({ pid }) => pid);
};
const killListeners = () => database.query({ text: `select pg_terminate_backend(pid) from ${LISTENERS}` });

const catalogue = await open();
await waitUntilCurrent(catalogue, limitMs('condition'));

test('a snapshot contains the key with its business, mode and default wallet', async () => {
  assert.deepEqual(keyIn(catalogue, KEY), {
    id: KEY,
    mode: 'test',
    scope: 'full',
    business: { id: BUSINESS, name: 'Fixture', linkTag: 'fixture', tier: 'standard', defaultWallets: {} },
    expiresAtMs: null,
  });
  const wallet = { network: 'Polygon', address: '0x1' };
  await backOffice.setDefaultWallet(BUSINESS, 'test', wallet, doing);
  const wallets = () => keyIn(catalogue, KEY)?.business.defaultWallets;
  await eventually(() => wallets()?.test !== undefined, 'the wallet is heard of');
  assert.deepEqual(wallets(), { test: wallet });
});

test('threat 70: a new key appears, a revoked key disappears, and an expired key is not read', async () => {
  const add = (id: string) =>
    backOffice.addKey(
      { id, businessId: BUSINESS, mode: 'test', hash: `hash of ${id}`, hint: 'sk', ...UNNAMED_FULL_KEY },
      doing,
    );
  await add('key_2');
  await eventually(() => keyIn(catalogue, 'key_2') !== undefined, 'the new key is heard of');
  assert.equal(await backOffice.revokeKey('key_2', doing), true);
  await eventually(
    () => catalogue.current() !== undefined && keyIn(catalogue, 'key_2') === undefined,
    'the revocation is heard of',
  );
  await add('key_3');
  await database.query({ text: `update api_keys set expires_at = now() where id = 'key_3'` });
  assert.equal((await catalogue.refresh()).keysByHash.get('hash of key_3'), undefined);
});

test('a refresh includes everything that was committed before its call, whatever the number of callers is', async () => {
  for (let i = 0; i < 10; i++) {
    const id = `vnd_${i}`;
    const number = `${1_000_000_000 + i}`;
    const vendor = { id, mode: 'test', name: id, number, bank: 'b', bankCode: 'b', active: true } as const;
    const others = [catalogue.refresh(), catalogue.refresh()];
    await backOffice.addVendor(vendor, doing);
    const snapshots = await Promise.all([catalogue.refresh(), catalogue.refresh(), catalogue.refresh()]);
    for (const { vendors } of snapshots) assert.ok(vendors.test.some((each) => each.id === id));
    await Promise.all(others);
  }
});

test('reads never overlap, even if a caller asks again as soon as its read ends', async () => {
  let [running, most] = [0, 0];
  const counted: Database = {
    ...database,
    transaction: async (work) => {
      most = Math.max(most, ++running);
      return database.transaction(work).finally(() => running--);
    },
  };
  const mine = await open(counted);
  await waitUntilCurrent(mine, limitMs('condition'));
  const again = mine.refresh().then(() => mine.refresh());
  await Promise.all([mine.refresh(), mine.refresh(), again]);
  assert.equal(most, 1);
});

test('each snapshot has a different generation, and lists only active vendors, separately for each mode', async () => {
  const before = await catalogue.refresh();
  await backOffice.changeVendor('vnd_0', { active: false }, { ...doing, atMs: doing.atMs + 5_000 });
  const later = await catalogue.refresh();
  assert.notEqual(before.generation, later.generation);
  assert.ok(before.vendors.test.some(({ id }) => id === 'vnd_0'));
  assert.ok(!later.vendors.test.some(({ id }) => id === 'vnd_0'));
  assert.deepEqual(later.vendors.live, []);
  assert.equal(later.vendorsUpdatedAtMs.test, doing.atMs + 5_000);
});

test('the catalogue is updated after changes of fees and limits', async () => {
  const fee = { businessId: null, product: 'buy', flatMinor: 1n, feeBps: 2, capMinor: null } as const;
  const stored = { ...fee, mode: 'live', fromMs: doing.atMs } as const;
  await backOffice.addFee(stored, doing);
  await eventually(() => catalogue.current()?.fees.live.size === 1, 'the fee is heard of');
  assert.deepEqual(catalogue.current()?.fees.live.get(null), [stored]);
  assert.equal(catalogue.current()?.fees.test.size, 0);
  const amounts = { perTransactionMinor: 10n ** 15n, perDayMinor: null, perMonthMinor: 1n };
  const limit = { businessId: BUSINESS, mode: 'test', ...amounts } as const;
  await backOffice.saveLimit(limit, doing);
  await eventually(() => catalogue.current()?.limits.length === 1, 'the limit is heard of');
  assert.deepEqual(catalogue.current()?.limits, [limit]);
});

test('threat 70: when the listening connection dies, the snapshot is out of date at once, and later it is current again', async () => {
  const events = new EventEmitter();
  const seen: unknown[] = [];
  const mine = await open(database, () => {
    // The listener has reported that its connection is down. From now on the catalogue must serve nothing from memory.
    queueMicrotask(() => {
      seen.push(mine.current());
      events.emit('down');
    });
  });
  await waitUntilCurrent(mine, limitMs('condition'));
  const down = once(events, 'down');
  await killListeners();
  await down;
  assert.deepEqual(seen, [undefined]);
  await backOffice.addKey(
    {
      id: 'key_while_down',
      businessId: BUSINESS,
      mode: 'test',
      hash: 'hash of key_while_down',
      hint: 'sk',
      ...UNNAMED_FULL_KEY,
    },
    doing,
  );
  // The listener may recover just before the test stores the key. Then the notification about the key arrives a moment later.
  await eventually(() => keyIn(mine, 'key_while_down') !== undefined, 'it knows what changed meanwhile');
  await eventually(() => catalogue.current() !== undefined, 'the other one listens again');
});

test('threat 70: a listener that dies during its first read does not count as listening', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  const slow: Database = {
    ...database,
    transaction: async (work) => {
      reads++;
      const result = await database.transaction(work);
      if (reads === 1) await held;
      return result;
    },
  };
  const mine = await open(slow);
  await eventually(() => reads === 1, 'the first read began');
  const before = await listeners();
  await killListeners();
  // When a new connection has replaced each old one, the process has noticed that the old connection died.
  await eventually(async () => {
    const now = await listeners();
    return now.length === before.length && !now.some((pid) => before.includes(pid));
  }, 'every listener has a successor');
  release();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(mine.current(), undefined);
  await eventually(() => mine.current() !== undefined, 'it recovers');
});

test('threat 70: a read that fails after a notification is repeated without another notification', async () => {
  const failures: Error[] = [];
  let failNext = false;
  const failing: Database = {
    ...database,
    transaction: async (work) => {
      if (!failNext) return database.transaction(work);
      failNext = false;
      throw new Error('the read failed');
    },
  };
  const mine = await open(failing, (error) => failures.push(error));
  await waitUntilCurrent(mine, limitMs('condition'));
  failNext = true;
  const key = {
    id: 'key_read_later',
    businessId: BUSINESS,
    mode: 'test',
    hint: 'sk',
    ...UNNAMED_FULL_KEY,
  } as const;
  await backOffice.addKey({ ...key, hash: 'hash of key_read_later' }, doing);
  await eventually(() => keyIn(mine, 'key_read_later') !== undefined, 'the repeated read contains the key');
  assert.deepEqual(
    failures.map(({ message }) => message),
    ['the read failed'],
  );
});

test('every process is notified of a pause', async () => {
  const other = await open();
  await waitUntilCurrent(other, limitMs('condition'));
  await backOffice.setMovementsPaused(true, 'test', doing);
  for (const each of [catalogue, other]) {
    await eventually(() => each.current()?.movementsPaused === true, 'the pause is heard of');
  }
});
