// A file with several accounts: the rows of each go to our account with that number, completely or not at all.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  confirmationOf,
  type EveryAccountDeps,
  importEveryAccount,
  parseWithoutSource,
} from '../../src/app/statements/import-every-account.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { openImports } from './layouts.ts';

const imports = await openImports();
after(imports.close);
const NUMBERS = ['9900600001', '9900600002', '9900700002'];
const vendors = NUMBERS.map((number, at) => ({
  id: `vnd_${at}`,
  mode: 'test',
  active: true,
  bankCode: 'uba',
  number,
}));
const deps = {
  ...imports.deps,
  backOffice: { listVendors: async () => vendors },
  bankRails: { enabled: () => [] },
} as unknown as EveryAccountDeps;

async function importAll(text: string) {
  const result = await importEveryAccount(deps, {
    ...{ mode: 'test', size: text.length, withoutSource: new Map() },
    open: async function* () {
      yield Buffer.from(text);
    },
    ...{ name: 'all', profile: null, profileChange: true, dryRun: false, actor: 'os:test' },
  });
  return result.ok
    ? result.value.map(({ account, result: one }) => [
        account,
        one.ok ? one.value.file.rowsNew : one.error.message,
      ])
    : result.error.message;
}

const amounts = async (number: string) =>
  (
    await imports.database.query<{ amount: string }>({
      text: `select amount_minor::text as amount from statement_rows where account = $1 order by day, amount_minor`,
      values: [`uba:${number}`],
    })
  ).rows.map(({ amount }) => amount);

const message = (number: string, entry: string, open = '0,00', close = '1,00') =>
  `:20:X\n:25:${number}\n:28C:1/1\n:60F:C260504NGN${open}\n:61:2605040504C${entry}NTRFNONREF\n:86:NIP ${number}\n:62F:C260504NGN${close}\n-\n`;

test('each message of an MT940 file goes to its account; a stranger’s account is refused by itself', async () => {
  const text =
    message(NUMBERS[0]!, '1,00') +
    message('8800000001', '5,00', '0,00', '5,00') +
    message(NUMBERS[1]!, '2,00', '0,00', '2,00');
  assert.deepEqual(await importAll(text), [
    ['…0001', 'No vendor or payout account has the number …0001. Its 1 row was not imported.'],
    ['uba:9900600001', 1],
    ['uba:9900600002', 1],
  ]);
  assert.deepEqual([await amounts(NUMBERS[0]!), await amounts(NUMBERS[1]!)], [['100'], ['200']]);
  const { deps: one } = imports;
  const chosen = await importStatement(one, {
    account: { mode: 'test', account: 'uba:9900600001', number: NUMBERS[0]!, vendorId: 'vnd_0' },
    bytes: (async function* () {
      yield Buffer.from(`${text} `);
    })(),
    ...{ name: 'all', profile: null, profileChange: false, dryRun: false, actor: 'os:test' },
  });
  assert.match(!chosen.ok ? chosen.error.message : '', /belongs to another account.*--every-account/);
});

test('a table names an account above each part, or in a column of its own', async () => {
  const part = (number: string, row: string) =>
    `Account No: ${number}\nDate,Narration,Debit,Credit\n${row}\n\n`;
  const parts =
    part(NUMBERS[0]!, '2026-06-01,NIP ONE,,10.00') +
    part(NUMBERS[1]!, '2026-06-01,NIP TWO,,20.00\n2026-06-02,Account No: 9900600001 said the payer,,21.00');
  assert.deepEqual(await importAll(parts), [
    ['uba:9900600001', 1],
    ['uba:9900600002', 2],
  ]);
  const column =
    'TransDate,Account Number,Narration,DR Amount,CR Amount\n' +
    `2026-07-01,${NUMBERS[0]},NIP ONE,,30.00\n2026-07-01,${NUMBERS[1]},NIP TWO,,40.00\n2026-07-01,${NUMBERS[0]},NIP THREE,5.00,\n`;
  assert.deepEqual(await importAll(column), [
    ['uba:9900600001', 2],
    ['uba:9900600002', 1],
  ]);
  assert.deepEqual(await amounts(NUMBERS[0]!), ['100', '1000', '-500', '3000']);
});

test('each account without a credit source asks for itself, and only its own number confirms it', async () => {
  const withSource = new Set([`uba:${NUMBERS[0]}`]);
  const source = { source: 'statements', others: false, version: 1 };
  const using: EveryAccountDeps = {
    ...deps,
    store: {
      creditSources: async (_, accounts) =>
        new Map(accounts.filter((each) => withSource.has(each)).map((each) => [each, source])),
    },
  };
  const part = (number: string, amounts: readonly string[]) =>
    `Account No: ${number}\nDate,Narration,Debit,Credit\n${amounts.map((amount) => `2026-09-01,NIP ${amount},,${amount}\n`).join('')}\n`;
  const [first, second, third] = NUMBERS as [string, string, string];
  const text = part(first, ['10.00']) + part(second, ['20.00', '21.00']) + part(third, ['30.00']);
  const load = async (confirmed?: string) => {
    const withoutSource = confirmed === undefined ? new Map() : parseWithoutSource(confirmed)!;
    const result = await importEveryAccount(using, {
      ...{ mode: 'test', size: text.length, withoutSource, name: 'all', profile: null, profileChange: true },
      ...{ dryRun: false, actor: 'os:test' },
      open: async function* () {
        yield Buffer.from(text);
      },
    });
    const outcomes = result.ok ? result.value : assert.fail(result.error.message);
    const shown = outcomes.map(({ result: one }) =>
      one.ok
        ? [one.value.file.state, one.value.isSame, one.value.question?.incoming ?? null]
        : one.error.code,
    );
    return [shown, confirmationOf(outcomes)];
  };
  const known = ['done', true, null];
  assert.deepEqual(await load(), [
    [
      ['done', false, null],
      ['failed', false, 2],
      ['failed', false, 1],
    ],
    `uba:${second}=2,uba:${third}=1`,
  ]);
  assert.deepEqual(await load(`uba:${second}=1,uba:${third}=1`), [
    [known, ['failed', false, 2], ['done', false, null]],
    `uba:${second}=2`,
  ]);
  assert.deepEqual(await load(`uba:${second}=2`), [[known, ['done', false, null], known], null]);
});

test('a confirmation names each account with its number of rows', () => {
  assert.deepEqual(
    [...parseWithoutSource('uba:1=2, 058:3=0')!],
    [
      ['uba:1', 2],
      ['058:3', 0],
    ],
  );
  for (const wrong of ['', '5', 'uba:1=', 'uba:1=2,', 'uba:1=-2', 'uba:1=2 3', '=4'])
    assert.equal(parseWithoutSource(wrong), undefined, wrong);
});

test('masked, missing and doubtful accounts are refused with the reason', async () => {
  const part = (name: string) =>
    `Account No: ${name}\nDate,Narration,Debit,Credit\n2026-08-01,NIP ONE,,10.00\n`;
  assert.match(String(await importAll(part('99******02'))), /2 of our accounts may have the number …/);
  assert.match(
    String(await importAll('Date,Narration,Debit,Credit\n2026-08-01,NIP ONE,,10.00\n')),
    /before any account number/,
  );
  assert.match(
    String(await importAll(`${part(NUMBERS[0]!)}Account No: ${NUMBERS[1]}\n2026-08-02,NIP TWO,,20.00\n`)),
    /uba:9900600001,1/,
    'rows below no header are no rows of the account above',
  );
});
