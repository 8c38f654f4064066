// Tests on a real PostgreSQL which claims a credit may pay. They are found by the payer's account, by the amount if the bank
// names no payer, or by a reference in the narration. They must have the same vendor account and mode, be within the time
// window, and still be open.
import assert from 'node:assert/strict';
import { AMOUNT, DAY_MS, makeClaimFixtures, PAYER } from '../../../../test/http/claim-fixtures.ts';
import { COMMITTED } from '../../../../test/http/settlement-fixtures.ts';
import {
  acceptance,
  databaseWithKeys,
  NOW,
  sell,
  transaction,
} from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { until } from '../../../../test/support/patience.ts';
import type { BankCredit } from '../../../domain/records/credit.ts';
import { BUY_STATES } from '../../../domain/records/states.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const { test, vendor, here, claim } = makeClaimFixtures(database);
const WINDOW_MS = 7 * DAY_MS;

const sorted = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort();

async function found(given: BankCredit, windowMs = WINDOW_MS): Promise<string[]> {
  const candidates = await store.findCandidates([given], windowMs);
  return sorted(candidates.get(given.id)!.claims);
}

test('the payer’s account number, full or masked, finds a claim of any amount', async () => {
  const exact = await claim();
  const differs = await claim({ amountMinor: AMOUNT + 1n });
  await claim({ accountNumber: '0123456784' });
  for (const payerAccount of [PAYER, '******6785', '012****785', 'XXXXXX6785', '012-345 6785'])
    assert.deepEqual(await found(here({ payerAccount })), sorted([exact, differs]), payerAccount);
  for (const payerAccount of ['9123456785', '0123456786', '******6784'])
    assert.ok(!(await found(here({ payerAccount }))).includes(exact.id), payerAccount);
  const whole = await store.findCandidates([here({ payerAccount: PAYER, amountMinor: AMOUNT })], WINDOW_MS);
  const claims = [...whole.values()][0]!.claims;
  assert.deepEqual(
    claims.find(({ id }) => id === exact.id),
    exact,
  );
});

test('a payment of a tester finds only claims of the tester’s own business, by every kind of lookup', async () => {
  const own = await claim({ reference: 'SANDBOX-REF-1' });
  const narration = 'for SANDBOX-REF-1';
  for (const given of [{ payerAccount: PAYER }, { payerAccount: null }, { payerAccount: null, narration }]) {
    assert.deepEqual(await found(here({ ...given, businessId: own.businessId })), [own.id]);
    assert.deepEqual(await found(here({ ...given, businessId: 'biz_another' })), []);
    assert.deepEqual(await found(here({ ...given, businessId: null })), [own.id]);
  }
});

test('threat 20: without a payer, only the exact amount finds a claim', async () => {
  const exact = [await claim(), await claim({ accountNumber: '9999999999' })];
  await claim({ amountMinor: AMOUNT + 1n });
  await claim({ amountMinor: AMOUNT - 1n });
  for (const payerAccount of [null, '', '********', '******85', '0000000000', 'NOT GIVEN'])
    assert.deepEqual(await found(here({ payerAccount })), sorted(exact), String(payerAccount));
});

test('our reference or our id in the narration finds its claim, in addition to the other claims of the payer', async () => {
  const named = await claim({ reference: 'INV-2026_0042', accountNumber: '9999999999' });
  const payers = await claim();
  await claim({ reference: '20', accountNumber: '9999999999' });
  await claim({ reference: 'INV-2026_0042.1', accountNumber: '9999999999', amountMinor: AMOUNT + 1n });
  const foundBy = (narration: string) => found(here({ payerAccount: PAYER, narration }));
  assert.deepEqual(await foundBy('TRF/inv 2026 0042/ADA'), sorted([named, payers]));
  assert.deepEqual(await foundBy(`FOR ${named.id.toUpperCase()}`), sorted([named, payers]));
  assert.deepEqual(await foundBy('TRF 2026'), [payers.id]);
});

test('threats 24, 53: late, cancelled and contested claims are found; paid, held and finished claims are not', async () => {
  const open: Transaction[] = [];
  for (const state of BUY_STATES) {
    const made = await claim({ state });
    if (['awaiting_wallet', 'awaiting_payment', 'expired', 'cancelled'].includes(state)) open.push(made);
  }
  open.push(await claim({ state: 'on_hold', exception: 'duplicate_claim' }));
  await claim({ state: 'on_hold', exception: 'name_mismatch' });
  await claim({ state: 'on_hold', exception: 'duplicate_claim', receivedMinor: 1n });
  assert.deepEqual(await found(here({ payerAccount: PAYER })), sorted(open));
  // If the bank names no payer, a cancelled claim is not found.
  const waiting = open.filter(({ state }) => state !== 'cancelled');
  assert.deepEqual(await found(here({ payerAccount: null })), sorted(waiting));
});

