// Tests the import into PostgreSQL. It stores nothing twice and loses nothing, holds back days with gaps and releases them
// later, and runs one importer at a time. Settlement then reads the feed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { openDatabase } from '../../src/adapters/postgres/connection/database.ts';
import { makeStatementFeed } from '../../src/adapters/postgres/statements/statement-feed.ts';
import { makeStatementStore } from '../../src/adapters/postgres/statements/statement-store.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { mayNameAccount, type StatementAccount } from '../../src/app/statements/find-statement-account.ts';
import { type ImportRequest, importStatement } from '../../src/app/statements/import-statement.ts';
import { freshDatabase } from '../support/database.ts';
import { databaseTimeoutMs } from '../support/patience.ts';
import { trustProfiles } from './layouts.ts';
import { ACCOUNT, cutPieces, keysOf, playStatement } from './play-days.ts';

const connection = { connectionString: await freshDatabase() };
const database = openDatabase({
  ...{ connection, poolSize: 2, answerTimeoutMs: databaseTimeoutMs(), applicationName: 'test' },
  onError: () => undefined,
});
after(() => database.close());
const statements = makeStatementStore(database, connection);
let made = 0;
const source = { source: 'statements', others: false, version: 1 };
const deps = {
  store: {
    creditSources: async (_: string, accounts: readonly string[]) =>
      new Map(accounts.map((each) => [each, source])),
  },
  ...{ statements, statementReaders: trustProfiles(makeStatementReaders(null)), banks: loadBankDirectory() },
  clock: { now: () => Date.parse('2026-11-17T10:00:00Z') + ++made },
  entropy: { bytes: (count: number) => new Uint8Array(count).fill(++made % 256) },
};
const FOLDER = path.join(import.meta.dirname, '../fixtures/statements');

const account = (name: string, vendorId: string | null = 'vnd_1'): StatementAccount => ({
  ...{ mode: 'test', account: name, number: name.slice(name.indexOf(':') + 1), vendorId },
});

async function load(into: StatementAccount, text: string, more: Partial<ImportRequest> = {}) {
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
    ...more,
  });
}

async function loaded(into: StatementAccount, text: string, more: Partial<ImportRequest> = {}) {
  const result = await load(into, text, more);
  return result.ok ? result.value : assert.fail(result.error.message);
}

async function refusedWith(into: StatementAccount, text: string, more: Partial<ImportRequest> = {}) {
  const result = await load(into, text, more);
  return result.ok ? assert.fail('it was imported') : result.error;
}

interface Row {
  readonly key: string;
  readonly day: string;
  readonly amount_minor: string;
  readonly release_no: string | null;
}

async function rowsOf({ account: name }: StatementAccount): Promise<readonly Row[]> {
  const { rows } = await database.query<Row>({
    text: 'select key, day::text, amount_minor, release_no from statement_rows where account = $1 order by day, seq',
    values: [name],
  });
  return rows;
}

const HEAD = 'Date,Description,Debit,Credit,Balance';

test('overlapping files, in any order and imported twice, give exactly the rows of the statement', async () => {
  for (const seed of [3, 11]) {
    const rows = playStatement(seed, true);
    const into = account(`${ACCOUNT.split(':')[0]}:99001100${seed + 10}`);
    for (const piece of cutPieces(rows, seed, false)) {
      const lines = piece.rows.map(
        ({ day, narration, amountMinor, balanceMinor }) =>
          `${day},${narration},${amountMinor < 0n ? `${-amountMinor / 100n}.00,` : `,${amountMinor / 100n}.00`},${balanceMinor! / 100n}.00`,
      );
      await loaded(into, [HEAD, ...lines].join('\n'));
    }
    const stored = await rowsOf(into);
    assert.equal(stored.length, keysOf(rows).length);
    assert.equal(new Set(stored.map(({ key }) => key)).size, new Set(keysOf(rows)).size);
    assert.ok(
      stored.every((row) => row.release_no !== null),
      'nothing is held back in the end',
    );
  }
});

