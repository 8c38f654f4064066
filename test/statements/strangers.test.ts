// Files and narrations by a person who has not read the readers, with what each of them says (strangers/README.md). Every file is
// imported; every released row must be as the truth has it, and everything else must be refused with a reason. Then every payment
// is matched with the claims of its file. The truth decided before any reader ran which payments carry enough for a match.
import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { interpretRow } from '../../src/domain/statements/narration.ts';
import type { DirectedRow } from '../../src/domain/statements/row.ts';
import { openImports } from './layouts.ts';
import { EXCUSED_FILES, EXCUSED_NARRATIONS, EXCUSED_ROWS } from './strangers/excused.ts';
import {
  matchStrangers,
  noteDetail,
  type StrangerCredit,
  type StrangerRow,
} from './strangers/match-strangers.ts';

const FOLDER = path.join(import.meta.dirname, 'strangers');
const banks = loadBankDirectory();
const isBank = (text: string) => banks.resolve(text) !== undefined;
const imports = await openImports();
after(imports.close);

interface StrangerFile {
  readonly file: string;
  readonly accounts: readonly { readonly number: string; readonly rows: readonly StrangerRow[] }[];
  readonly whole_file_refused?: string;
  readonly may_refuse?: string;
}

const truth = JSON.parse(readFileSync(path.join(FOLDER, 'truth.json'), 'utf8')) as readonly StrangerFile[];

interface ReadAccount {
  readonly refusal: string | null;
  readonly problems: number;
  readonly reasons: readonly string[];
  readonly profile: string;
  readonly heldDays: ReadonlySet<string>;
  readonly rows: readonly StrangerCredit[];
}

async function importAccount(file: StrangerFile, at: number): Promise<ReadAccount> {
  const { number } = file.accounts[at]!;
  const account = `${file.file}:${number}`;
  const result = await importStatement(imports.deps, {
    account: { mode: 'test', account, number, vendorId: 'vnd_1' },
    bytes: createReadStream(path.join(FOLDER, 'files', file.file)),
    ...{ name: file.file, profile: null, profileChange: false, dryRun: false, actor: 'os:test' },
    isOneOfMany: file.accounts.length > 1,
  });
  const { rows } = await imports.database.query<StrangerCredit>({
    text: `select day::text, amount_minor::text as amount, balance_minor::text as balance, narration, kind, session_id, payer_name,
        payer_account, payer_bank_name, value_day::text, booked_at from statement_rows
      where account = $1 and release_no is not null order by release_no`,
    values: [account],
  });
  const days = await imports.deps.statements.listDays({ account, limit: 1_000 });
  return {
    refusal: result.ok ? null : result.error.message,
    problems: result.ok ? result.value.file.problems.total : 0,
    reasons: result.ok ? result.value.file.problems.list.map(({ line, reason }) => `${line}: ${reason}`) : [],
    profile: result.ok ? result.value.file.profile : '',
    heldDays: new Set(days.filter(({ state }) => state === 'gap').map(({ day }) => day)),
    rows,
  };
}

const read = new Map<string, ReadAccount>();
for (const file of truth)
  for (const at of file.accounts.keys()) read.set(`${file.file} ${at}`, await importAccount(file, at));

/** What must be equal: the day, the signed amount, and the balance where both have one. */
const amountOf = ({ direction, amount_kobo: kobo }: StrangerRow) => String(direction === 'in' ? kobo : -kobo);

