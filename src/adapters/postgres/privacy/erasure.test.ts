// Tests the worker that erases personal data, and the triggers that allow only this change in append-only tables.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verified } from '../../../../test/support/audit-stage.ts';
import { openRig, PAYER, POLYGON_WALLET } from '../../../../test/support/settlement.ts';
import { eraseDueData } from '../../../app/privacy/erase-due-data.ts';
import { ERASED } from '../../../domain/values/erased.ts';
import { ID_RANDOM_BYTES, makeId } from '../../../domain/values/ids.ts';
import { makePersonalHash, makeSecretBox } from '../../secrets/secret-box.ts';
import { makeAuditLog } from '../audit/audit-log.ts';
import { STORED_VALUES } from '../connection/erased-values.ts';
import { makeLedgerAudit } from '../ledger/audit.ts';
import { makePrivacyStore } from './privacy-store.ts';

const DAY_MS = 86_400_000;
const rig = await openRig();
const { database } = rig;
const hash = makePersonalHash(
  makeSecretBox({ keys: [{ id: 'one', bytes: randomBytes(32) }], fingerprintKey: randomBytes(32) }),
);
const privacy = makePrivacyStore(database, hash);
const keepMs = 30 * DAY_MS;
const erase = (desk = privacy) =>
  eraseDueData({ privacy: desk, clock: { now: rig.now }, keepMs, byLawMs: 60 * DAY_MS });
const stored = async (text: string, ...values: unknown[]) =>
  (await database.query<Record<string, unknown>>({ text, values, types: STORED_VALUES })).rows;
const HASHED = /^h1:[a-p]{64}$/;

/** Each id gets new random bytes, because ids are in the order of time and the clock of the test does not move. */
const id = () => makeId('txn', rig.now(), randomBytes(ID_RANDOM_BYTES));

async function bought(amountMinor: bigint) {
  const buy = await rig.buy({ id: id(), amountMinor, accountName: PAYER.name, accountNumber: PAYER.account });
  await rig.payIn({ amountMinor, narration: `rent of ${PAYER.name}` });
  await rig.until(buy.id, 'completed');
  return buy;
}

async function sold() {
  const sell = await rig.sell({
    wallet: POLYGON_WALLET,
    accountName: PAYER.name,
    accountNumber: PAYER.account,
  });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'completed');
  return sell;
}

const digested = async () => {
  const audit = makeAuditLog(database);
  while ((await audit.append(rig.now())).more);
};

test('the personal data of records that ended long ago are hashed in every place; books, digests and reads still work, and the hash finds them', async () => {
  const [buy, sell, open] = [
    await bought(2_500_000n),
    await sold(),
    await rig.buy({ id: id(), amountMinor: 3_333_300n }),
  ];
  await digested();
  const books = await rig.books(buy.id, sell.id);
  assert.equal(await erase(), 0, 'not yet');
  rig.pass(31 * DAY_MS);
  assert.ok((await erase()) >= 4);
  assert.equal(await erase(), 0, 'once');
  const [row] = await stored(
    'select account_number, account_name, body_hash from transactions where id = $1',
    buy.id,
  );
  for (const value of Object.values(row!)) assert.match(String(value), HASHED);
  assert.equal(row!.account_number, hash('number', PAYER.account));
  const [payout] = await stored(
    "select destination from movements where transaction_id = $1 and kind = 'payout'",
    sell.id,
  );
  const { bankCode, accountNumber } = payout!.destination as Record<string, string>;
  assert.equal(accountNumber, hash('number', PAYER.account));
  assert.equal(bankCode, 'guaranty-trust-bank', 'a bank is no person');
  const everything = JSON.stringify([
    ...(await stored('select * from bank_credits where transaction_id = $1', buy.id)),
    ...(await stored('select * from timeline where transaction_id in ($1, $2)', buy.id, sell.id)),
    ...(await stored('select * from account_enquiries where transaction_id = $1', sell.id)),
  ]);
  assert.ok(!everything.includes(PAYER.account) && !/okafor/i.test(everything), everything);
  const read = await rig.find(buy.id);
  assert.deepEqual([read.accountNumber, read.accountName], [ERASED, ERASED]);
  assert.equal((await rig.find(open.id)).accountNumber, open.accountNumber, 'an open one keeps its data');
  assert.deepEqual(await rig.books(buy.id, sell.id), books);
  assert.equal((await verified(database)).finding, undefined, 'digests of before still hold');
  const { accounts } = await makeLedgerAudit(database).recount(() => undefined);
  assert.ok(accounts.length > 0 && accounts.every((each) => each.balanceMinor === each.postedMinor));
});

