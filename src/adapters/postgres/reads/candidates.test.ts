// The claims a credit may pay, on a real PostgreSQL: by the payer's account, by the amount where the bank names no payer,
// by a reference in the narration; of the same account and mode, within the window, and still open.
import assert from 'node:assert/strict';
import { test as plainTest } from 'node:test';
import { COMMITTED, credit, movement, notice } from '../../../../test/http/settlement-fixtures.ts';
import {
  acceptance,
  databaseWithKeys,
  LIVE_KEY,
  NOW,
  sell,
  transaction,
} from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/committed.ts';
import { moveOf } from '../../../domain/records/change.ts';
import type { BankCredit } from '../../../domain/records/credit.ts';
import { BUY_STATES } from '../../../domain/records/states.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { acceptBatch } from '../accept/accept.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const DAY_MS = 86_400_000;
const WINDOW_MS = 7 * DAY_MS;
const AMOUNT = 1_500_050n;
const PAYER = '0123456785';

/** Each test has a vendor account of its own. */
let number = 1_000_000_000;
const test = (name: string, work: () => Promise<void>) =>
  plainTest(name, () => {
    number += 1;
    return work();
  });
const vendor = () => ({ vendorId: 'vnd_1', name: 'Vendor', number: String(number), bank: 'Providus Bank' });
const here = (changes: Partial<BankCredit> = {}) =>
  credit({ accountNumber: String(number), narration: null, ...changes });

async function claim(changes: Partial<Transaction> = {}): Promise<Transaction> {
  const made = transaction({ vendor: vendor(), accountNumber: PAYER, amountMinor: AMOUNT, ...changes });
  const keyId = made.mode === 'live' ? { keyId: LIVE_KEY } : {};
  assert.deepEqual(await acceptBatch(database, [acceptance(made, keyId)]), [{ kind: 'created' }]);
  await database.query({
    text: 'update transaction_states set exception = $2, received_minor = $3 where transaction_id = $1',
    values: [made.id, made.exception, made.receivedMinor.toString()],
  });
  return made;
}

const sorted = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort();

async function found(given: BankCredit, windowMs = WINDOW_MS): Promise<string[]> {
  const candidates = await store.findCandidates([given], windowMs);
  return sorted(candidates.get(given.id)!.claims);
}

