// A file with several accounts: the rows of each go to our account with that number, completely or not at all.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type EveryAccountDeps, importEveryAccount } from '../../src/app/statements/import-every-account.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { openImports } from './open-imports.ts';

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
    mode: 'test',
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
