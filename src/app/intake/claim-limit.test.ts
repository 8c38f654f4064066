// Tests the limit on unpaid buys of a business. The service counts the stored buys and refuses a buy above the limit, and
// people can lift the limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptance,
  BUSINESS,
  databaseWithKeys,
  NOW,
  transaction,
} from '../../../test/http/store-fixtures.ts';
import { acceptBatch } from '../../adapters/postgres/accept/accept-batch.ts';
import { makeSettingStore } from '../../adapters/postgres/back-office/setting-store.ts';
import { makeClaimLimits } from '../../adapters/postgres/reads/claim-limits.ts';
import { makePostgresStore } from '../../adapters/postgres/store.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTransaction } from '../../domain/records/transaction-moves.ts';
import { makeClaimLimit } from './claim-limit.ts';

const HOUR_MS = 3_600_000;
const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const settings = { most: 4, windowMs: 24 * HOUR_MS, expiryMs: 24 * HOUR_MS };
const limits = makeClaimLimits(database, settings);

async function expired(atMs: number, changes: Partial<Transaction> = {}): Promise<void> {
  const createdAtMs = atMs - settings.expiryMs;
  const made = transaction({ createdAtMs, expiresAtMs: atMs });
  assert.deepEqual(await acceptBatch(database, [acceptance(made)]), [{ kind: 'created' }]);
  const facts = { actor: 'settlement', atMs, reason: 'payment_not_found', dueAtMs: null } as const;
  const move = moveTransaction(made, 'expired', { ...facts, updates: changes });
  assert.deepEqual(await store.commit([{ atMs, transactions: [move] }]), [{ kind: 'committed' }]);
}

test('only buys that expired unpaid within the period are counted', async () => {
  assert.equal(await limits.countUnmatched(BUSINESS, 'test', NOW), 0);
  await expired(NOW - 25 * HOUR_MS);
  await expired(NOW - 23 * HOUR_MS);
  await expired(NOW - HOUR_MS, { exception: 'paid_late' });
  await expired(NOW - HOUR_MS, { receivedMinor: 1n, exception: 'paid_partial' });
  assert.equal(await limits.countUnmatched(BUSINESS, 'test', NOW), 1);
  assert.equal(await limits.countUnmatched(BUSINESS, 'live', NOW), 0);
  assert.equal(await limits.countUnmatched('biz_none', 'test', NOW), 0);
  assert.deepEqual(await limits.nearLimit('test', NOW), []);
});

test('a business is listed from half of the limit on; buys from before an operator lifted the limit do not count', async () => {
  await expired(NOW - 2 * HOUR_MS);
  assert.deepEqual(await limits.nearLimit('test', NOW), [{ businessId: BUSINESS, count: 2 }]);
  for (let no = 0; no < 3; no++) await expired(NOW - HOUR_MS);
  assert.equal(await limits.countUnmatched(BUSINESS, 'test', NOW), 4, 'counting stops at the limit');
  const lift = {
    setting: 'claim_limit_lifted',
    businessId: BUSINESS,
    mode: 'test',
    reason: 'a test',
  } as const;
  await makeSettingStore(database).apply(lift, { actor: 'ada', atMs: NOW });
  assert.equal(await limits.countUnmatched(BUSINESS, 'test', NOW), 0);
  await expired(NOW + 1);
  assert.equal(await limits.countUnmatched(BUSINESS, 'test', NOW + 2), 1);
  const logged = await database.query({
    text: "select actor from audit_log where action = 'claim_limit_lifted'",
  });
  assert.equal(logged.rows.length, 1);
});

test('the limit uses the last count that was read, and the count is read again after a few seconds', async () => {
  let [nowMs, count] = [NOW, 3];
  const asked: string[] = [];
  const errors: unknown[] = [];
  const limit = makeClaimLimit({
    claimLimits: {
      countUnmatched: async (businessId, mode) => {
        asked.push(`${businessId} ${mode}`);
        if (count < 0) throw new Error('away');
        return count;
      },
    },
    ...{ clock: { now: () => nowMs }, most: 4, windowMs: 24 * HOUR_MS },
    onError: (error) => errors.push(error),
  });
  const refused = async () => {
    limit.refuse('biz', 'live');
    await new Promise((resolve) => setImmediate(resolve));
    return limit.refuse('biz', 'live')?.code;
  };
  assert.equal(await refused(), undefined);
  count = 4;
  assert.equal(await refused(), undefined, 'within a few seconds');
  assert.deepEqual(asked, ['biz live']);
  nowMs += 5_000;
  assert.equal(await refused(), 'unmatched_claims_reached');
  nowMs += 5_000;
  count = -1;
  assert.equal(await refused(), 'unmatched_claims_reached', 'the database is away: as before');
  count = 0;
  assert.equal(await refused(), undefined);
  assert.equal(errors.length, 2);
});

test('0 means no limit', async () => {
  const none = makeClaimLimits(database, { ...settings, most: 0 });
  assert.deepEqual(
    [await none.countUnmatched(BUSINESS, 'test', NOW), await none.nearLimit('test', NOW)],
    [0, []],
  );
});
