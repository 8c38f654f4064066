// The audit of the ledger on a real database: what the database refuses by itself, what a check finds, and that a sound
// ledger is never called unsound, whatever is committed meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { NOW, openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { checkLedger, recountLedger } from '../../app/check-ledger.ts';
import { type EntryFacts, entryOf, type LedgerEvent } from '../../domain/ledger.ts';
import type { Network, Networks } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';
import { readSnapshot } from './catalogue-rows.ts';
import type { Database } from './database.ts';
import { makeLedgerAudit } from './ledger-audit.ts';
import { makePostgresStore } from './store.ts';

const ASSET = 'TKN@Net';
const TOKENS_PER_KOBO = 10_000n;
const networks = {
  enabled: () => [{ name: 'Net', asset: { code: 'TKN', decimals: 6 } } as Network],
} as unknown as Networks;

let url: string;
let database: Database;
let store: Store;
let troubles: Readonly<Record<string, unknown>>[];

async function startAnew(): Promise<void> {
  url = await freshDatabase();
  database = openTestDatabase(url, 8);
  store = makePostgresStore(database);
  troubles = [];
}

/** Each on a ledger of its own. */
function ledgerTest(name: string, work: () => Promise<void>): void {
  test(name, async () => {
    await startAnew();
    await work();
  });
}

const audit = () => makeLedgerAudit(database, 7);
const deps = () => ({
  ledgerAudit: audit(),
  networks,
  clock: { now: () => NOW },
  onTrouble: (_message: string, detail: Readonly<Record<string, unknown>>) => troubles.push(detail),
});

async function post(event: LedgerEvent, amounts: EntryFacts['amounts'], subjectId = 'txn_1') {
  const facts = { mode: 'test', subjectId, asset: ASSET, bankAccount: '058:1', amounts } as const;
  const [outcome] = await store.commit([{ atMs: NOW, entries: [entryOf(event, facts)] }]);
  return outcome!;
}

/** A buy and a sell from end to end. */
async function trade(amount: bigint, subjectId = 'txn_1'): Promise<void> {
  const tokens = amount * TOKENS_PER_KOBO;
  for (const [event, amounts] of [
    ['credit_received', { amount }],
    ['credit_matched', { amount }],
    ['tokens_reserved', { tokens }],
    ['tokens_sent', { tokens, amount }],
    ['tokens_confirmed', { tokens, amount }],
    ['deposit_received', { tokens, dust: 3n }],
    ['deposit_applied', { tokens, amount }],
  ] as const) {
    assert.deepEqual(await post(event, amounts, subjectId), { kind: 'committed' }, event);
  }
}

const fund = () => post('treasury_funded', { tokens: 10n ** 15n }, 'fund_1');

