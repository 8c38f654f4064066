// Tests that an import locks its account, and that an unreachable database is reported as such.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import pg from 'pg';
import { freshDatabase } from '../../../../test/support/database.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { ConnectionSettings, Database } from '../connection/database.ts';
import { makeStatementStore } from './statement-store.ts';

const importsOn = (connection: ConnectionSettings) =>
  makeStatementStore(undefined as unknown as Database, connection).withImport;

test('an import connects before its first query, and reports that nothing was done if it cannot connect', async () => {
  const connecting = mock.method(pg.Client.prototype, 'connect', () => Promise.reject(new Error('refused')));
  try {
    const nowhere = { host: '127.0.0.1', port: 1, user: 'sliproad', database: 'sliproad' };
    const importing = importsOn(nowhere)('test', '9900000011', async () => assert.fail('it was reached'));
    assert.equal(connecting.mock.callCount(), 1);
    await assert.rejects(
      importing,
      (error) => error instanceof StoreUnavailable && !error.mayHaveActed && error.message === 'refused',
    );
  } finally {
    connecting.mock.restore();
  }
});

test('during an import, a second import of the same account does nothing; other accounts and the other mode are not locked', async () => {
  const withImport = importsOn({ connectionString: await freshDatabase() });
  const tried: unknown[] = [];
  await withImport('test', '9900000011', async () => {
    for (const [mode, account] of [
      ['test', '9900000011'],
      ['test', '9900000012'],
      ['live', '9900000011'],
    ] as const)
      tried.push(await withImport(mode, account, async () => 'imported'));
  });
  assert.deepEqual(tried, [undefined, 'imported', 'imported']);
  assert.equal(await withImport('test', '9900000011', async () => 'imported'), 'imported');
});