test('the payer’s account finds a claim, whole or masked, whatever the amount', async () => {
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

test('threat 20: without a payer the amount decides, to the kobo', async () => {
  const exact = [await claim(), await claim({ accountNumber: '9999999999' })];
  await claim({ amountMinor: AMOUNT + 1n });
  await claim({ amountMinor: AMOUNT - 1n });
  for (const payerAccount of [null, '', '********', '******85', '0000000000', 'NOT GIVEN'])
    assert.deepEqual(await found(here({ payerAccount })), sorted(exact), String(payerAccount));
});

test('a reference of ours, or our id, in the narration finds its claim beside the payer’s own', async () => {
  const named = await claim({ reference: 'INV-2026_0042', accountNumber: '9999999999' });
  const payers = await claim();
  await claim({ reference: '20', accountNumber: '9999999999' });
  await claim({ reference: 'INV-2026_0042.1', accountNumber: '9999999999', amountMinor: AMOUNT + 1n });
  const told = (narration: string) => found(here({ payerAccount: PAYER, narration }));
  assert.deepEqual(await told('TRF/inv 2026 0042/ADA'), sorted([named, payers]));
  assert.deepEqual(await told(`FOR ${named.id.toUpperCase()}`), sorted([named, payers]));
  assert.deepEqual(await told('TRF 2026'), [payers.id]);
});

test('threats 24, 53: late, cancelled and contested claims are found; what is paid, held or over is not', async () => {
  const open: Transaction[] = [];
  for (const state of BUY_STATES) {
    const made = await claim({ state });
    if (['awaiting_wallet', 'awaiting_payment', 'expired', 'cancelled'].includes(state)) open.push(made);
  }
  open.push(await claim({ state: 'on_hold', exception: 'duplicate_claim' }));
  await claim({ state: 'on_hold', exception: 'name_mismatch' });
  await claim({ state: 'on_hold', exception: 'duplicate_claim', receivedMinor: 1n });
  assert.deepEqual(await found(here({ payerAccount: PAYER })), sorted(open));
  // Without a payer nothing leads to a claim that was given up.
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

test('threat 26: claims on another account, of the other mode, and sells are not found', async () => {
  await claim({ vendor: { ...vendor(), number: '9900000099' } });
  const live = await claim({ mode: 'live' });
  const other = sell({ accountNumber: PAYER, amountMinor: AMOUNT });
  await acceptBatch(database, [acceptance(other)]);
  for (const payerAccount of [PAYER, null]) {
    assert.deepEqual(await found(here({ payerAccount })), []);
    assert.deepEqual(await found(here({ payerAccount, mode: 'live' })), [live.id]);
  }
});

test('a payer’s many other claims never hide those with the amount of the credit', async () => {
  const exact = [await claim(), await claim()];
  for (let i = 1; i <= 40; i++) await claim({ amountMinor: AMOUNT + BigInt(i) });
  const all = await found(here({ payerAccount: PAYER }));
  assert.ok(exact.every(({ id }) => all.includes(id)));
  assert.ok(all.length <= 50);
});

test('threat 21: credits that look alike are told apart by age, and only asked for where several claims compete', async () => {
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

test('many credits at once are each answered with their own claims', async () => {
  const accounts = Array.from({ length: 60 }, (_, index) => String(7_000_000_000 + index * 1_001));
  const claims = await Promise.all(accounts.map((accountNumber) => claim({ accountNumber })));
  const credits = accounts.map((payerAccount) => here({ payerAccount }));
  const candidates = await store.findCandidates(credits, WINDOW_MS);
  for (const [index, each] of credits.entries())
    assert.deepEqual(sorted(candidates.get(each.id)!.claims), [claims[index]!.id]);
  assert.equal((await store.findCandidates([], WINDOW_MS)).size, 0);
});

test('a new claim makes due the open credits it may explain, and nothing else', async () => {
  const later = { dueAtMs: NOW + DAY_MS };
  const [apart, words] = [{ amountMinor: AMOUNT + 1n }, { narration: 'words' }];
  const explained = [
    here({ ...later, ...apart, payerAccount: PAYER }),
    here({ ...later, ...apart, payerAccount: '******6785' }),
    here({ ...later, ...apart, payerAccount: '012****785' }),
    here({ ...later, ...apart, payerAccount: PAYER, state: 'review' }),
    here({ dueAtMs: null, payerAccount: null }),
    here({ ...later, payerAccount: '********' }),
    // Zeros for "not known": it is looked for by its amount, like one without a payer.
    here({ ...later, payerAccount: '0000000000' }),
    here({ ...later, payerAccount: '9999999999', ...words }),
  ];
  const others = [
    here({ ...later, ...apart, payerAccount: '********' }),
    here({ ...later, ...apart, payerAccount: '0000000000' }),
    here({ ...later, ...apart, payerAccount: '******85' }),
    here({ ...later, ...apart, payerAccount: '%' }),
    here({ ...later, ...apart, payerAccount: null, ...words }),
    here({ ...later, payerAccount: '9999999999' }),
    here({ ...later, payerAccount: PAYER, state: 'matched', transactionId: 'txn_x' }),
    here({ ...later, payerAccount: PAYER, state: 'refunded' }),
    here({ ...later, payerAccount: PAYER, mode: 'live' }),
    here({ ...later, payerAccount: PAYER, accountNumber: '9900000099' }),
    here({ payerAccount: PAYER, dueAtMs: NOW - 5 }),
  ];
  // Everything a credit may be in, told by hand: a commit adds only open ones.
  await commitAll(
    store,
    [...explained, ...others].map((each) => ({ atMs: NOW, newCredits: [{ ...each, state: 'unmatched' }] })),
  );
  for (const { id, state, transactionId } of [...explained, ...others])
    await database.query({
      text: 'update bank_credits set state = $2, transaction_id = $3 where id = $1',
      values: [id, state, transactionId],
    });
  const made = transaction({ vendor: vendor(), accountNumber: PAYER, amountMinor: AMOUNT });
  assert.equal(await store.hastenCredits([made, made], NOW), explained.length);
  const now = await store.creditsById([...explained, ...others].map(({ id }) => id));
  for (const each of explained) assert.deepEqual(now.get(each.id), { ...each, dueAtMs: NOW });
  for (const each of others) assert.deepEqual(now.get(each.id), each);
  assert.equal(await store.hastenCredits([made], NOW), 0);
  assert.equal(await store.hastenCredits([], NOW), 0);
});

test('hastening waits for nobody in a circle, beside other hastening and commits of the same credits', async () => {
  const credits = Array.from({ length: 40 }, () => here({ payerAccount: null, dueAtMs: NOW + DAY_MS }));
  await commitAll(
    store,
    credits.map((each) => ({ atMs: NOW, newCredits: [each] })),
  );
  const made = transaction({ vendor: vendor(), accountNumber: PAYER, amountMinor: AMOUNT });
  for (let round = 0; round < 20; round++) {
    const held = await store.creditsById(credits.map(({ id }) => id));
    const moves = [...held.values()].map((each) => ({
      atMs: NOW,
      credits: [{ version: each.version, after: { ...each, dueAtMs: NOW + DAY_MS } }],
    }));
    await Promise.all([
      store.hastenCredits([made], NOW + round),
      store.commit(moves.toReversed()),
      store.hastenCredits([made, made], NOW + round),
    ]);
  }
});

test('nor does hastening of notices and refunds, beside commits of the same ones', async () => {
  const notices = Array.from({ length: 200 }, (_, index) => notice({ about: `hastened ${index}` }));
  const lastFirst = notices.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const credits = lastFirst.map(({ source, about }) => here({ source, sourceId: about }));
  const buy = await claim();
  const of = { transactionId: buy.id, kind: 'refund', destination: null, dueAtMs: NOW } as const;
  const refunds = Array.from({ length: 60 }, () => movement(of));
  assert.deepEqual(await store.commit([{ atMs: NOW, newNotices: notices, newMovements: refunds }]), [
    COMMITTED,
  ]);
  const versionsIn = async (table: string, ids: readonly string[]) => {
    const text = `select id, version from ${table} where id = any ($1::text[])`;
    const { rows } = await database.query<{ id: string; version: number }>({ text, values: [ids] });
    return new Map(rows.map(({ id, version }) => [id, Number(version)]));
  };
  const movedOn = async <Row extends { id: string; version: number }>(
    table: string,
    rows: readonly Row[],
  ) => {
    const versions = await versionsIn(
      table,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => moveOf({ ...row, version: versions.get(row.id)! }, {}));
  };
  for (let round = 0; round < 30; round++) {
    const [moves, steps] = [await movedOn('bank_notices', notices), await movedOn('movements', refunds)];
    const [told] = await Promise.all([
      store.hastenNotices(credits, NOW + round),
      store.commit([{ atMs: NOW, notices: moves }]),
      store.hastenRefunds(buy.id, NOW + round),
      store.commit([{ atMs: NOW, movements: steps }]),
    ]);
    assert.equal(told.size, credits.length);
  }
});

test('a refund that waits for a destination is looked at again, and whoever looked before must do so anew', async () => {
  const buy = await claim();
  const of = { transactionId: buy.id, kind: 'refund', dueAtMs: NOW + DAY_MS } as const;
  const waiting = movement({ ...of, destination: null });
  const others = [
    movement(of),
    movement({ ...of, destination: null, state: 'sending' }),
    movement({ ...of, transactionId: 'txn_x', destination: null }),
  ];
  const change = { atMs: NOW, newMovements: [waiting, ...others] };
  assert.deepEqual(await store.commit([change]), [COMMITTED]);
  await store.hastenRefunds(buy.id, NOW);
  assert.deepEqual(await store.movementById(waiting.id), { ...waiting, dueAtMs: NOW, version: 2 });
  for (const each of others) assert.deepEqual(await store.movementById(each.id), each);
});

test('threat 54: each deposit target is answered in its place, and a missing memo finds nobody', async () => {
  const [first, second] = [sell(), sell()];
  await acceptBatch(database, [acceptance(first), acceptance(second)]);
  const target = (of: Transaction, index: 0 | 1) => ({
    address: of.deposits[index]!.address,
    memo: of.deposits[index]!.memo ?? '',
  });
  const asked = [target(second, 0), { ...target(first, 0), memo: '' }, target(first, 0), target(second, 0)];
  const answers = await store.findDepositTargets('test', 'Stellar', asked);
  assert.deepEqual(answers, [second.id, undefined, first.id, second.id]);
  assert.deepEqual(await store.findDepositTargets('live', 'Stellar', [target(first, 0)]), [undefined]);
  assert.deepEqual(await store.findDepositTargets('test', 'Polygon', [target(first, 1), target(first, 0)]), [
    first.id,
    undefined,
  ]);
  assert.deepEqual(await store.findDepositTargets('test', 'Polygon', []), []);
});