/** SQL by somebody who may do anything, behind the service's back. */
async function behindItsBack(...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Checks until so many entries were passed; transactions of other databases may hold the checkpoint back for a while. */
async function checkPasses(entries: number): Promise<void> {
  let passed = 0;
  for (let tries = 0; passed < entries && tries < 500; tries++) {
    const state = await checkLedger(deps());
    assert.deepEqual(state.findings, []);
    passed += state.newEntries;
    if (passed < entries) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(passed, entries);
  assert.equal((await checkLedger(deps())).newEntries, 0);
}

const rules = (state: { readonly findings: readonly { readonly rule: string }[] }) =>
  state.findings.map(({ rule }) => rule);
const halted = async () => (await audit().listHalts()).map(({ mode, asset }) => `${mode} ${asset}`);

ledgerTest(
  'threat 94: an entry that does not balance is refused by the database, and nothing of it is kept',
  async () => {
    await fund();
    const postings = [
      { account: `test/${ASSET}/treasury`, amountMinor: 5n },
      { account: `test/${ASSET}/capital`, amountMinor: -4n },
    ];
    const entry = { event: 'treasury_funded', mode: 'test', subjectId: 'txn_2', postings } as const;
    const outcomes = await store.commit([{ atMs: NOW, entries: [entry] }]);
    assert.deepEqual(outcomes, [{ kind: 'refused', constraint: 'postings_balance' }]);
    // Also when its halves are of two assets.
    const halves = [
      { account: `test/${ASSET}/treasury`, amountMinor: 5n },
      { account: 'test/NGN/capital', amountMinor: -5n },
    ];
    const crossed = await store.commit([{ atMs: NOW, entries: [{ ...entry, postings: halves }] }]);
    assert.deepEqual(crossed, [{ kind: 'refused', constraint: 'postings_balance' }]);
    assert.deepEqual(await audit().explain('txn_2'), []);
    assert.deepEqual(rules(await recountLedger(deps(), () => undefined)), []);
  },
);

ledgerTest(
  'threat 94: a balance on the wrong side is refused: nothing is sent that is not there',
  async () => {
    await post('treasury_funded', { tokens: 10n });
    const refused = { kind: 'refused', constraint: 'accounts_not_negative' };
    assert.deepEqual(await post('tokens_reserved', { tokens: 11n }), refused);
    assert.deepEqual(await post('tokens_reserved', { tokens: 10n }), { kind: 'committed' });
    assert.deepEqual(await post('tokens_reserved', { tokens: 1n }), refused);
    assert.deepEqual(await post('credit_matched', { amount: 1n }), refused);
  },
);

ledgerTest('threat 94: entries and postings are only ever added', async () => {
  await fund();
  for (const table of ['entries', 'postings']) {
    for (const text of [`delete from ${table}`, `truncate ${table}`]) {
      await assert.rejects(database.query({ text }), /append-only/);
    }
  }
  await assert.rejects(database.query({ text: 'update postings set amount_minor = 1' }), /append-only/);
  await assert.rejects(database.query({ text: `update entries set event = 'loss'` }), /append-only/);
});

ledgerTest(
  'a sound ledger is found sound, each entry counted once, by a check and by a recount',
  async () => {
    assert.deepEqual(await checkLedger(deps()), { accounts: [], newEntries: 0, findings: [], unchecked: [] });
    await fund();
    await trade(500n);
    await checkPasses(8);
    await trade(700n);
    await checkPasses(7);
    const seen: number[] = [];
    const recounted = await recountLedger(deps(), (postings) => seen.push(postings));
    assert.deepEqual(rules(recounted), []);
    // 7 postings at a time: pieces end in the middle of an entry.
    assert.deepEqual([seen[0], seen.length > 3, seen.at(-1)], [7, true, 2 + 2 * (2 + 2 + 2 + 4 + 4 + 3 + 4)]);
    assert.deepEqual([await halted(), troubles], [[], []]);
  },
);

ledgerTest(
  'threat 94: a balance altered by hand halts the asset, is told once, and stays halted until it is lifted',
  async () => {
    await fund();
    await trade(500n);
    await checkLedger(deps());
    await behindItsBack(
      `update accounts set balance = balance + 5 where key = 'test/${ASSET}/dust'`.replace('+', '-'),
    );
    const state = await checkLedger(deps());
    assert.deepEqual(rules(state), ['balance', 'sum']);
    assert.equal(state.findings[0]!.driftMinor, -5n);
    assert.deepEqual(await halted(), [`test ${ASSET}`]);
    assert.ok((await readSnapshot(database, 1)).halts.has(`test ${ASSET}`));
    await checkLedger(deps());
    assert.equal(troubles.length, 1);

    const doing = { actor: 'cli:ada', atMs: NOW };
    assert.equal(await audit().liftHalt('test', ASSET, doing), true);
    assert.equal(await audit().liftHalt('test', ASSET, doing), false);
    assert.deepEqual(await halted(), []);
    await checkLedger(deps());
    assert.deepEqual(await halted(), [`test ${ASSET}`], 'still wrong: halted again');
    const { rows } = await database.query({ text: 'select actor, action from operator_log order by id' });
    assert.deepEqual(rows, [
      { actor: 'ledger', action: 'sends_halted' },
      { actor: 'cli:ada', action: 'halt_lifted' },
      { actor: 'ledger', action: 'sends_halted' },
    ]);
  },
);

const WITHOUT_TRIGGER = (text: string) => [
  'alter table postings disable trigger postings_balance',
  text,
  'alter table postings enable trigger postings_balance',
];
const treasury = `(select id from accounts where key = 'test/${ASSET}/treasury')`;

ledgerTest('threat 94: a posting added behind the service’s back is found by the next check', async () => {
  await fund();
  await checkLedger(deps());
  const text = `with e as (insert into entries (id, mode, event, subject_id, at)
      values (-1, 'test', 'treasury_funded', 'x', now()) returning id)
    insert into postings select e.id, ${treasury}, 9 from e`;
  await behindItsBack(...WITHOUT_TRIGGER(text));
  const state = await checkLedger(deps());
  assert.deepEqual([rules(state), state.findings[0]!.driftMinor], [['balance'], -9n]);
  assert.deepEqual(await halted(), [`test ${ASSET}`]);
});

ledgerTest(
  'threat 94: a posting slipped in among old entries, or without any, is found by a recount',
  async () => {
    for (const entryId of ['(select min(id) from entries)', '-5']) {
      await startAnew();
      await fund();
      await post('credit_received', { amount: 1n });
      await checkPasses(2);
      const dust = `(select id from accounts where key = 'test/NGN/suspense')`;
      await behindItsBack(...WITHOUT_TRIGGER(`insert into postings select ${entryId}, ${dust}, -9`));
      assert.deepEqual(rules(await checkLedger(deps())), [], 'taken as counted');
      const state = await recountLedger(deps(), () => undefined);
      assert.deepEqual(rules(state), ['balance', 'checkpoint']);
      assert.deepEqual(await halted(), ['test NGN']);
    }
  },
);

ledgerTest('a checkpoint that was noted wrongly is found by both, and a recount puts it right', async () => {
  await fund();
  await checkPasses(1);
  await behindItsBack(
    `update ledger_checks set amount_minor = amount_minor + 4 where account_id = ${treasury}`,
  );
  assert.deepEqual(rules(await checkLedger(deps())), ['balance']);
  assert.deepEqual(rules(await recountLedger(deps(), () => undefined)), ['checkpoint']);
  assert.deepEqual(rules(await checkLedger(deps())), []);
  assert.deepEqual(rules(await recountLedger(deps(), () => undefined)), []);
});

ledgerTest('threat 94: naira that does not match the tokens halts every asset of the mode', async () => {
  await fund();
  await trade(500n);
  const amount = 1n;
  await post('credit_received', { amount });
  await post('credit_matched', { amount });
  await post('tokens_reserved', { tokens: 7n });
  await post('tokens_sent', { tokens: 7n, amount });
  await post('tokens_confirmed', { tokens: 7n, amount });
  await post('deposit_applied', { tokens: 0n, amount: 2n });
  const { findings } = await checkLedger(deps());
  assert.deepEqual(
    findings.map(({ rule, driftMinor }) => [rule, driftMinor]),
    [
      ['delivered', -1n],
      ['redeemed', 2n],
    ],
  );
  assert.deepEqual(await halted(), ['test NGN', `test ${ASSET}`]);
});

ledgerTest('without the decimals of an asset the rest is still checked', async () => {
  await fund();
  await trade(500n);
  const none = { ...deps(), networks: { enabled: () => [] } as unknown as Networks };
  const state = await checkLedger(none);
  assert.deepEqual([rules(state), state.unchecked], [[], [`test ${ASSET}`]]);
});

ledgerTest('an entry of a transaction still running is neither lost nor counted twice', async () => {
  await fund();
  await checkPasses(1);
  const slow = new pg.Client({ connectionString: url });
  await slow.connect();
  await slow.query('begin');
  await slow.query(`insert into entries (id, mode, event, subject_id, at)
    values (nextval('entry_ids') - 1000000, 'test', 'credit_received', 'slow', now())`);
  // Younger ones are committed and checked while the older one is open.
  await post('credit_received', { amount: 10n }, 'fast');
  const during = await checkLedger(deps());
  assert.deepEqual([rules(during), during.newEntries], [[], 0], 'counted, and not behind the checkpoint yet');
  await post('credit_received', { amount: 20n }, 'fast');
  assert.deepEqual(rules(await checkLedger(deps())), []);
  assert.deepEqual(rules(await recountLedger(deps(), () => undefined)), []);
  await slow.query(`insert into postings (entry_id, account_id, amount_minor)
    select (select min(id) from entries where subject_id = 'slow'), id, case side when 'debit' then 5 else -5 end
    from accounts where key in ('test/NGN/bank_in/058:1', 'test/NGN/suspense')`);
  await slow.query(`update accounts set balance = balance + case side when 'debit' then 5 else -5 end
    where key in ('test/NGN/bank_in/058:1', 'test/NGN/suspense')`);
  assert.deepEqual(rules(await checkLedger(deps())), []);
  await slow.query('commit');
  await slow.end();
  await checkPasses(3);
  assert.deepEqual(rules(await recountLedger(deps(), () => undefined)), []);
  assert.deepEqual(troubles, []);
});

ledgerTest('checks and recounts find nothing while commits, and other checks, go on', async () => {
  await fund();
  let trading = true;
  let counted = 0;
  const checks = Array.from({ length: 3 }, async (_, index) => {
    while (trading) {
      const state = index === 0 ? await recountLedger(deps(), () => undefined) : await checkLedger(deps());
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
  assert.deepEqual(rules(await checkLedger(deps())), []);
  const end = await recountLedger(deps(), (postings) => {
    counted = postings;
  });
  assert.deepEqual([rules(end), counted], [[], 2 + 60 * 21]);
  assert.deepEqual(troubles, []);
});

ledgerTest('checks at the same time pass every entry once', async () => {
  await fund();
  await checkPasses(1);
  let passed = 0;
  for (let round = 0; round < 10; round++) {
    await trade(5n);
    const states = await Promise.all(Array.from({ length: 4 }, () => checkLedger(deps())));
    for (const state of states) {
      assert.deepEqual(state.findings, []);
      passed += state.newEntries;
    }
  }
  await checkPasses(70 - passed);
});

ledgerTest(
  'data loaded into another server, whose transactions number from the start, is counted anew',
  async () => {
    await fund();
    await checkPasses(1);
    await behindItsBack('update ledger_checks set checked_below = checked_below + 1000000');
    await trade(500n);
    await checkPasses(8);
    await trade(500n);
    await checkPasses(7);
  },
);

ledgerTest('a check reads what is new, and not the past', async () => {
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
  // A session tells what it has read when it ends.
  await database.close();
  await behindItsBack('vacuum entries', 'select pg_stat_reset()');
  database = openTestDatabase(url);
  assert.deepEqual(rules(await checkLedger(deps())), []);
  await database.close();
  database = openTestDatabase(url);
  for (const table of ['entries', 'postings']) {
    const read = await rowsRead(table);
    assert.ok(read > 0 && read < 5_000, `${table}: ${read} rows read`);
  }
});

async function rowsRead(table: string): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const { rows } = await database.query<{ read: string }>({
      text: `select coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) as read from pg_stat_user_tables where relname = $1`,
      values: [table],
    });
    if (Number(rows[0]!.read) > 0) return Number(rows[0]!.read);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return 0;
}

ledgerTest('the entries of a subject and of what belongs to it are explained', async () => {
  await fund();
  await trade(500n, 'txn_7');
  const entries = await audit().explain('txn_7');
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
});
