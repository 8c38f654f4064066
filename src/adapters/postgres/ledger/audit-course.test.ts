// Tests the ledger audit while the service runs. During commits the audit never reports a correct ledger as wrong, checks every
// ledger entry once, and reads only new entries.
import assert from 'node:assert/strict';
import pg from 'pg';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { ASSET, ledgerTest, rules } from '../../../../test/support/ledger-stage.ts';
import { until } from '../../../../test/support/patience.ts';
import { checkLedger, recountLedger } from '../../../app/ledger/check-ledger.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { makeLedgerAudit } from './audit.ts';

ledgerTest(
  'an entry of a running transaction is neither lost nor counted twice',
  async ({ url, deps, troubles, post, checkPasses, fund }) => {
    await fund();
    await checkPasses(1);
    const slow = new pg.Client({ connectionString: url });
    await slow.connect();
    await slow.query('begin');
    await slow.query(`insert into entries (id, mode, event, subject_id, at)
    values (nextval('entry_ids') - 1000000, 'test', 'credit_received', 'slow', now())`);
    await post('credit_received', { amount: 10n }, 'fast');
    const during = await checkLedger(deps);
    assert.deepEqual(
      [rules(during), during.newEntries],
      [[], 0],
      'counted, and not behind the checkpoint yet',
    );
    await post('credit_received', { amount: 20n }, 'fast');
    assert.deepEqual(rules(await checkLedger(deps)), []);
    assert.deepEqual(rules(await recountLedger(deps, () => undefined)), []);
    await slow.query(`insert into postings (entry_id, account_id, amount_minor)
    select (select min(id) from entries where subject_id = 'slow'), id, case side when 'debit' then 5 else -5 end
    from accounts where key in ('test/NGN/bank_in/058:1', 'test/NGN/suspense')`);
    await slow.query(`update accounts set balance = balance + case side when 'debit' then 5 else -5 end
    where key in ('test/NGN/bank_in/058:1', 'test/NGN/suspense')`);
    assert.deepEqual(rules(await checkLedger(deps)), []);
    await slow.query('commit');
    await slow.end();
    await checkPasses(3);
    assert.deepEqual(rules(await recountLedger(deps, () => undefined)), []);
    assert.deepEqual(troubles, []);
  },
);

ledgerTest(
  'checks and recounts report nothing while commits and other checks run',
  async ({ deps, troubles, trade, fund }) => {
    await fund();
    let trading = true;
    let counted = 0;
    const checks = Array.from({ length: 3 }, async (_, index) => {
      while (trading) {
        const state = index === 0 ? await recountLedger(deps, () => undefined) : await checkLedger(deps);
        assert.deepEqual(state.findings, []);
      }
    });
    await Promise.all(
      Array.from({ length: 4 }, async (_, trader) => {
        for (let round = 1n; round <= 15n; round++) await trade(round, `txn_${trader}`);
      }),
    );
    trading = false;
    await Promise.all(checks);
    assert.deepEqual(rules(await checkLedger(deps)), []);
    const end = await recountLedger(deps, (postings) => {
      counted = postings;
    });
    assert.deepEqual([rules(end), counted], [[], 2 + 60 * 21]);
    assert.deepEqual(troubles, []);
  },
);

ledgerTest('concurrent checks check every entry once', async ({ deps, trade, checkPasses, fund }) => {
  await fund();
  await checkPasses(1);
  let passed = 0;
  for (let round = 0; round < 10; round++) {
    await trade(5n);
    const states = await Promise.all(Array.from({ length: 4 }, () => checkLedger(deps)));
    for (const state of states) {
      assert.deepEqual(state.findings, []);
      passed += state.newEntries;
    }
  }
  await checkPasses(70 - passed);
});

ledgerTest(
  'after a restore into another server, with transaction numbers that start again, everything is counted again',
  async ({ trade, behindItsBack, checkPasses, fund }) => {
    await fund();
    await checkPasses(1);
    await behindItsBack('update ledger_checks set checked_below = checked_below + 1000000');
    await trade(500n);
    await checkPasses(8);
    await trade(500n);
    await checkPasses(7);
  },
);