test('every released row of a file by a stranger is in its truth; every other row is refused with a reason', () => {
  const wrong: string[] = [];
  let [released, refused, all] = [0, 0, 0];
  for (const file of truth)
    for (const [at, { rows }] of file.accounts.entries()) {
      const found = read.get(`${file.file} ${at}`)!;
      const isRefused = file.whole_file_refused !== undefined && !EXCUSED_FILES.has(file.file);
      if (isRefused && found.rows.length > 0)
        wrong.push(`${file.file}: ${found.rows.length} rows were released, but no reader could be certain`);
      const left = [...rows];
      for (const row of found.rows) {
        const place = left.findIndex(
          (each) =>
            each.date === row.day &&
            amountOf(each) === row.amount &&
            (each.balance_kobo === null || row.balance === null || String(each.balance_kobo) === row.balance),
        );
        const [same] = place === -1 ? [] : left.splice(place, 1);
        if (same === undefined)
          wrong.push(`${file.file}: ${row.day} ${row.amount} ${row.narration} is not in the truth`);
        else if (same.refused !== undefined)
          wrong.push(`${file.file}: ${row.day} ${row.amount} must be refused`);
      }
      const missing = left.filter(
        (each) => each.refused === undefined && !EXCUSED_ROWS.has(`${file.file} ${each.date}`),
      );
      const silent = missing.filter(({ date }) => !found.heldDays.has(date));
      if (silent.length > found.problems && found.refusal === null)
        wrong.push(`${file.file}: ${silent.length} rows are missing with ${found.problems} problems`);
      noteDetail(
        `FILE ${file.file} ${found.profile} ${found.rows.length}/${rows.length} ${found.refusal} ${found.reasons.slice(0, 3)} ${[...found.heldDays]}`,
      );
      all += rows.length;
      released += found.rows.length;
      refused += rows.length - found.rows.length;
    }
  console.log(`strangers: ${released} of ${all} rows are read, ${refused} are refused`);
  assert.deepEqual(wrong, []);
});

test('threats 16, 111: payments in files by strangers never match wrongly', () => {
  const sums = matchStrangers(
    truth
      .filter(
        ({ whole_file_refused: never, may_refuse: may, file }) =>
          // A file that a careful reader may refuse counts only if it was read.
          never === undefined && (may === undefined || read.get(`${file} 0`)!.refusal === null),
      )
      .flatMap(({ file, accounts }) =>
        accounts.map(({ rows }, at) => ({ file, rows, credits: read.get(`${file} ${at}`)!.rows })),
      ),
  );
  for (const line of sums.lines) console.log(line);
  assert.deepEqual(sums.wrong, []);
  assert.ok(sums.strongShare >= 0.95, `${sums.strongShare}`);
  // The others stand on days that are held, because their file contradicts itself.
  assert.ok(sums.shownShare >= 0.92, `${sums.shownShare}`);
});

const ROW: DirectedRow = {
  ...{ line: 1, column: 1, day: '2026-11-14', valueDay: null, atMs: null, amountMinor: 1_500_000n },
  ...{ lacks: null, isMinus: false, narration: '', balanceMinor: null, reference: null, payer: null },
  ...{ mark: null, isPending: false, directionBy: 'side' },
};

interface StrangerNarration {
  readonly bank: string;
  readonly narration: string;
  readonly expected: Readonly<
    Record<'payer_name' | 'payer_account' | 'payer_bank' | 'session_id', string | null>
  >;
  readonly arguable?: readonly string[];
}

test('narrations by strangers are read: names, accounts and session ids', () => {
  const all = JSON.parse(
    readFileSync(path.join(FOLDER, 'narrations.json'), 'utf8'),
  ) as readonly StrangerNarration[];
  const words = (text: string | null) =>
    (text ?? '')
      .toUpperCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const counts = { right: 0, missed: 0, wrong: 0 };
  const wrong: string[] = [];
  for (const { bank, narration, expected, arguable = [] } of all) {
    const row = interpretRow({ ...ROW, narration }, isBank);
    const found = {
      payer_name: row.payerName,
      payer_account: row.narratedAccount,
      session_id: row.sessionId,
    };
    for (const fact of ['payer_name', 'payer_account', 'session_id'] as const) {
      if (arguable.includes(fact) || EXCUSED_NARRATIONS.has(`${fact} ${narration}`)) continue;
      const [is, should] = [words(found[fact]), words(expected[fact])];
      if (is === should) counts.right++;
      else if (is === '') counts.missed++;
      else {
        counts.wrong++;
        wrong.push(`${bank} ${fact}: "${narration}" gives "${is}" and not "${should}"`);
      }
      if (is !== should) noteDetail(`SAID ${bank} ${fact} ${narration} | ${is} | ${should}`);
    }
  }
  const sum = counts.right + counts.missed + counts.wrong;
  console.log(`strangers: of ${sum} facts in ${all.length} narrations ${JSON.stringify(counts)}`);
  assert.ok(counts.right / sum >= 0.95, JSON.stringify(counts));
  assert.ok(counts.wrong / sum <= 0.02, wrong.join('\n'));
});
