// Tests tokens without a known owner, refunds without a destination, and the queues in which people find both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReviewStage, TOKEN } from '../../../test/support/review-stage.ts';
import type { RefundTarget } from '../../domain/review/proposal.ts';

const stage = await openReviewStage();
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OURS = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
const ACCOUNT = { bankCode: 'GTBank', accountNumber: '0123456785', accountName: 'Ada Obi' };

const refund = (subjectId: string, target: RefundTarget | null = null) =>
  stage.agree({ action: 'refund', subjectId, detail: { target } });
const writeOff = (subjectId: string) => stage.agree({ action: 'write_off', subjectId, detail: {} });
const said = (result: Awaited<ReturnType<typeof refund>>) => (result.ok ? 'ok' : result.error.message);

test('[threat 54] unattributed tokens are sent to the address that two people name, rounded down to whole kobo', async () => {
  const deposit = await stage.deposit(5_000_000_123n);
  assert.match(said(await refund(deposit.id)), /Name the address/);
  assert.match(said(await refund(deposit.id, ACCOUNT)), /Tokens go to an address/);
  assert.notEqual(said(await refund(deposit.id, { address: '0xnothing' })), 'ok');
  const [, instruction] = (await stage.sell()).deposits;
  await stage.sell({ deposits: [{ ...instruction!, address: OURS }] });
  assert.match(said(await refund(deposit.id, { address: OURS })), /our own/);
  const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
  const suspense = await stage.balance('suspense', TOKEN);
  assert.equal(said(await refund(deposit.id, { address: other.toLowerCase() })), 'ok');
  assert.equal((await stage.balance('suspense', TOKEN)) - suspense, 5_000_000_000n);
  assert.equal((await stage.reviewDesk.depositById(deposit.id))!.state, 'refunded');
  const { rows } = await stage.database.query<{ id: string; destination: object }>({
    text: 'select id, destination from movements where deposit_id = $1',
    values: [deposit.id],
  });
  assert.deepEqual(rows[0]!.destination, { address: other });
  await stage.finish(rows[0]!.id);
  assert.equal(await stage.balance('refunds_due', TOKEN), 0n);
  assert.match(said(await refund(deposit.id, { address: other })), /is refunded/);
});

test('a write-off of tokens posts whole kobo from suspense; fractions of a kobo and other tokens are not posted', async () => {
  const kept = async (tokens: bigint, changes: Parameters<typeof stage.deposit>[1] = {}) => {
    const { id } = await stage.deposit(tokens, changes);
    const before = await stage.balance('written_off', TOKEN);
    assert.equal(said(await writeOff(id)), 'ok');
    assert.equal((await stage.reviewDesk.depositById(id))!.state, 'written_off');
    assert.match(said(await writeOff(id)), /written_off/);
    return before - (await stage.balance('written_off', TOKEN));
  };
  assert.equal(await kept(70_001n), 70_000n);
  assert.equal(await kept(9_999n, { exception: 'too_small', transactionId: 'txn_any' }), 0n);
  assert.equal(await kept(1_000_000n, { exception: 'wrong_token', asset: 'unknown@Polygon' }), 0n);
  const sells = await stage.deposit(20_000n, { exception: 'paid_partial', transactionId: 'txn_any' });
  assert.match(said(await writeOff(sells.id)), /belongs to txn_any/);
  assert.match(said(await refund(sells.id, { address: ADDRESS })), /belongs to txn_any/);
});

test('two people book tokens of the operator as capital, only once and only if the tokens are unattributed', async () => {
  const ownFunds = (subjectId: string) => stage.agree({ action: 'own_funds', subjectId, detail: {} });
  const { id } = await stage.deposit(80_001n);
  const before = await Promise.all(
    ['capital', 'suspense'].map((name) => stage.balance(name as 'capital', TOKEN)),
  );
  assert.equal(said(await ownFunds(id)), 'ok');
  const after = await Promise.all(
    ['capital', 'suspense'].map((name) => stage.balance(name as 'capital', TOKEN)),
  );
  assert.deepEqual([before[0]! - after[0]!, after[1]! - before[1]!], [80_000n, 80_000n]);
  assert.equal((await stage.reviewDesk.depositById(id))!.state, 'own_funds');
  assert.match(said(await ownFunds(id)), /nothing left to decide/);
  const sells = await stage.deposit(20_000n, { exception: 'paid_partial', transactionId: 'txn_any' });
  assert.match(said(await ownFunds(sells.id)), /deposit target of txn_any/);
  const other = await stage.deposit(10_000n, { exception: 'wrong_token', asset: 'unknown@Polygon' });
  assert.match(said(await ownFunds(other.id)), /not our token/);
  assert.match(said(await ownFunds((await stage.credit(100_000n)).id)), /A credit can be matched/);
});