ledgerTest(
  'a check reads only new entries',
  async ({ url, database, deps, trade, behindItsBack, checkPasses, fund }) => {
    await fund();
    await behindItsBack(
      `insert into entries (id, mode, event, subject_id, at)
      select -n, 'test', 'treasury_funded', 'old', now() from generate_series(1, 30000) n`,
      `insert into postings select -n, a.id, case a.side when 'debit' then 1 else -1 end
      from generate_series(1, 30000) n, accounts a where a.key in ('test/${ASSET}/treasury', 'test/${ASSET}/capital')`,
      `update accounts set balance = balance + case side when 'debit' then 30000 else -30000 end`,
      `vacuum analyze entries, postings`,
    );
    await checkPasses(30_001);
    await trade(5n);
    // A database session reports its read statistics when it ends.
    await database.close();
    await behindItsBack('vacuum entries', 'select pg_stat_reset()');
    const anew = openTestDatabase(url);
    assert.deepEqual(
      rules(await checkLedger({ ...deps, ledgerAudit: makeLedgerAudit(anew, { postingsPerQuery: 7 }) })),
      [],
    );
    await anew.close();
    const last = openTestDatabase(url);
    for (const table of ['entries', 'postings']) {
      const read = await rowsRead(last, table);
      assert.ok(read > 0 && read < 5_000, `${table}: ${read} rows read`);
    }
  },
);

async function rowsRead(database: Database, table: string): Promise<number> {
  let read = 0;
  await until(`rows of ${table} were read`, async () => {
    const { rows } = await database.query<{ read: string }>({
      text: `select coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) as read from pg_stat_user_tables where relname = $1`,
      values: [table],
    });
    read = Number(rows[0]!.read);
    return read > 0;
  });
  return read;
}

ledgerTest(
  'the entries of a subject and of its related records are explained',
  async ({ audit, trade, fund }) => {
    await fund();
    await trade(500n, 'txn_7');
    const entries = await audit.explain('txn_7');
    assert.deepEqual(
      entries.map(({ event }) => event),
      [
        ...['credit_received', 'credit_matched', 'tokens_reserved', 'tokens_sent', 'tokens_confirmed'],
        ...['deposit_received', 'deposit_applied'],
      ],
    );
    assert.deepEqual(entries[1]!.postings, [
      { account: 'test/NGN/suspense', amountMinor: 500n },
      { account: 'test/NGN/owed', amountMinor: -500n },
    ]);
  },
);

ledgerTest(
  'threat 113: books without a checkpoint are counted in pieces, and after a failure the count continues at the same position',
  async ({ database, deps, fund, trade, behindItsBack }) => {
    await fund();
    for (const id of ['txn_1', 'txn_2', 'txn_3']) await trade(500n, id);
    const begins: string[] = [];
    let lostAt = 3;
    const cut: Database = {
      ...database,
      query: (query) => {
        if (query.name === 'ledger-check') assert.fail('the whole of it in one statement');
        if (query.name === 'ledger-recount') {
          begins.push((query.values as unknown[]).slice(0, 2).join(' '));
          if (begins.length === lostAt)
            return Promise.reject(new StoreUnavailable('Query read timeout', { mayHaveActed: true }));
        }
        return database.query(query);
      },
    };
    const ledgerAudit = makeLedgerAudit(cut, { postingsPerQuery: 7, bytesAtOnce: 0 });
    let steps = 0;
    const check = () => checkLedger({ ...deps, ledgerAudit }, () => steps++);
    await assert.rejects(check(), /Query read timeout/);
    assert.equal(steps, 2);
    const sound = await check();
    assert.deepEqual(sound.findings, []);
    assert.equal(begins[3], begins[2], 'it goes on with the piece that was lost');
    assert.equal(new Set(begins).size, begins.length - 1, 'and reads no other piece twice');
    // The last check wrote a checkpoint. With this checkpoint, one statement is enough.
    const after = makeLedgerAudit(database, { postingsPerQuery: 7, bytesAtOnce: 0 });
    assert.deepEqual((await checkLedger({ ...deps, ledgerAudit: after })).findings, []);
    lostAt = 0;
    await behindItsBack(`update accounts set balance = balance + 1 where key = 'test/NGN/bank_in/058:1'`);
    assert.deepEqual(rules(await checkLedger({ ...deps, ledgerAudit: after })), ['balance', 'sum']);
  },
);

ledgerTest(
  'threat 113: after two lost answers a check counts in pieces, because it would be lost every time',
  async ({ database, deps, fund, trade }) => {
    await fund();
    await trade(500n);
    let checks = 0;
    let pieces = 0;
    const slow: Database = {
      ...database,
      query: (query) => {
        if (query.name === 'ledger-recount') pieces++;
        if (query.name !== 'ledger-check') return database.query(query);
        checks++;
        return Promise.reject(new StoreUnavailable('Query read timeout', { mayHaveActed: true }));
      },
    };
    const ledgerAudit = makeLedgerAudit(slow, { postingsPerQuery: 7 });
    const check = () => checkLedger({ ...deps, ledgerAudit });
    await assert.rejects(check(), /timeout/);
    await assert.rejects(check(), /timeout/);
    assert.equal(pieces, 0);
    assert.deepEqual((await check()).findings, []);
    assert.deepEqual([checks, pieces > 1], [2, true]);
  },
);
