// A bank takes a credit back, at every point of a buy's life: before its value was given the money simply leaves; after
// it, there is a loss, a case and a business that stands still.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { openRig, PAYER } from '../../../test/support/settlement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { leaseOf, newId } from './context.ts';
import { handleNotices } from './handle-notices.ts';
import { readBankFeed } from './read-bank-feed.ts';

const rig = await openRig({ freezeOnReversal: true });

let people = 0;
function newPayer() {
  people++;
  return { accountNumber: `${3_000_000_000 + people * 7_919}`, amountMinor: 1_800_000n + BigInt(people) };
}

async function claimed(changes: Partial<Transaction> = {}, paidMinor?: bigint) {
  const payer = newPayer();
  const buy = await rig.buy({ ...payer, ...changes });
  const id = await rig.payIn({
    payerAccount: payer.accountNumber,
    amountMinor: paidMinor ?? payer.amountMinor,
  });
  return { buy, id, ...payer };
}

const pause = (paused: boolean) =>
  rig.backOffice.setMovementsPaused(paused, 'test', { actor: 'test', atMs: rig.now() });
const creditNamed = async (id: string) => (await rig.deps.store.findCredit('test', 'simulated', id))!;
const casesOf = (id: string) =>
  rig.rows('select kind, business_id, amount_minor::text as amount from cases where transaction_id = $1', id);

test('reversed before any claim: the money leaves suspense, and a later claim is not paid with it', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const id = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.sandbox.reverse(id);
  await rig.passing(3_000);
  const credit = await creditNamed(id);
  assert.equal(credit.state, 'reversed');
  assert.deepEqual(await rig.books(credit.id), {});
  const buy = await rig.buy({ accountNumber, amountMinor });
  await rig.passing(2_000);
  assert.equal((await rig.find(buy.id)).state, 'awaiting_payment');
});

test('reversed while it is held for review: the money leaves, nothing is sent, no loss', async () => {
  const { buy, id } = await claimed({ accountName: 'Musa Ibrahim' });
  await rig.until(buy.id, 'on_hold');
  await rig.sandbox.reverse(id);
  await rig.passing(2_000);
  const { state, exception } = await rig.find(buy.id);
  assert.deepEqual([state, exception], ['on_hold', 'credit_reversed']);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
  assert.deepEqual(await casesOf(buy.id), []);
});

test('reversed after the match and before the send: the buy is held, and nothing is sent when movements go on', async () => {
  await pause(true);
  const { buy, id } = await claimed();
  await rig.until(buy.id, 'paid');
  await rig.sandbox.reverse(id);
  const held = await rig.until(buy.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['credit_reversed', 0n]);
  await pause(false);
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'on_hold');
  assert.deepEqual(await rig.deps.store.movementsOf([buy.id]), []);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
  assert.deepEqual(await casesOf(buy.id), []);
});

test('reversed while the wallet cannot receive the token yet: the buy is held, and nothing is sent when it can', async () => {
  const { buy, id } = await claimed();
  const waiting = rig.another({ network: () => ({ recipientReady: async () => 'waiting' }) });
  // The feed is the other process's until its lease ends.
  rig.pass(20_000);
  await waiting.run();
  assert.equal((await rig.find(buy.id)).state, 'awaiting_trustline');
  await rig.sandbox.reverse(id);
  rig.pass(20_000);
  await rig.passing(20_000);
  const held = await rig.find(buy.id);
  assert.deepEqual([held.state, held.exception, held.receivedMinor], ['on_hold', 'credit_reversed', 0n]);
  assert.deepEqual(await rig.deps.store.movementsOf([buy.id]), []);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
  assert.deepEqual(await casesOf(buy.id), []);
});

