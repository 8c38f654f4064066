// Tests which rows of a day are released, how often, and in which order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { StatementAccount } from '../../src/app/statements/find-statement-account.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { openImports } from './layouts.ts';

const { database, deps, close } = await openImports();
after(close);
const HEAD = 'Date,Description,Debit,Credit,Balance';

const account = (name: string): StatementAccount => ({
  ...{ mode: 'test', account: name, number: name.slice(name.indexOf(':') + 1), vendorId: 'vnd_1' },
});

async function load(into: StatementAccount, text: string) {
  return importStatement(deps, {
    ...{
      account: into,
      name: 'file.csv',
      profile: null,
      profileChange: false,
      dryRun: false,
      actor: 'os:test',
    },
    bytes: (async function* () {
      yield Buffer.from(text);
    })(),
  });
}

async function loaded(into: StatementAccount, text: string) {
  const result = await load(into, text);
  return result.ok ? result.value : assert.fail(result.error.message);
}

async function rowsOf({ account: name }: StatementAccount) {
  const { rows } = await database.query<{ day: string; amount_minor: string; release_no: string | null }>({
    text: 'select day::text, amount_minor, release_no from statement_rows where account = $1 order by day, seq',
    values: [name],
  });
  return rows;
}

test('a busy day is released once, in the order of the file: each row gets one number', async () => {
  const into = account('gtbank:9900113070');
  const next = async () =>
    Number((await database.query({ text: `select nextval('statement_releases') as no` })).rows[0]!.no);
  const before = await next();
  const count = 1_500;
  const lines = Array.from(
    { length: count },
    (_, index) => `2026-05-04,NIP/KUDA/PAYER ${(index * 7_919) % count}/RENT,,10.00,${1_010 + index * 10}.00`,
  );
  await loaded(into, [HEAD, ...lines, ''].join('\n'));
  const numbers = (await rowsOf(into)).map((row) => Number(row.release_no));
  assert.deepEqual(
    numbers,
    Array.from({ length: count }, (_, index) => before + 1 + index),
  );
  assert.equal(await next(), before + count + 1);
});

test('a file that was cut off inside a narration, then the whole file: the payment counts once', async () => {
  const into = account('gtbank:9900113071');
  const head = 'Date,Credit,Debit,Narration\n';
  const first = '2026-05-04,27500.00,,NIP/KUDA/ADA OBI/RENT';
  const second = '2026-05-04,100.00,,NIP/KUDA/EZE IDU/FUEL';
  // An earlier version of the service, or a file that wraps narrations, may have stored the cut row.
  await loaded(into, `${head}${second}\n2026-05-04,27500.00,,NIP/KUDA/ADA\n`);
  const part = await loaded(into, `${head}${second}\n${first}\n`);
  assert.match(part.file.problems.list[0]!.reason, /may have ended too early/);
  assert.equal((await rowsOf(into)).length, 2);
  const whole = `${head}2026-05-03,1.00,,NIP/BEFORE\n${second}\n${first}\n2026-05-05,1.00,,NIP/AFTER\n`;
  const done = await loaded(into, whole);
  assert.deepEqual([done.gaps, done.file.problems.total], [0, 0]);
  const rows = await rowsOf(into);
  assert.deepEqual(
    rows.map(({ day, amount_minor: amount }) => `${day} ${amount}`),
    ['2026-05-03 100', '2026-05-04 10000', '2026-05-04 2750000', '2026-05-05 100'],
  );
  assert.ok(rows.every((row) => row.release_no !== null));
});

test('a file that names no account is imported for one account only', async () => {
  const [one, two] = [account('gtbank:9900113072'), account('gtbank:9900113073')];
  const text = `${HEAD}\n2026-05-04,NIP/KUDA/ADA OBI/RENT,,100.00,1100.00\n`;
  await loaded(one, text);
  const refused = await load(two, text);
  assert.match(refused.ok ? '' : refused.error.message, /imported for the account gtbank:9900113072/);
  assert.deepEqual(await rowsOf(two), []);
  const named = (number: string) => `Account Number,${number}\n${text}`;
  await loaded(two, named('9900113073'));
  assert.equal((await rowsOf(two)).length, 1);
});
