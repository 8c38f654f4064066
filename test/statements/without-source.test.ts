// A file for a vendor's account without a credit source: nothing is imported until a person has confirmed the number of its
// incoming rows.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { StatementAccount } from '../../src/app/statements/find-statement-account.ts';
import { type ImportRequest, importStatement } from '../../src/app/statements/import-statement.ts';
import { openImports } from './layouts.ts';

const { database, deps, close } = await openImports();
after(close);
const noSource = { ...deps, store: { creditSources: async () => new Map() } };

const account = (number: string, vendorId: string | null = 'vnd_1'): StatementAccount => ({
  ...{ mode: 'test', account: `058:${number}`, number, vendorId },
});
const HEAD = 'Date,Description,Debit,Credit,Balance\n';
const FIRST = '2026-05-04,NIP/KUDA/ADA OBI/RENT,,100.00,1100.00\n';
const TEXT = `${HEAD}${FIRST}2026-05-04,NIP/KUDA/BOLA ADE/FEES,,250.50,1350.50\n2026-05-05,SMS FEE,4.00,,1346.50\n`;

async function load(
  into: StatementAccount,
  more: Partial<ImportRequest> = {},
  text = TEXT,
  using = noSource,
) {
  const result = await importStatement(using, {
    ...{ account: into, name: 'a.csv', profile: null, profileChange: false, dryRun: false, actor: 'os:test' },
    bytes: (async function* () {
      yield Buffer.from(`Account Number,${into.number}\n${text}`);
    })(),
    ...more,
  });
  return result.ok ? result.value : assert.fail(result.error.message);
}

async function storedIn({ account: name }: StatementAccount) {
  const text = `select (select count(*) from statement_rows where account = $1)::int as rows,
    (select count(*) from statement_days where account = $1)::int as days`;
  return Object.values((await database.query({ text, values: [name] })).rows[0]!);
}

test('the import asks with the number of new rows and their totals, and writes nothing', async () => {
  const into = account('9900000021');
  const { question, file, days } = await load(into);
  assert.deepEqual(question, { incoming: 2, incomingMinor: 35_050n, outgoing: 1, outgoingMinor: 400n });
  assert.deepEqual([file.state, file.rowsNew, days, await storedIn(into)], ['failed', 0, 0, [0, 0]]);
  const found = await deps.statements.findFile(file.id);
  assert.match(found!.problems.list[0]!.reason, /no credit source, and the import was not confirmed/);
});

test('only the number of incoming rows confirms the import', async () => {
  const into = account('9900000022');
  for (const withoutSource of [0, 1, 3]) {
    assert.equal((await load(into, { withoutSource })).question?.incoming, 2);
    assert.deepEqual(await storedIn(into), [0, 0]);
  }
  const { file, question } = await load(into, { withoutSource: 2 });
  assert.equal(question, null);
  assert.deepEqual([file.state, file.rowsNew, await storedIn(into)], ['done', 3, [3, 2]]);
});

test('a dry run shows the question, and known rows are not counted', async () => {
  const into = account('9900000023');
  await load(into, { withoutSource: 1 }, `${HEAD}${FIRST}`);
  const { question, file } = await load(into, { dryRun: true });
  assert.deepEqual([question?.incoming, question?.incomingMinor, file.rowsNew], [1, 25_050n, 2]);
});

test('nothing is asked if the account has a source, belongs to no vendor, or no money comes in', async () => {
  assert.equal((await load(account('9900000024'), {}, TEXT, deps as typeof noSource)).question, null);
  assert.equal((await load(account('9900000025', null))).question, null);
  assert.equal(
    (await load(account('9900000026'), {}, `${HEAD}2026-05-05,SMS FEE,4.00,,96.00\n`)).question,
    null,
  );
});