test('threat 84: an erased row that was altered, and a row that was marked as erased without an erasure, are found', async () => {
  const buy = await bought(2_600_000n);
  await digested();
  const [line] = await stored(
    'select transaction_id, version from timeline where transaction_id = $1 limit 1',
    buy.id,
  );
  rig.pass(31 * DAY_MS);
  await erase();
  const alter = (text: string, values: unknown[]) =>
    database.transaction(async (client) => {
      await client.query('alter table transactions disable trigger user');
      await client.query(text, values);
      const within = {
        query: (query: object) => client.query(query as never),
        transaction: null,
        close: null,
      };
      const { finding } = await verified(within as never);
      assert.ok(finding !== undefined, text);
      await client.query('rollback');
      await client.query('begin');
    });
  await alter('update transactions set amount_minor = amount_minor + 1 where id = $1', [buy.id]);
  await alter("insert into erased_lines values ($1, $2, 'x', 'forged')", [
    line!.transaction_id,
    line!.version,
  ]);
  assert.equal((await verified(database)).finding, undefined);
});

test('threat 84: append-only tables allow only the erasure of finished records and no other change', async () => {
  const buy = await bought(2_700_000n);
  const open = await rig.buy({ amountMinor: 4_444_400n, accountName: PAYER.name });
  const mark = `h1:${'a'.repeat(64)}`;
  const refused = async (text: string, ...values: unknown[]) => {
    await assert.rejects(database.query({ text, values }), { code: '23001' }, text);
  };
  const set = (what: string) => `update transactions set ${what} where id = $1`;
  await refused(set(`account_name = 'Eve'`), buy.id);
  await refused(set(`account_name = 'h1:short'`), buy.id);
  await refused(set('account_name = null'), buy.id);
  await refused(set(`reference = '${mark}'`), buy.id);
  await refused(set(`account_name = '${mark}', amount_minor = amount_minor + 1`), buy.id);
  await refused(set(`account_name = '${mark}'`), open.id);
  await refused('delete from transactions where id = $1', buy.id);
  await refused(`update timeline set actor = '${mark}' where transaction_id = $1`, buy.id);
  await refused(
    `update timeline set evidence = evidence || '{"more": "x"}' where transaction_id = $1`,
    buy.id,
  );
  await refused(
    `update timeline set evidence = evidence - 'movement' where evidence ? 'movement' and transaction_id = $1`,
    buy.id,
  );
  await refused(`update bank_credits set payer_name = 'Eve' where transaction_id = $1`, buy.id);
  await refused(`update bank_credits set raw = '{}' where transaction_id = $1`, buy.id);
  await refused(
    `update bank_credits set payer_name = '${mark}', amount_minor = 1 where transaction_id = $1`,
    buy.id,
  );
  await database.query({
    text: `insert into quarantine (mode, source, reason, raw, at) values ('test', 's', 'r', 'x', now())`,
  });
  await refused(`update quarantine set raw = 'y'`);
  await refused(`update quarantine set raw = '${mark}', reason = 'z'`);
  await database.query({ text: set(`account_name = '${mark}'`), values: [buy.id] });
  await refused(set(`account_name = 'h1:${'b'.repeat(64)}'`), buy.id);
  await refused(`update erased_lines set line_hash = 'x'`);
});