test('a refund that the bank refused is made again to another account, and the debt is paid once', async () => {
  const credit = await stage.credit(200_000n);
  assert.equal(said(await refund(credit.id)), 'ok');
  const [first] = await stage.store.movementsOfCredit(credit.id);
  assert.match(said(await refund(first!.id, ACCOUNT)), /has a destination already/);
  await stage.giveUp(first!.id);
  assert.deepEqual(
    (await stage.reviewDesk.listQueue(10, 'test')).refunds.map(({ id }) => id),
    [first!.id],
  );
  assert.match(said(await refund(first!.id)), /has no destination/);
  assert.match(said(await refund(first!.id, { address: ADDRESS })), /bank account/);
  const due = await stage.balance('refunds_due');
  const answers = await Promise.all([refund(first!.id, ACCOUNT), refund(first!.id, ACCOUNT)]);
  assert.equal(answers.filter(({ ok }) => ok).length, 1);
  assert.equal(await stage.balance('refunds_due'), due);
  const movements = await stage.store.movementsOfCredit(credit.id);
  assert.equal(movements.length, 2);
  const again = movements.find(({ id }) => id !== first!.id)!;
  assert.deepEqual(again.destination, { ...ACCOUNT, bankCode: 'guaranty-trust-bank' });
  assert.deepEqual([again.state, again.nairaMinor, again.attempts], ['pending', 200_000n, 0]);
  assert.match(said(await refund(first!.id, ACCOUNT)), new RegExp(`replaced by ${again.id}`));
  assert.deepEqual((await stage.reviewDesk.listQueue(10, 'test')).refunds, []);
  await stage.finish(again.id);
  assert.equal(await stage.balance('refunds_due'), due + 200_000n);
});

test('a refund that was cancelled because the bank reversed the payment stays cancelled', async () => {
  const credit = await stage.credit(50_000n);
  assert.equal(said(await refund(credit.id)), 'ok');
  const [movement] = await stage.store.movementsOfCredit(credit.id);
  const text = `update movements set state = 'failed', reason = 'credit_reversed' where id = $1`;
  await stage.database.query({ text, values: [movement!.id] });
  assert.match(said(await refund(movement!.id, ACCOUNT)), /was cancelled/);
  assert.deepEqual((await stage.reviewDesk.listQueue(10, 'test')).refunds, []);
});

test('two people set the destination of a refund that waits for one', async () => {
  const credit = await stage.credit(80_000n, { payerAccount: null });
  assert.equal(said(await refund(credit.id)), 'ok');
  const [waiting] = await stage.store.movementsOfCredit(credit.id);
  assert.equal(waiting!.destination, null);
  assert.deepEqual(
    (await stage.reviewDesk.listQueue(10)).refunds.map(({ id }) => id),
    [waiting!.id],
  );
  assert.equal(said(await refund(waiting!.id, ACCOUNT)), 'ok');
  const named = (await stage.store.movementById(waiting!.id))!;
  assert.deepEqual(named.destination, { ...ACCOUNT, bankCode: 'guaranty-trust-bank' });
  assert.ok(named.dueAtMs !== null && named.dueAtMs <= stage.clock.now());
  assert.deepEqual((await stage.reviewDesk.listQueue(10)).refunds, []);
});

test('the queue lists records of each kind, oldest first, up to the requested number, for one mode or both', async () => {
  const buys = [await stage.buy(), await stage.buy()];
  const credit = await stage.inReview(await stage.credit(1_500_000n), buys, 'duplicate_claim');
  const deposit = await stage.deposit(20_000n, { exception: 'wrong_token', asset: 'unknown@Polygon' });
  await stage.database.query({
    text: `insert into bank_notices (id, mode, source, source_id, kind, about, amount_minor, received_at, raw, state, version)
      values ('ntc_1', 'test', 'stage', 'n1', 'credit_reversed', 'x', 5, now(), '{}', 'review', 1),
        ('ntc_2', 'test', 'stage', 'n2', 'credit_reversed', 'x', 5, now(), '{}', 'done', 1)`,
  });
  await stage.database.query({
    text: `insert into cases (id, kind, mode, amount_minor, opened_at, closed_at)
      values ('cas_1', 'credit_reversed', 'test', 5, now(), null), ('cas_2', 'credit_reversed', 'test', 5, now(), now())`,
  });
  const queue = await stage.reviewDesk.listQueue(50, 'test');
  assert.deepEqual(
    queue.transactions.map(({ id }) => id),
    buys.map(({ id }) => id).sort(),
  );
  const [found] = queue.credits.filter(({ id }) => id === credit.id);
  assert.deepEqual(
    found?.candidates.map(({ transactionId }) => transactionId),
    buys.map(({ id }) => id),
  );
  assert.ok(queue.deposits.some(({ id }) => id === deposit.id));
  assert.deepEqual(
    queue.notices.map(({ id, amountMinor }) => [id, amountMinor]),
    [['ntc_1', 5n]],
  );
  assert.deepEqual(
    queue.cases.map(({ id, amountMinor }) => [id, amountMinor]),
    [['cas_1', 5n]],
  );
  assert.equal((await stage.reviewDesk.listQueue(1, 'test')).transactions.length, 1);
  const live = await stage.reviewDesk.listQueue(50, 'live');
  assert.ok(Object.values(live).every((each) => each.length === 0));
  assert.deepEqual(await stage.reviewDesk.listQueue(50), queue);
});