test('importing the same file again changes nothing and reports that; a dry run writes nothing', async () => {
  const into = account('gtbank:9900113001');
  const text = `${HEAD}\n2026-05-04,NIP/KUDA/ADA OBI/RENT,,100.00,1100.00\n`;
  const dry = await loaded(into, text, { dryRun: true });
  assert.deepEqual([dry.file.rowsNew, (await rowsOf(into)).length], [1, 0]);
  const first = await loaded(into, text);
  const again = await loaded(into, text);
  assert.deepEqual([again.isSame, again.file.id, (await rowsOf(into)).length], [true, first.file.id, 1]);
});

test('a gap delays the rows of its day until a file closes the gap', async () => {
  const into = account('gtbank:9900113002');
  const [one, two, three] = [
    '2026-05-04,NIP/KUDA/ADA OBI/ONE,,100.00,1100.00',
    '2026-05-05,NIP/KUDA/ADA OBI/TWO,,200.00,1300.00',
    '2026-05-05,NIP/KUDA/ADA OBI/THREE,,300.00,1600.00',
  ];
  const broken = await loaded(into, [HEAD, one, three, ''].join('\n'));
  assert.equal(broken.gaps, 1);
  assert.match(broken.file.problems.list[0]!.reason, /expected ₦1,400\.00, found ₦1,600\.00/);
  assert.equal(broken.file.problems.list[0]!.line, 3);
  assert.deepEqual(
    (await rowsOf(into)).map((row) => row.release_no !== null),
    [true, false],
  );
  const [open] = await statements.listDays({ account: into.account, onlyOpen: true, limit: 5 });
  assert.deepEqual([open!.day, open!.state], ['2026-05-05', 'gap']);
  const closed = await loaded(into, [HEAD, two, three, ''].join('\n'));
  assert.deepEqual([closed.gaps, closed.file.rowsNew, closed.file.rowsKnown], [0, 1, 1]);
  assert.ok((await rowsOf(into)).every((row) => row.release_no !== null));
});

test('a file of another account is refused; another profile is refused unless the change is confirmed', async () => {
  const into = account('gtbank:9900113003');
  const other = await refusedWith(into, `Account Number,9900999999\n${HEAD}\n2026-05-04,A,,1.00,1.00\n`);
  assert.match(other.message, /another account: it names …9999/);
  assert.doesNotMatch(other.message, /9900999999|9900113003/);
  await loaded(into, `${HEAD}\n2026-05-04,NIP A,,1.00,1.00\n`);
  const uba =
    'Tran Date,Value Date,Narration,Debit,Credit,Balance\n04/05/2026,04/05/2026,OTHER WORDS,,1.00,1.00\n06/05/2026,06/05/2026,NEW,,2.00,3.00\n';
  const asUba = { profile: 'uba' };
  assert.match((await refusedWith(into, uba, asUba)).message, /profile generic.*--profile-change/s);
  const changed = await loaded(into, uba, { ...asUba, profileChange: true });
  assert.deepEqual(
    (await rowsOf(into)).map(({ day }) => day),
    ['2026-05-04', '2026-05-06'],
  );
  assert.match(changed.file.problems.list[0]!.reason, /2026-05-04 were read with the profile generic/);
});

test('extra text around an account number does not make it a different account', () => {
  for (const text of ['9900113003', 'ABNGNGLA/9900113003', '******3003', '0589900113003', 'XXXX3003'])
    assert.ok(mayNameAccount(text, '9900113003'), text);
  for (const text of ['9900113004', '******3004']) assert.ok(!mayNameAccount(text, '9900113003'), text);
});

test('two complete versions of a day that contradict each other add no rows', async () => {
  const into = account('gtbank:9900113004');
  const file = (word: string) =>
    [
      'Date,Description,Debit,Credit',
      ...['2026-05-03,A,,1.00', `2026-05-04,${word},,5.00`, '2026-05-05,B,,1.00', ''],
    ].join('\n');
  await loaded(into, file('PAYMENT ONE'));
  const second = await loaded(into, file('PAYMENT 1'));
  assert.equal((await rowsOf(into)).length, 3);
  assert.match(second.file.problems.list[0]!.reason, /no row of this day was imported/);
});