test('reversed after another payment came in its place: the send goes on, and only the stray money leaves', async () => {
  const { buy, id, accountNumber, amountMinor } = await claimed({}, 1_000_000n);
  await rig.until(buy.id, 'on_hold');
  await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.until(buy.id, 'sending', 'confirming');
  await rig.sandbox.reverse(id);
  const { state } = await rig.until(buy.id, 'completed');
  assert.equal(state, 'completed');
  assert.equal((await creditNamed(id)).state, 'reversed');
  assert.deepEqual(await casesOf(buy.id), []);
});

test('reversed while every attempt to send is dead: the send is called off, and nothing is lost', async () => {
  const { buy, id } = await claimed();
  rig.meets('broadcast', '*', 'rejected');
  await rig.until(buy.id, 'sending');
  await rig.backOffice.setMovementsPaused(true, 'test', { actor: 'test', atMs: rig.now() });
  const [send] = await rig.deps.store.movementsOf([buy.id]);
  if (send!.state === 'pending') {
    await rig.sandbox.reverse(id);
    await rig.passing(2_000);
    const { state: held, exception, receivedMinor } = await rig.find(buy.id);
    assert.deepEqual([held, exception, receivedMinor], ['on_hold', 'credit_reversed', 0n]);
    assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
    assert.deepEqual(await casesOf(buy.id), []);
  } else assert.fail(`the send is ${send!.state}`);
  await pause(false);
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'on_hold');
});

test('reversed after it went back: the send that another payment pays for goes on, and only the refund is lost', async () => {
  const other = await openRig({ partialCredit: 'refund' });
  const [accountNumber, payerName] = ['3111222333', 'SANDBOX ACCOUNT HOLDER'];
  const buy = await other.buy({ accountNumber, accountName: null, amountMinor: 1_900_000n });
  const short = await other.payIn({ payerAccount: accountNumber, payerName, amountMinor: 400_000n });
  await other.passing(10_000);
  assert.equal((await other.find(buy.id)).refundedMinor, 400_000n);
  other.meets('broadcast', '*', 'rejected');
  await other.payIn({ payerAccount: accountNumber, payerName, amountMinor: 1_900_000n });
  await other.until(buy.id, 'sending');
  const [send] = (await other.deps.store.movementsOf([buy.id])).filter(({ kind }) => kind === 'send');
  assert.equal(send!.state, 'pending', 'its attempt did nothing, and the next is not made yet');
  await other.sandbox.reverse(short);
  const done = await other.until(buy.id, 'completed');
  assert.deepEqual([done.exception, done.refundedMinor], ['credit_reversed', 400_000n]);
  assert.equal((await other.books(buy.id))['NGN losses'], 400_000n);
  assert.equal(await other.network('Polygon').paidTimes(send!.id), 1);
  await booksBalance({ foundation: other } as never);
});

async function splitCredit() {
  const { accountNumber, amountMinor } = newPayer();
  const id = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(3_000);
  const whole = await creditNamed(id);
  const parts = [1n, amountMinor - 1n].map((part, index) => ({
    ...whole,
    id: newId(rig.deps, 'crd'),
    sourceId: `${whole.sourceId}#${index + 1}`,
    parentId: whole.id,
    amountMinor: part,
    state: 'unmatched' as const,
    version: 1,
  }));
  const split = {
    version: whole.version,
    after: { ...whole, state: 'split' as const, version: whole.version + 1 },
  };
  const [outcome] = await rig.deps.store.commit([{ atMs: rig.now(), credits: [split], newCredits: parts }]);
  assert.deepEqual(outcome, { kind: 'committed' });
  const ids = [whole.id, ...parts.map((part) => part.id)];
  const states = async () =>
    (
      await rig.rows(
        'select state from bank_credits where id = any ($1::text[]) order by parent_id nulls first, source_id',
        ids,
      )
    ).map(({ state }) => state);
  return { id, ids, states };
}

test('a split credit that is taken back is taken back part by part', async () => {
  const { id, ids, states } = await splitCredit();
  await rig.sandbox.reverse(id);
  await rig.passing(3_000);
  assert.deepEqual(await states(), ['reversed', 'reversed', 'reversed']);
  assert.deepEqual(await rig.books(...ids), {});
});