test('nothing is erased while a related case, credit in review, refund or proposal is open', async () => {
  const buy = await bought(2_800_000n);
  rig.pass(31 * DAY_MS);
  const isOver = async () =>
    (await stored('select transaction_over_since($1) as at', buy.id))[0]!.at !== null;
  const inside = async (text: string) => {
    const over = await database
      .transaction(async (client) => {
        await client.query(text);
        const { rows } = await client.query('select transaction_over_since($1) as at', [buy.id]);
        throw Object.assign(new Error('undone'), { over: rows[0].at !== null });
      })
      .catch((error: { over?: boolean }) => error.over ?? Promise.reject(error));
    assert.equal(over, false, text);
  };
  assert.ok(await isOver());
  const of = `'${buy.id}'`;
  await inside(
    `insert into cases (id, kind, mode, transaction_id, amount_minor, opened_at) values ('cas_1', 'k', 'test', ${of}, 1, now())`,
  );
  await inside(`update bank_credits set state = 'review' where transaction_id = ${of}`);
  await inside(`insert into movements (id, kind, mode, asset, amount_minor, naira_minor, transaction_id, state, version, created_at, updated_at)
    values ('mov_1', 'refund', 'test', 'NGN', 1, 1, ${of}, 'failed', 1, now(), now())`);
  await inside(`insert into proposals (id, mode, action, subject_id, detail, proposed_by, proposed_at)
    values ('prp_1', 'test', 'a', ${of}, '{}', 'per_ada', now())`);
  await inside(`update transaction_states set state = 'on_hold' where transaction_id = ${of}`);
});

test('a crash between batches leaves complete batches, and two concurrent workers erase each row once', async () => {
  const buys = [];
  for (let amount = 0n; amount < 6n; amount++) buys.push(await bought(5_000_000n + amount));
  rig.pass(31 * DAY_MS);
  // The worker process dies before the commit of its second batch.
  let batches = 0;
  const dying = makePrivacyStore(
    {
      ...database,
      transaction: (work) =>
        database.transaction(async (client) => {
          const done = await work(client);
          if (++batches === 2) throw new Error('the process ends');
          return done;
        }),
    },
    hash,
  );
  await assert.rejects(erase(dying), /the process ends/);
  await Promise.all([erase(), erase(makePrivacyStore(database, hash)), erase()]);
  await erase();
  const left = await stored(
    `select id from transactions where id = any ($1) and account_number !~ '^h1:'`,
    buys.map(({ id }) => id),
  );
  assert.deepEqual(left, []);
  const entries = await makeAuditLog(database).list({ action: 'privacy.erased', limit: 100 });
  const said = entries.map(({ detail }) => JSON.parse(detail) as { places: Record<string, number> });
  const counted = said.reduce((sum, { places }) => sum + (places.transactions ?? 0), 0);
  const progress = (await privacy.progress()).find(({ place }) => place === 'transactions');
  assert.equal(counted, progress!.erased);
  assert.equal((await verified(database)).finding, undefined);
});

test('a record that was open when the worker checked it is erased once it has ended', async () => {
  const open = await rig.buy({
    id: id(),
    amountMinor: 6_666_600n,
    accountName: PAYER.name,
    expiresAtMs: rig.now() + 60 * DAY_MS,
  });
  rig.pass(40 * DAY_MS);
  await erase();
  const waiting = async () =>
    (await privacy.progress()).find(({ place }) => place === 'transactions')!.waiting;
  assert.ok((await waiting()) >= 1);
  await database.query({
    text: `update transaction_states set state = 'cancelled', due_at = null, updated_at = $2 where transaction_id = $1`,
    values: [open.id, new Date(rig.now())],
  });
  rig.pass(2 * DAY_MS);
  await erase();
  assert.equal((await rig.find(open.id)).accountName, PAYER.name, 'closed for two days');
  rig.pass(30 * DAY_MS);
  await erase();
  assert.equal((await rig.find(open.id)).accountName, ERASED);
  const claims = await stored('select from open_claims where transaction_id = $1', open.id);
  assert.equal(claims.length, 0, 'no payment is compared with a hash');
});

test('a reversal by the bank after the erasure still finds its credit, and a returning customer is matched', async () => {
  const buy = await bought(7_000_000n);
  const [credit] = await stored('select id, source_id from bank_credits where transaction_id = $1', buy.id);
  rig.pass(31 * DAY_MS);
  await erase();
  const again = await bought(7_000_000n);
  assert.equal((await rig.find(again.id)).state, 'completed');
  await rig.bank.reverse(String(credit!.source_id));
  await rig.passing(2_000);
  const [after] = await stored('select state from bank_credits where id = $1', credit!.id);
  assert.equal(after!.state, 'reversed');
  const cases = await stored('select id from cases where transaction_id = $1', buy.id);
  assert.equal(cases.length, 1);
});
