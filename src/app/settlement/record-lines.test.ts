// Tests how the service reads a bank's statement. It writes a repeated line once, and only one of two processes reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../../test/support/settlement.ts';
import { readBankFeed } from './record-lines.ts';

const rig = await openRig();
const bank = () => rig.rail;
const FEED = 'bank test simulated';

async function counts(): Promise<readonly number[]> {
  const tables = ['bank_credits', 'bank_notices', 'entries', 'postings', 'match_decisions'];
  const found = await Promise.all(
    tables.map((table) => rig.rows<{ n: number }>(`select count(*)::int as n from ${table}`)),
  );
  return found.map(([row]) => row!.n);
}

test('threat 18: the same statement imported twice adds no row and no posting', async () => {
  const amountMinor = 1_700_000n;
  const id = await rig.payIn({ amountMinor });
  await rig.payIn({ amountMinor: 1_700_100n, copies: 2 });
  await rig.sandbox.reverse(id);
  await rig.passing(3_000);
  const before = await counts();
  assert.deepEqual(before.slice(0, 2), [2, 1]);
  await rig.rows('update feeds set position = null where name = $1', FEED);
  const again = await readBankFeed(rig.deps, 'test', bank());
  assert.deepEqual([again?.lines, again?.credits], [4, []]);
  await rig.passing(3_000);
  assert.deepEqual(await counts(), before);
});

test('threat 18: lines that the bank reports twice in one read are written once', async () => {
  await rig.payIn({ amountMinor: 1_700_200n });
  await rig.payIn({ amountMinor: 1_700_300n });
  rig.meets('statement', 'statement', 'repeated');
  const reading = await readBankFeed(rig.deps, 'test', bank());
  assert.deepEqual(
    [reading?.lines, reading?.credits.map(({ amountMinor }) => amountMinor)],
    [4, [1_700_200n, 1_700_300n]],
  );
});

test('if a process dies before its commit, no line is skipped, because the position advances together with the lines', async () => {
  const id = await rig.payIn({ amountMinor: 1_700_400n });
  rig.pass(20_000);
  const dying = rig.another({ store: () => ({ commit: async () => assert.fail('died') }) });
  await assert.rejects(readBankFeed(dying.deps, 'test', bank()));
  rig.pass(20_000);
  const reading = await readBankFeed(rig.deps, 'test', bank());
  assert.deepEqual(
    reading?.credits.map(({ sourceId }) => sourceId),
    [id],
  );
});

test('threat 89: only one of two processes reads the feed; the other waits until the lease ends', async () => {
  const other = rig.another();
  await rig.payIn({ amountMinor: 1_700_500n });
  const readings = await Promise.all([
    readBankFeed(rig.deps, 'test', bank()),
    readBankFeed(other.deps, 'test', bank()),
  ]);
  assert.deepEqual(
    readings.map((reading) => reading?.lines),
    [1, undefined],
  );
  rig.pass(20_000);
  assert.equal((await readBankFeed(other.deps, 'test', bank()))?.lines, 0);
  assert.equal(await readBankFeed(rig.deps, 'test', bank()), undefined);
});

test('threat 89: a reader that lost its lease while reading cannot move the position, and writes nothing twice', async () => {
  const { store } = rig.deps;
  const first = await rig.payIn({ amountMinor: 1_700_600n });
  rig.pass(20_000);
  let overtaken = false;
  const slow = rig.another({
    bank: {
      statement: async (position) => {
        const statement = await rig.bank.statement.read(position);
        overtaken = true;
        rig.pass(20_000);
        await rig.payIn({ amountMinor: 1_700_700n });
        assert.equal((await readBankFeed(rig.deps, 'test', bank()))?.lines, 2);
        return statement;
      },
    },
  });
  const { catalogue } = rig.deps;
  const late = await readBankFeed({ ...slow.deps, catalogue }, 'test', slow.rail);
  assert.deepEqual([overtaken, late?.credits], [true, []]);
  assert.equal(
    (await readBankFeed(rig.deps, 'test', bank()))?.lines,
    0,
    'the position is where the new reader left it',
  );
  const [row] = await rig.rows<{ n: number }>(
    'select count(*)::int as n from bank_credits where source_id = $1',
    first,
  );
  assert.equal(row!.n, 1);
  assert.ok(await store.findCredit('test', 'simulated', first));
});

test('a rail’s placeholder for a missing value counts as no value', async () => {
  const id = await rig.payIn({ amountMinor: 1_700_800n, payerName: 'null', payerAccount: ' ' });
  await rig.run();
  const credit = await rig.deps.store.findCredit('test', 'simulated', id);
  assert.deepEqual([credit?.payerName, credit?.payerAccount], [null, null]);
});

test('threat 13: a narration that looks like our encoding of a number does not stop the following lines', async () => {
  const buy = await rig.buy({ amountMinor: 1_702_000n });
  const narrations = [String.raw`bigint:x\u0000`, 'bigint:x\u0000'];
  const line = { payerAccount: '1111111111', amountMinor: 1_702_100n };
  for (const narration of narrations) await rig.payIn({ ...line, narration });
  await rig.payIn({ payerAccount: buy.accountNumber!, amountMinor: buy.amountMinor });
  await rig.until(buy.id, 'completed');
  const kept = await rig.rows<{ narration: string }>(
    "select narration from bank_credits where narration like 'bigint:x%' order by 1",
  );
  assert.deepEqual(
    kept.map(({ narration }) => narration),
    [String.raw`bigint:x\u0000`, 'bigint:x\ufffd'],
  );
});
