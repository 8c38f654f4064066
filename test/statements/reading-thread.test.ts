// A statement file is read in a thread: the rows are the same as without a thread, and a file that takes too much time or memory
// is refused as a whole.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, test } from 'node:test';
import { readColumnProfiles } from '../../src/adapters/statements/csv/column-profile.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { makeThreadedReaders } from '../../src/adapters/statements/thread/threaded-readers.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { type StatementReaders, UnreadableStatement } from '../../src/ports/statements.ts';
import { until } from '../support/patience.ts';
import { makeWorkbook, sheetRow } from '../support/statements/make-workbook.ts';
import { openImports } from './layouts.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/statements');
const { database, deps, close } = await openImports();
const folder = mkdtempSync(path.join(tmpdir(), 'sliproad-held-'));
process.env.HELD_READING = folder;
after(() => {
  delete process.env.HELD_READING;
  rmSync(folder, { recursive: true });
  return close();
});
const release = () => writeFileSync(path.join(folder, 'released'), '');
afterEach(() => {
  for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
});

/** One of each format, an encoding, and two files that are refused: at once, and after some rows. */
const SAMPLES = [
  ...['access-pages.csv', 'gtbank-html.xls', 'mt940-multi.sta', 'camt053-08.xml', 'ofx102-sgml.ofx'],
  ...['generic-utf16-excel-text.txt', 'binary.xls', 'mt940-usd.sta'],
  ...['../../statements/strangers/files/uba-04.xlsx', '../../statements/strangers/files/zenith-05.sta'],
];
const profiles = readColumnProfiles(null);
const MUCH = { timeMs: 600_000, memoryMb: 256 };
const threadOf = (name: string) => new URL(`../support/statements/${name}-thread.ts`, import.meta.url);
const threaded = (name?: string, limits = MUCH) =>
  makeThreadedReaders(profiles, limits, name === undefined ? undefined : threadOf(name));

async function readAll(readers: StatementReaders, bytes: AsyncIterable<Uint8Array>) {
  const opened = await readers.open(bytes, null);
  const items = [];
  for await (const group of opened.items) items.push(...group);
  await opened.close();
  const { items: _items, close: _close, ...facts } = opened;
  return { ...facts, items };
}

const CSV =
  'Date,Description,Debit,Credit,Balance\n2026-01-05,NIP/KUDA/ADA OBI/RENT,,"2,500.00","12,500.00"\n';
const given = (text = CSV) =>
  (async function* () {
    yield Buffer.from(text);
  })();
const account = { mode: 'test', account: '058:0123456785', number: '0123456785', vendorId: 'vnd_1' } as const;
const importWith = (statementReaders: StatementReaders) =>
  importStatement(
    { ...deps, statementReaders },
    {
      ...{ account, name: 'a.csv', profile: null, profileChange: false, dryRun: false, actor: 'os:test' },
      bytes: given(),
    },
  );
const stored = async () => {
  const rows = 'select count(*)::int as count from statement_rows';
  const files = await deps.statements.listFiles({ limit: 1 });
  return [
    (await database.query<{ count: number }>({ text: rows })).rows[0]!.count,
    files[0]?.state,
    files[0]?.problems.list[0]?.reason,
  ];
};

test('a thread reads the same rows of a sample as the calling thread', async () => {
  const without = makeStatementReaders(null);
  for (const sample of SAMPLES) {
    const outcome = (readers: StatementReaders) =>
      readAll(readers, createReadStream(path.join(FIXTURES, sample), { highWaterMark: 1_000 })).catch(
        (error: Error) => error.message,
      );
    assert.deepEqual(await outcome(threaded()), await outcome(without), sample);
  }
});

test('a thread keeps the profile of the last file while it fits, and says that it is unverified', async () => {
  const opened = await threaded().open(given(), null, 'sterling');
  await opened.close();
  const without = await makeStatementReaders(null).open(given(), null, 'sterling');
  assert.deepEqual([opened.profile, opened.isUnverified], [without.profile, without.isUnverified]);
});

test('threat 107: a workbook that takes more memory than the limit is refused', async () => {
  const words = Array.from({ length: 1_500 }, () => randomBytes(18_000).toString('base64'));
  const texts = words.map((each) => `<si><t>${each}</t></si>`).join('');
  const workbook = makeWorkbook(
    [{ name: 'A', rows: sheetRow(1, ['Date', 'Narration', 'Debit', 'Credit']) }],
    {
      'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
    },
  );
  const bytes = (async function* () {
    yield workbook;
  })();
  const open = threaded(undefined, { ...MUCH, memoryMb: 32 }).open(bytes, null);
  await assert.rejects(open, /more than 32 MB of memory \(STATEMENT_READ_MEMORY_MB\)/);
});

test('threat 107: a file that takes more time than the limit is refused, and nothing of it is used', async () => {
  const refused = await importWith(threaded('held', { ...MUCH, timeMs: 1 }));
  assert.equal(refused.ok ? '' : refused.error.code, 'invalid');
  assert.match(
    refused.ok ? '' : refused.error.message,
    /more than 0\.001 seconds \(STATEMENT_READ_SECONDS\)/,
  );
  const [rows, state, reason] = await stored();
  assert.equal(rows, 0);
  if (state !== undefined)
    assert.deepEqual([state, reason], ['failed', refused.ok ? '' : refused.error.message]);
});

test('threat 107: a file that takes more memory than the limit is refused after rows were read, and nothing of it is used', async () => {
  const refused = await importWith(threaded('hungry', { ...MUCH, memoryMb: 32 }));
  assert.match(
    refused.ok ? '' : refused.error.message,
    /more than 32 MB of memory \(STATEMENT_READ_MEMORY_MB\)/,
  );
  assert.deepEqual(await stored(), [0, 'failed', refused.ok ? '' : refused.error.message]);
});

test('a bug in a reader is an error, not a refusal, and ends the thread', async () => {
  await assert.rejects(threaded('broken').open(given(), null), {
    name: 'TypeError',
    message: 'a bug in a reader',
  });
});

test('an error of the sender ends the reading, and a reading that is not needed any more ends its thread', async () => {
  const broken = (async function* () {
    yield Buffer.from(CSV);
    throw new UnreadableStatement('The file is larger than 10 bytes.');
  })();
  await assert.rejects(readAll(threaded(), broken), /larger than 10 bytes/);
  const readers = threaded('held');
  const opened = await readers.open(given(), null);
  await opened.close();
  await opened.close();
  assert.deepEqual(readers.profiles(), makeStatementReaders(null).profiles());
});

test('as many files as the limit allows are read at the same time; one more is refused until one of them ends', async () => {
  const readers = threaded('held');
  const three = [1, 2, 3].map(() => readAll(readers, given()));
  await until('a thread is held', () => readdirSync(folder).includes('held'));
  const refused = await importWith(readers);
  assert.deepEqual([refused.ok ? '' : refused.error.code], ['state_conflict']);
  assert.match(refused.ok ? '' : refused.error.message, /3 statement files are being read/);
  release();
  for (const { items } of await Promise.all(three)) assert.ok(items.some(({ kind }) => kind === 'row'));
  assert.equal((await importWith(readers)).ok, true);
});
