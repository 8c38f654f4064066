// Tests what the service finds about one person: rows that contain their data, related rows, records in which they are a party,
// and rows that are never erased.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersonalRow, PersonalRowKeys, PrivacyStore } from '../../ports/privacy.ts';
import { type FindPersonDeps, findPerson } from './find-person.ts';

const ACCOUNT = '0123456785';

const row = (place: string, key: string, changes: Partial<PersonalRow> = {}): PersonalRow => ({
  ...{ place, key: [key], mode: 'test', transactionId: null, creditId: null },
  ...{ overSinceMs: null, isByLaw: false, settles: true, standsAlone: false, erased: false, values: {} },
  ...changes,
});

function world(parts: Partial<PrivacyStore>): FindPersonDeps {
  return {
    privacy: {
      find: async () => [],
      rowsOf: async () => [],
      kept: async (account: string) => ({ audit_log: [`entry about ${account}`] }),
      ...parts,
    },
    travelRule: { list: async () => [] },
  } as unknown as FindPersonDeps;
}

test('rows that are kept forever are found only by the account number', async () => {
  const byAccount = await findPerson(world({}), { account: ACCOUNT, bankCode: null, name: null }, null);
  assert.deepEqual(byAccount.kept, { audit_log: [`entry about ${ACCOUNT}`] });
  const byName = await findPerson(world({}), { account: null, bankCode: null, name: 'Ada Obi' }, null);
  assert.deepEqual(byName.kept, {});
});

test('rows that belong to the transactions and credits of the person are found too, each once', async () => {
  const named = [
    row('transactions', 'txn_1', { transactionId: 'txn_1' }),
    row('bank_credits', 'crd_1', { transactionId: 'txn_1', creditId: 'crd_1' }),
    row('vendors', 'vnd_1'),
  ];
  const belongs = row('movements', 'mov_1', { transactionId: 'txn_1', creditId: 'crd_2' });
  // An answer of an endpoint that mentions the name may be about another person's transaction.
  const line = row('webhook_attempts', 'whd_1', { transactionId: 'txn_other', standsAlone: true });
  const further = row('statement_rows', '7', { creditId: 'crd_2' });
  const asked: PersonalRowKeys[] = [];
  const deps = world({
    find: async () => [...named, line],
    rowsOf: async (rows) => {
      asked.push(rows);
      return asked.length === 1 ? [named[0]!, belongs] : [further];
    },
  });
  const { rows } = await findPerson(deps, { account: ACCOUNT, bankCode: null, name: null }, 'test');
  assert.deepEqual(asked, [
    { transactionIds: ['txn_1'], creditIds: ['crd_1'], keys: [named[2], line] },
    { transactionIds: ['txn_1'], creditIds: ['crd_2'], keys: [] },
  ]);
  assert.deepEqual(rows, [...named, line, belongs, further]);
});