test('a part that another changes meanwhile is taken back at the next look, and the whole not before it', async () => {
  const { id, ids, states } = await splitCredit();
  await rig.sandbox.reverse(id);
  const { deps } = rig;
  rig.pass(20_000);
  await readBankFeed(deps, 'test', rig.rail);
  const notices = await deps.store.leaseNotices(leaseOf(deps, 10));
  const store: typeof deps.store = {
    ...deps.store,
    commit: async (changes, feed) =>
      changes.some(({ credits = [] }) => credits.some(({ after }) => after.id === ids[1]))
        ? [{ kind: 'stale' }]
        : deps.store.commit(changes, feed),
  };
  await handleNotices({ ...deps, store }, notices);
  const [whole, first] = await states();
  assert.deepEqual([notices.length, whole, first], [1, 'split', 'unmatched']);
  rig.pass(20_000);
  await rig.passing(3_000);
  assert.deepEqual(await states(), ['reversed', 'reversed', 'reversed']);
  assert.deepEqual(await rig.books(...ids), {});
});

test('reversed after an overpaid match and before the send: neither tokens nor the excess leave', async () => {
  await pause(true);
  const payer = newPayer();
  const buy = await rig.buy(payer);
  const id = await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor + 10_000n });
  await rig.until(buy.id, 'paid');
  await rig.sandbox.reverse(id);
  await rig.passing(2_000);
  await pause(false);
  await rig.passing(4_000);
  const { state, exception, refundedMinor } = await rig.find(buy.id);
  assert.deepEqual([state, exception, refundedMinor], ['on_hold', 'credit_reversed', 0n]);
  const movements = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual(
    movements.map(({ kind, state: each }) => [kind, each]),
    [['refund', 'failed']],
  );
  assert.deepEqual(await rig.bank.paidOut(buy.id), []);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
});

test('reversed while its refund was not yet tried: the refund is called off, and nothing is lost', async () => {
  await pause(true);
  const { buy, id } = await claimed();
  await rig.until(buy.id, 'paid');
  const other = newPayer();
  const cancelled = await rig.buy({ ...other, state: 'cancelled', dueAtMs: null });
  const late = await rig.payIn({ payerAccount: other.accountNumber, amountMinor: other.amountMinor });
  await rig.passing(2_000);
  assert.equal((await creditNamed(late)).state, 'refunded');
  await rig.sandbox.reverse(late);
  await rig.passing(2_000);
  await pause(false);
  await rig.passing(3_000);
  const [refund] = await rig.deps.store.movementsOf([cancelled.id]);
  assert.deepEqual([refund!.state, refund!.reason], ['failed', 'credit_reversed']);
  assert.deepEqual(await rig.books(cancelled.id, (await creditNamed(late)).id), {});
  assert.deepEqual([await casesOf(cancelled.id), await rig.bank.paidOut(cancelled.id)], [[], []]);
  assert.equal((await creditNamed(id)).state, 'matched');
});

test('a reversal that is reported before its credit waits for the credit', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const id = 'reported-late';
  const line = { kind: 'credit_reversed', sourceId: 'rev-1', about: id, amountMinor, raw: {} } as const;
  const early = rig.another({
    bank: { statement: async (position) => ({ lines: [line], position: position ?? '0' }) },
  });
  rig.pass(20_000);
  await readBankFeed(early.deps, 'test', early.rail);
  rig.pass(20_000);
  await rig.passing(1_000);
  await rig.payIn({ id, payerAccount: accountNumber, amountMinor });
  await rig.passing(30_000, 3_000);
  assert.equal((await creditNamed(id)).state, 'reversed');
});

