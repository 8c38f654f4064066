// Tests what an operator sees after an upgrade, if an earlier version released payments from files that do not prove the
// direction of money.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findCertainProfiles } from '../../src/cli/commands/statements/uncertain.ts';
import { importLayout, openImports } from './layouts.ts';

const imports = await openImports();
after(imports.close);
const { statements, statementReaders } = imports.deps;
const list = () =>
  statements.listUncertain({
    mode: 'test',
    certainProfiles: findCertainProfiles(statementReaders.profiles()),
    limit: 10,
  });

async function forgetDirections(): Promise<void> {
  await imports.database.query({ text: 'alter table statement_rows disable trigger user' });
  await imports.database.query({ text: 'update statement_rows set direction_by = null' });
  await imports.database.query({ text: 'alter table statement_rows enable trigger user' });
}

test('earlier payments are listed if neither their profile nor a balance confirms their direction', async () => {
  const head = 'Date,Details,Amount,Type';
  await importLayout(
    imports,
    'gtbank:9900400001',
    `${head}\n2026-05-04,REFUND ORDER-7731A,25000.00,Credit\n2026-05-04,SMS FEE,4.00,Debit\n`,
  );
  await importLayout(
    imports,
    'gtbank:9900400002',
    `${head},Balance\n2026-05-04,ONE,100.00,Credit,1100.00\n2026-05-05,TWO,200.00,Credit,1300.00\n`,
  );
  await importLayout(
    imports,
    'uba:9900400003',
    'Tran Date,Value Date,Narration,Debit,Credit,Balance\n04/05/2026,04/05/2026,TWO COLUMNS,,1.00,1.00\n',
  );
  assert.deepEqual(await list(), [], 'what is imported now is certain');
  await forgetDirections();
  const found = await list();
  assert.deepEqual(
    found.map(({ narration, credit }) => [narration, credit]),
    [
      ['REFUND ORDER-7731A', null],
      ['ONE', null],
    ],
  );
  assert.deepEqual([found[0]!.amountMinor, found[0]!.line, found[0]!.profile], [2_500_000n, 2, 'generic']);
});

test('a listed payment shows the credit that it became and the transaction that it paid for', async () => {
  const { database } = imports;
  const { rows } = await database.query<{ id: string }>({
    text: `select key || '/' || ordinal as id from statement_rows where account = 'gtbank:9900400001' and amount_minor > 0`,
  });
  await database.query({ text: 'alter table bank_credits disable trigger user' });
  await database.query({
    text: `insert into bank_credits (id, mode, source, source_id, account_number, amount_minor, value_at, received_at, raw, state,
        transaction_id, version) values ('crd_1', 'test', 'statements', $1, '9900400001', 2500000, now(), now(), '{}', 'matched', 'txn_1', 1)`,
    values: [rows[0]!.id],
  });
  const [paid, unpaid] = await list();
  assert.deepEqual(paid!.credit, { id: 'crd_1', state: 'matched', transactionId: 'txn_1' });
  assert.equal(unpaid!.credit, null);
});

test('the direction was always certain only for profiles with two amount columns and formats with a direction mark', () => {
  const names = findCertainProfiles(statementReaders.profiles());
  assert.deepEqual([...names].sort(), [
    ...[
      'access',
      'camt.053',
      'camt.054',
      'fidelity',
      'firstbank',
      'gtbank',
      'kuda',
      'moniepoint',
      'mt940',
      'opay',
    ],
    ...['providus', 'sterling', 'uba', 'wema', 'zenith'],
  ]);
});
