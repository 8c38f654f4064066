// Tests what happens when two vendors become silent at the same moment, and a different process finds each of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsOrWaits } from '../../../../test/http/races.ts';
import { databaseWithKeys, NOW, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import type { VendorSilence } from '../../../ports/reconciliation.ts';
import { makeBackOffice } from '../back-office/back-office.ts';
import type { Database } from '../connection/database.ts';
import { makeSilentVendors } from './silent-vendors.ts';

const { url, database } = await databaseWithKeys();
const backOffice = makeBackOffice(database);
for (const [index, number] of ['9900000011', '9900000028'].entries())
  await backOffice.addVendor(
    {
      ...{ id: `vnd_${index}`, mode: 'test', name: `Vendor ${index}`, number, bank: 'Wema' },
      ...{ bankCode: 'wema-bank', active: true },
    },
    { actor: 'test', atMs: NOW },
  );
const record = (vendorId: string) => ({
  ...{ vendorId, lastCreditAtMs: NOW - 90_000_000, sinceMs: NOW - 90_000_000, unpaid: 9, businesses: 2 },
  ...{ paidBefore: 9, endedBefore: 9, payersBefore: 2 },
});

/**
 * Runs `meanwhile` before the row about a silent vendor is written. At that time the process has already counted the other
 * vendors.
 */
function pausing(inner: Database, meanwhile: () => Promise<void>): Database {
  return {
    ...inner,
    transaction: (work) =>
      inner.transaction((client) =>
        work(
          new Proxy(client, {
            get: (of, name) => {
              const value = Reflect.get(of, name) as (...given: unknown[]) => unknown;
              if (name !== 'query') return typeof value === 'function' ? value.bind(of) : value;
              return async (...given: unknown[]) => {
                if (`${given[0]}`.startsWith('insert into vendor_silences')) await meanwhile();
                return value.apply(of, given);
              };
            },
          }),
        ),
      ),
  };
}

test('when two processes find the last two vendors silent at once, only one vendor is taken off the list', async () => {
  let second: Promise<VendorSilence | undefined> | undefined;
  const slow = pausing(openTestDatabase(url), async () => {
    second = makeSilentVendors(database).silence(record('vnd_1'), NOW);
    await endsOrWaits(database, second);
  });
  const first = await makeSilentVendors(slow).silence(record('vnd_0'), NOW);
  assert.deepEqual([first?.vendorId, first?.takenOff], ['vnd_0', true]);
  const last = await second;
  assert.deepEqual([last?.vendorId, last?.takenOff], ['vnd_1', false]);
  const { rows } = await database.query<{ id: string }>({ text: 'select id from vendors where active' });
  assert.deepEqual(rows, [{ id: 'vnd_1' }]);
});

test('a vendor is recorded as silent only once, and a vendor that is off the list is never recorded', async () => {
  const { silence, list } = makeSilentVendors(database);
  assert.equal(await silence(record('vnd_1'), NOW), undefined);
  assert.equal(await silence(record('vnd_0'), NOW), undefined);
  assert.equal((await list('test')).length, 2);
});