test('a claim is found until the window after its expiry has passed', async () => {
  const old = await claim({ expiresAtMs: NOW - WINDOW_MS });
  const gone = await claim({ expiresAtMs: NOW - WINDOW_MS - 1 });
  for (const payerAccount of [PAYER, null]) {
    const given = here({ payerAccount, receivedAtMs: NOW });
    assert.deepEqual(await found(given), [old.id]);
    assert.deepEqual(await found(given, WINDOW_MS + 1), sorted([old, gone]));
  }
});

test('threat 26: claims on another account, claims of the other mode, and sells are not found', async () => {
  await claim({ vendor: { ...vendor(), number: '9900000099' } });
  const live = await claim({ mode: 'live' });
  const other = sell({ accountNumber: PAYER, amountMinor: AMOUNT });
  await acceptBatch(database, [acceptance(other)]);
  for (const payerAccount of [PAYER, null]) {
    assert.deepEqual(await found(here({ payerAccount })), []);
    assert.deepEqual(await found(here({ payerAccount, mode: 'live' })), [live.id]);
  }
});

test('the claims with the amount of the credit are always found, even if the payer has many other claims', async () => {
  const exact = [await claim(), await claim()];
  for (let i = 1; i <= 40; i++) await claim({ amountMinor: AMOUNT + BigInt(i) });
  const all = await found(here({ payerAccount: PAYER }));
  assert.ok(exact.every(({ id }) => all.includes(id)));
  assert.ok(all.length <= 50);
});

test('threat 21: similar credits are ordered by age, and are read only when several claims match', async () => {
  await claim();
  const equal = [here(), here({ receivedAtMs: NOW - 5 }), here({ state: 'review' })];
  const unlike = [
    here({ payerName: 'OTHER' }),
    here({ payerAccount: PAYER }),
    here({ amountMinor: AMOUNT + 1n }),
    here({ mode: 'live' }),
    here({ state: 'refunded' }),
  ];
  const given = [...equal, ...unlike];
  assert.deepEqual(
    await store.commit(given.map((each) => ({ atMs: NOW, newCredits: [each] }))),
    given.map(() => COMMITTED),
  );
  const alone = await store.findCandidates(equal, WINDOW_MS);
  for (const each of equal) assert.deepEqual(alone.get(each.id)!.equalCredits, [each.id]);
  await claim();
  const contested = await store.findCandidates(equal, WINDOW_MS);
  const young = [equal[0]!, equal[2]!].map(({ id }) => id).sort();
  for (const each of equal) assert.deepEqual(contested.get(each.id)!.equalCredits, [equal[1]!.id, ...young]);
});

test('each of many credits in one query gets its own claims', async () => {
  const accounts = Array.from({ length: 60 }, (_, index) => String(7_000_000_000 + index * 1_001));
  const claims = await Promise.all(accounts.map((accountNumber) => claim({ accountNumber })));
  const credits = accounts.map((payerAccount) => here({ payerAccount }));
  const candidates = await store.findCandidates(credits, WINDOW_MS);
  for (const [index, each] of credits.entries())
    assert.deepEqual(sorted(candidates.get(each.id)!.claims), [claims[index]!.id]);
  assert.equal((await store.findCandidates([], WINDOW_MS)).size, 0);
});

test('when a new claim makes a credit due during its decision, the decided state counts: a closed credit does not become due', async () => {
  const made = transaction({ vendor: vendor(), accountNumber: PAYER, amountMinor: AMOUNT });
  for (const [state, hastened] of [
    ['review', 1],
    ['refunded', 0],
  ] as const) {
    const paid = here({ payerAccount: PAYER, dueAtMs: NOW + DAY_MS });
    await commitAll(store, [{ atMs: NOW, newCredits: [paid] }]);
    const { waiting } = await database.transaction(async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await client.query('update bank_credits set state = $2, due_at = null where id = $1', [paid.id, state]);
      const hastening = store.hastenCredits([made], NOW);
      const text = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
      const values = [rows[0]!.pid];
      await until(
        'it waits for the decision',
        async () => (await database.query({ text, values })).rowCount !== 0,
      );
      return { waiting: hastening };
    });
    assert.equal(await waiting, hastened);
    const { dueAtMs } = (await store.creditsById([paid.id])).get(paid.id)!;
    assert.equal(dueAtMs, hastened === 1 ? NOW : null);
    await database.query({
      text: `update bank_credits set state = 'refunded' where id = $1`,
      values: [paid.id],
    });
  }
});