test('another amount than was given is no reversal of it: people look', async () => {
  const { buy, id, amountMinor } = await claimed();
  await rig.until(buy.id, 'completed');
  const line = {
    kind: 'credit_reversed',
    sourceId: 'rev-2',
    about: id,
    amountMinor: amountMinor - 1n,
    raw: {},
  } as const;
  rig.pass(20_000);
  const odd = rig.another({
    bank: { statement: async (position) => ({ lines: [line], position: position ?? '0' }) },
  });
  await readBankFeed(odd.deps, 'test', odd.rail);
  rig.pass(20_000);
  await rig.passing(1_000);
  assert.ok(rig.troubles.some(({ message }) => message.includes('another amount')));
  assert.equal((await creditNamed(id)).state, 'matched');
  assert.deepEqual(await rig.rows(`select state from bank_notices where source_id = 'rev-2'`), [
    { state: 'review' },
  ]);
});

test('reversed after its excess went back and before the send: the tokens stay, the excess is the loss', async () => {
  const payer = { ...newPayer(), wallet: null, state: 'awaiting_wallet' } as const;
  await rig.addBusiness('biz_excess');
  const buy = await rig.buy({ ...payer, businessId: 'biz_excess' });
  const id = await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor + 10_000n });
  await rig.passing(5_000);
  assert.equal((await rig.find(buy.id)).refundedMinor, 10_000n);
  await rig.sandbox.reverse(id);
  const held = await rig.until(buy.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['credit_reversed', 0n]);
  assert.deepEqual(await casesOf(buy.id), [
    { kind: 'credit_reversed', business_id: 'biz_excess', amount: '10000' },
  ]);
  const books = await rig.books(buy.id, (await creditNamed(id)).id);
  assert.deepEqual(
    [books['NGN losses'], books['NGN owed'], books['NGN bank_in']],
    [10_000n, undefined, undefined],
  );
});

test('threat 23: reversed after the tokens were sent: a loss, a case, an alert, and the business is frozen', async () => {
  const { buy, id, amountMinor } = await claimed();
  await rig.until(buy.id, 'completed');
  await rig.sandbox.reverse(id);
  await rig.passing(2_000);
  const { state, exception } = await rig.find(buy.id);
  assert.deepEqual([state, exception], ['completed', 'credit_reversed']);
  assert.deepEqual(await casesOf(buy.id), [
    { kind: 'credit_reversed', business_id: BUSINESS, amount: `${amountMinor}` },
  ]);
  const books = await rig.books(buy.id, (await creditNamed(id)).id);
  assert.equal(books['NGN losses'], amountMinor);
  assert.equal(books['NGN bank_in'], undefined, 'the bank has it back');
  assert.ok(
    rig.troubles.some(({ message }) => message === 'a credit was taken back after its value was given'),
  );
  assert.deepEqual(await rig.rows('select mode from freezes where business_id = $1', BUSINESS), [
    { mode: 'test' },
  ]);

  const next = await claimed();
  const held = await rig.until(next.buy.id, 'on_hold');
  assert.equal(held.exception, 'business_frozen');
  assert.deepEqual(await rig.deps.store.movementsOf([next.buy.id]), []);
});

test('threat 23: other businesses go on', async () => {
  await rig.addBusiness('biz_other');
  const { buy } = await claimed({ businessId: 'biz_other', accountName: PAYER.name });
  await rig.until(buy.id, 'completed');
});

test('threat 23: taken back twice is taken back once', async () => {
  const before = await rig.rows('select count(*) from cases');
  const { buy, id } = await claimed({ businessId: 'biz_other' });
  await rig.until(buy.id, 'completed');
  for (let i = 0; i < 2; i++) {
    await rig.sandbox.reverse(id);
    await rig.passing(2_000);
  }
  assert.equal((await casesOf(buy.id)).length, 1);
  assert.notDeepEqual(await rig.rows('select count(*) from cases'), before);
});

test('the books balance after all of it', () => booksBalance({ foundation: rig } as never));