test('the next import finishes an import that was killed, and two imports cannot run at the same time', async () => {
  const into = account('gtbank:9900113005');
  const text = `${HEAD}\n2026-05-04,NIP/KUDA/ADA OBI/ONE,,100.00,1100.00\n`;
  let busy: Promise<string> | undefined;
  await assert.rejects(
    load(into, '', {
      bytes: (async function* () {
        yield Buffer.from(text.padEnd(70_000, '\n'));
        busy ??= refusedWith(into, text).then(({ message }) => message);
        await busy;
        throw new Error('the power went out');
      })(),
    }),
    /power/,
  );
  assert.match(await busy!, /being imported/);
  assert.deepEqual(
    (await statements.listFiles({ account: into.account, limit: 9 })).map(({ state }) => state),
    ['failed'],
  );
  assert.equal((await loaded(into, text)).file.rowsNew, 1);
});

test('the feed returns credits and certain reversals in the order of release, and the database does not change rows', async () => {
  const feed = makeStatementFeed(database, 'test');
  const { position } = await feed.read(null).then(async (page) => {
    let last = page;
    for (
      let next = await feed.read(last.position);
      next.position !== last.position;
      next = await feed.read(last.position)
    )
      last = next;
    return last;
  });
  const into = account('gtbank:9900113006');
  await loaded(account('gtbank:9900113007', null), `${HEAD}\n2026-05-04,NIP/KUDA/ADA OBI/OURS,,9.00,9.00\n`);
  const text = [
    HEAD,
    '2026-05-04,NIP/KUDA/ADA OBI/RENT,,100.00,1100.00',
    '2026-05-04,NIP CHARGE,10.00,,1090.00',
    '2026-05-05,RVSL NIP/KUDA/ADA OBI/RENT,100.00,,990.00',
    '2026-05-06,RVSL SOMETHING ELSE,7.00,,983.00',
  ].join('\n');
  await loaded(into, text);
  const { lines } = await feed.read(position);
  assert.deepEqual(
    lines.map(({ kind, amountMinor }) => [kind, amountMinor]),
    [
      ['credit', 10_000n],
      ['credit_reversed', 10_000n],
    ],
  );
  const [credit, notice] = lines;
  assert.ok(credit!.kind === 'credit' && notice!.kind === 'credit_reversed');
  assert.equal(notice!.about, credit!.sourceId);
  assert.doesNotMatch(credit!.sourceId, /9900113006/);
  assert.deepEqual(
    [credit!.payerName, credit!.accountNumber, credit!.balanceMinor, credit!.valueAtMs],
    ['ADA OBI', '9900113006', 110_000n, Date.parse('2026-05-03T23:00:00Z')],
  );
  assert.deepEqual(
    (await statements.listDoubts('test', 10)).map(({ narration }) => narration),
    ['RVSL SOMETHING ELSE'],
  );
  await assert.rejects(database.query({ text: 'update statement_rows set amount_minor = 1' }), /append-only/);
  await assert.rejects(database.query({ text: 'delete from statement_rows' }), /append-only/);
});

test('samples of every format can be imported', async () => {
  for (const [file, number] of [
    ['mt940-multi.sta', '9903020202'],
    ['camt053-08.xml', '9904020202'],
    ['camt054-02.xml', null],
    ['ofx211-xml.ofx', '9905020202'],
    ['gtbank-html.xls', '9902010101'],
  ] as const) {
    const into = account(
      `zenith:${number ?? readFileSync(path.join(FOLDER, file), 'utf8').match(/99\d{8}/)?.[0] ?? ''}`,
    );
    const { file: done } = await loaded(into, '', {
      bytes: (async function* () {
        yield readFileSync(path.join(FOLDER, file));
      })(),
    });
    assert.ok(done.rowsNew > 0 && done.rowsNew === done.rowsRead, file);
  }
  const days = await statements.listDays({ account: 'zenith:9903020202', limit: 9 });
  assert.deepEqual(
    days.map(({ day, state, complete, rows }) => [day, state, complete, rows]),
    [
      ['2025-12-03', 'sound', true, 2],
      ['2025-12-02', 'sound', true, 0],
      ['2025-12-01', 'sound', true, 4],
    ],
  );
});
