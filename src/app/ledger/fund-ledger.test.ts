// Tests how an operator adds funds to the books of a real database, with an entry in the audit log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { makeLedgerAudit } from '../../adapters/postgres/ledger/audit.ts';
import { makePostgresStore } from '../../adapters/postgres/store.ts';
import type { Network, Networks } from '../../ports/networks/network.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { type FundLedgerDeps, fundLedger } from './fund-ledger.ts';

const database = openTestDatabase(await freshDatabase());
const store = makePostgresStore(database);
const ledgerAudit = makeLedgerAudit(database);
const deps: FundLedgerDeps = {
  store,
  ledgerAudit,
  networks: {
    enabled: () => [{ name: 'Net', asset: { code: 'TKN', decimals: 6 }, native: null } as Network],
  } as unknown as Networks,
  clock: { now: () => NOW },
  entropy: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  actor: 'cli:ada',
};

test('naira and tokens are posted in minor units, with the person who did it', async () => {
  const naira = await fundLedger(deps, { mode: 'test', asset: 'NGN', amount: '1500.5' });
  const tokens = await fundLedger(deps, { mode: 'test', asset: 'TKN@Net', amount: '0.000001' });
  assert.ok(naira.ok && tokens.ok);
  assert.deepEqual([naira.value.amountMinor, tokens.value.amountMinor], [150_050n, 1n]);
  assert.deepEqual(
    await store.balances(['test/NGN/bank_out', 'test/TKN@Net/treasury']),
    new Map([
      ['test/NGN/bank_out', 150_050n],
      ['test/TKN@Net/treasury', 1n],
    ]),
  );
  const [entry] = await ledgerAudit.explain(naira.value.id);
  assert.equal(entry?.event, 'float_funded');
  const { rows } = await database.query<{ actor: string; action: string; detail: { id: string } }>({
    text: 'select actor, action, detail from audit_log order by no',
  });
  assert.deepEqual(
    rows.map(({ actor, action, detail }) => [actor, action, detail.id]),
    [
      ['cli:ada', 'ledger_funded', naira.value.id],
      ['cli:ada', 'ledger_funded', tokens.value.id],
    ],
  );
});

test('an invalid amount or asset posts nothing', async () => {
  for (const amount of ['0', '-1', '1e3', '1.005', '', ' 1', '1.', '0.00', '9'.repeat(30)]) {
    assert.equal((await fundLedger(deps, { mode: 'test', asset: 'NGN', amount })).ok, false, amount);
  }
  const unknown = await fundLedger(deps, { mode: 'test', asset: 'TKN@Moon', amount: '1' });
  assert.ok(!unknown.ok && unknown.error.includes('NGN, TKN@Net'));
});

test('a lost response is reported as unknown, and the error says where to check', async () => {
  const lost: FundLedgerDeps = {
    ...deps,
    store: {
      ...store,
      commit: () => Promise.reject(new StoreUnavailable('cut', { mayHaveActed: true })),
    },
  };
  const result = await fundLedger(lost, { mode: 'test', asset: 'NGN', amount: '1' });
  assert.ok(!result.ok);
  assert.match(result.error, /ledger explain fund_/);
});

test('threat 112: tokens on an observed network are booked when they are seen, and one person can never book live tokens', async () => {
  const native = { asset: 'COIN', decimals: 18 };
  const real = [{ name: 'Real', asset: { code: 'TKN', decimals: 6 }, native } as Network];
  const watched = { ...deps, networks: { enabled: () => real } as unknown as Networks };
  const given = { mode: 'live', asset: 'TKN@Real', amount: '5' } as const;
  const refused = await fundLedger(watched, given);
  assert.ok(!refused.ok && /count them twice/.test(refused.error));
  assert.equal((await store.balances(['live/TKN@Real/treasury'])).size, 0);
  const alone = await fundLedger(watched, { ...given, unseen: true });
  assert.ok(!alone.ok && /Two people must book live tokens/.test(alone.error));
  assert.equal((await store.balances(['live/TKN@Real/treasury'])).size, 0);
  assert.ok((await fundLedger(watched, { ...given, mode: 'test', unseen: true })).ok);
  assert.equal((await store.balances(['test/TKN@Real/treasury'])).get('test/TKN@Real/treasury'), 5_000_000n);
});
