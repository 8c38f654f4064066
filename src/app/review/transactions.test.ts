// Tests transactions that people decide about: they refund, release or reject them. No person can release a transaction whose
// money is leaving. One person alone cannot close a transaction that may have a payment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeFacts } from '../../../test/support/database.ts';
import { CHECKER, decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage, TOKEN } from '../../../test/support/review-stage.ts';
import { makeAuditLog } from '../../adapters/postgres/audit/audit-log.ts';
import { makeMove } from '../../domain/records/change.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { RefundTarget } from '../../domain/review/proposal.ts';
import type { Policy } from '../../domain/settlement/policy.ts';
import { settleFinalDeposit } from '../../domain/settlement/sell.ts';
import { proposeReview } from './propose-review.ts';
import { rejectTransaction } from './reject-transaction.ts';

const stage = await openReviewStage();
const { deps } = stage;
const WALLET = { network: 'Polygon', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
const POLICY = { lateDeposit: 'hold', shortDeposit: 'hold', depositGraceMs: 60_000 } as Policy;

const match = (subjectId: string, transactionId: string) =>
  stage.agree({ action: 'match', subjectId, detail: { transactionId } });
const refund = (subjectId: string, target: RefundTarget | null = null) =>
  stage.agree({ action: 'refund', subjectId, detail: { target } });
const release = (subjectId: string) => stage.agree({ action: 'release', subjectId, detail: {} });
const reject = (transactionId: string, actor = MAKER) =>
  rejectTransaction(deps, {
    ...{ transactionId, actor },
    ...{ note: 'the customer does not answer', publicReason: 'payment_not_found' },
  });
const said = (result: { ok: true } | { ok: false; error: { message: string } }) =>
  result.ok ? 'ok' : result.error.message;

async function paidBuy(...amounts: readonly bigint[]): Promise<Transaction> {
  const { id } = await stage.buy();
  for (const amountMinor of amounts) {
    assert.equal(said(await match((await stage.credit(amountMinor)).id, id)), 'ok');
  }
  return stage.find(id);
}

/** Tokens for a sell arrive and are final. The token has 6 decimals, so a kobo is 10,000 units. */
async function arrive(sell: Transaction, tokens: bigint): Promise<Transaction> {
  const deposit = await stage.deposit(tokens, { state: 'seen', exception: null, transactionId: sell.id });
  const siblings = await stage.store.depositsOf([sell.id]);
  const change = settleFinalDeposit(await stage.find(sell.id), {
    deposit,
    decimals: 6,
    waiting: siblings
      .filter(({ state, exception }) => state === 'suspense' && exception === 'paid_partial')
      .map((each) => ({ deposit: each, decimals: 6 })),
    policy: POLICY,
    atMs: stage.clock.now(),
    nextDueMs: stage.clock.now(),
    newRefundId: `mov_${deposit.id.slice(4)}`,
  });
  await stage.commit(change);
  return stage.find(sell.id);
}

test('a paid buy is refunded credit by credit, without the excess, and ends as refunded', async () => {
  const paid = await paidBuy(700_000n, 900_000n);
  assert.equal(paid.state, 'paid');
  const target = { bankCode: 'GTBank', accountNumber: '0123456785', accountName: 'Ada Obi' };
  assert.match(said(await refund(paid.id, target)), /2 transfers/);
  const owed = await stage.balance('owed');
  const due = await stage.balance('refunds_due');
  assert.equal(said(await refund(paid.id)), 'ok');
  assert.equal((await stage.balance('owed')) - owed, 1_500_000n);
  assert.equal((await stage.balance('refunds_due')) - due, -1_500_000n);
  const refunds = await stage.refundsOf(paid.id);
  const amounts = refunds.map(({ nairaMinor }) => nairaMinor).sort();
  assert.deepEqual(amounts, [100_000n, 700_000n, 800_000n]);
  const held = await stage.find(paid.id);
  assert.deepEqual(
    [held.state, held.exception, held.stateReason],
    ['on_hold', 'refund_decided', 'being_refunded'],
  );

  assert.match(said(await release(paid.id)), /being sent back/);
  assert.match(said(await refund(paid.id)), /No money is held/);
  assert.match(said(await reject(paid.id)), /refund it first/);
  for (const [index, { id }] of refunds.entries()) {
    assert.equal((await stage.find(paid.id)).state, 'on_hold', `after ${index} refunds`);
    await stage.finish(id);
  }
  const done = await stage.find(paid.id);
  assert.deepEqual([done.state, done.refundedMinor], ['refunded', 1_600_000n]);
  assert.equal(await stage.balance('refunds_due'), due + 100_000n);
});

test('a buy cannot be refunded after its tokens were sent, or if it has no payment', async () => {
  const paid = await paidBuy(1_500_000n);
  const text = `update transaction_states set state = 'confirming', version = version + 1 where transaction_id = $1`;
  await stage.database.query({ text, values: [paid.id] });
  assert.match(said(await refund(paid.id)), /tokens were not sent/);
  const waiting = await stage.buy();
  assert.match(said(await refund(waiting.id)), /awaiting_payment/);
  const held = await stage.hold(waiting, 'name_mismatch');
  assert.match(said(await refund(held.id)), /No money is held/);
});

test('a proposal whose amount changed before the approval must be proposed again', async () => {
  const paid = await paidBuy(500_000n);
  const request = { action: 'refund', subjectId: paid.id, detail: { target: null } } as const;
  const proposed = await proposeReview(deps, { ...request, actor: MAKER });
  assert.ok(proposed.ok);
  assert.equal(proposed.value.amountMinor, 500_000n);
  assert.equal(said(await match((await stage.credit(200_000n)).id, paid.id)), 'ok');
  const decision = { proposalId: proposed.value.id, actor: CHECKER, approve: true, reason: 'looked at' };
  assert.match(said(await decideAs(stage.database, deps, decision)), /amount has changed/);
  assert.deepEqual(await stage.refundsOf(paid.id), []);
  assert.equal(said(await decideAs(stage.database, deps, { ...decision, approve: false })), 'ok');
});

test('[threat 83] two people release a held buy that is paid in full, and one person alone cannot', async () => {
  const paid = await paidBuy(1_500_000n);
  assert.match(said(await release(paid.id)), /not on hold/);
  await stage.hold(paid, 'screening_hit');
  const request = { action: 'release', subjectId: paid.id, detail: {}, actor: MAKER } as const;
  const proposed = await proposeReview(deps, request);
  assert.ok(proposed.ok);
  const decision = { proposalId: proposed.value.id, approve: true, reason: 'looked at' };
  assert.match(said(await decideAs(stage.database, deps, { ...decision, actor: MAKER })), /another person/);
  assert.equal((await stage.find(paid.id)).state, 'on_hold');
  assert.equal(said(await decideAs(stage.database, deps, { ...decision, actor: CHECKER })), 'ok');
  const gone = await stage.find(paid.id);
  assert.deepEqual([gone.state, gone.released, gone.exception], ['paid', true, null]);
  assert.ok(gone.dueAtMs !== null);
});

test('a buy whose credit is still in review can only be released by matching the credit, and the refusal explains this', async () => {
  const buy = await stage.buy();
  const credit = await stage.inReview(await stage.credit(1_500_000n), [buy], 'name_mismatch');
  assert.match(said(await release(buy.id)), new RegExp(`${credit.id}.*match`));
  const noWallet = await stage.buy({ state: 'awaiting_wallet', wallet: null });
  assert.equal(said(await match((await stage.credit(1_500_000n)).id, noWallet.id)), 'ok');
  await stage.hold(await stage.find(noWallet.id), 'screening_hit');
  assert.match(said(await release(noWallet.id)), /no wallet/);
  assert.equal(said(await refund(noWallet.id)), 'ok');
});

test('[threat 83] one person can reject a buy without money, but not while a credit waits for it or for a rival claim', async () => {
  const [first, second] = [await stage.buy(), await stage.buy()];
  const credit = await stage.inReview(await stage.credit(1_500_000n), [first, second], 'duplicate_claim');
  assert.equal((await stage.findCredit(credit.id)).transactionId, null);
  assert.match(said(await reject(second.id)), new RegExp(credit.id));
  assert.equal(said(await match(credit.id, first.id)), 'ok');
  assert.equal(said(await reject(second.id)), 'ok');
  const entries = await makeAuditLog(stage.database).list({ subject: second.id, limit: 9 });
  assert.deepEqual(
    entries.map(({ actor, action }) => [actor, action]),
    [[MAKER, 'transaction.rejected']],
  );
  const rejected = await stage.find(second.id);
  assert.deepEqual([rejected.state, rejected.stateReason], ['rejected', 'payment_not_found']);
  const { reason, evidence } = (await stage.store.timeline(second.id)).at(-1)!;
  assert.deepEqual([reason, evidence], ['payment_not_found', { note: 'the customer does not answer' }]);
  assert.match(said(await reject(second.id)), /rejected, not on hold/);
  assert.match(said(await reject(first.id)), /not on hold/);
  assert.match(said(await reject((await stage.sell()).id)), /is a sell/);
  assert.match(said(await reject('txn_nothing')), /no transaction/);
  const partly = await paidBuy(500_000n);
  assert.match(said(await reject(partly.id)), /refund it first/);
});

test('a held sell continues, or its tokens are returned, never both', async () => {
  const held = await stage.hold(
    await arrive(await stage.sell({ wallet: WALLET }), 15_000_000_000n),
    'name_mismatch',
  );
  assert.equal(held.receivedMinor, 1_500_000n);
  assert.equal(said(await release(held.id)), 'ok');
  const gone = await stage.find(held.id);
  assert.deepEqual([gone.state, gone.released], ['deposited', true]);

  const before = { due: await stage.balance('payouts_due'), redeemed: await stage.balance('redeemed') };
  const tokensDue = await stage.balance('refunds_due', TOKEN);
  assert.equal(said(await refund(held.id)), 'ok');
  assert.equal((await stage.balance('payouts_due')) - before.due, 1_500_000n);
  assert.equal((await stage.balance('redeemed')) - before.redeemed, -1_500_000n);
  assert.equal((await stage.balance('refunds_due', TOKEN)) - tokensDue, -15_000_000_000n);
  assert.match(said(await release(held.id)), /being sent back/);
  assert.match(said(await refund(held.id)), /No tokens are held/);
  const [home] = await stage.refundsOf(held.id);
  assert.deepEqual(home?.destination, { address: WALLET.address });
  await stage.finish(home!.id);
  assert.equal((await stage.find(held.id)).state, 'refunded');
});

test('a partial deposit is returned from suspense; later tokens do not count for the sell', async () => {
  const sell = await arrive(await stage.sell({ wallet: WALLET }), 9_000_000_000n);
  const held = await stage.hold(sell, 'paid_partial');
  assert.match(said(await release(held.id)), /wait for the rest/);
  assert.match(said(await refund(held.id, { address: WALLET.address })), /the wallet of the sell/);
  const suspense = await stage.balance('suspense', TOKEN);
  assert.equal(said(await refund(held.id)), 'ok');
  assert.equal((await stage.balance('suspense', TOKEN)) - suspense, 9_000_000_000n);
  const [deposit] = await stage.store.depositsOf([held.id]);
  assert.deepEqual([deposit?.state, deposit?.exception], ['refunded', 'refund_decided']);
  const later = await arrive(held, 9_000_000_000n);
  assert.deepEqual([later.state, later.receivedMinor], ['on_hold', 900_000n]);
  const refunds = await stage.refundsOf(held.id);
  assert.equal(refunds.length, 2);
  for (const { id } of refunds) await stage.finish(id);
  assert.equal((await stage.find(held.id)).state, 'refunded');
  assert.equal(await stage.balance('suspense', TOKEN), suspense + 9_000_000_000n);
});

test('threat 48: another token next to a partial deposit stays where it is when the deposit is returned', async () => {
  const sell = await arrive(await stage.sell({ wallet: WALLET }), 9_000_000_000n);
  const worthless = await stage.deposit(6_000_000_000n, {
    asset: 'unknown@Polygon',
    exception: 'wrong_token',
    transactionId: sell.id,
  });
  const held = await stage.hold(sell, 'paid_partial');
  assert.equal(said(await refund(held.id)), 'ok');
  const refunds = await stage.refundsOf(held.id);
  assert.deepEqual(
    refunds.map(({ asset, amountMinor }) => [asset, amountMinor]),
    [[TOKEN, 9_000_000_000n]],
  );
  assert.equal((await deps.reviewDesk.depositById(worthless.id))?.state, 'suspense');
});

test('a sell that is paid in two halves, each with half a kobo, is released like any other', async () => {
  const sell = await stage.sell({ wallet: WALLET, amountMinor: 1_500_001n });
  const half = 7_500_005_000n;
  await arrive(sell, half);
  const deposited = await arrive(sell, half);
  assert.deepEqual([deposited.state, deposited.receivedMinor], ['deposited', 1_500_001n]);
  const held = await stage.hold(deposited, 'name_mismatch');
  assert.equal(said(await release(held.id)), 'ok');
  assert.equal((await stage.find(sell.id)).state, 'deposited');
});

test('late tokens are held in suspense: they get no payout, and the sell cannot be released', async () => {
  const { id } = await stage.sell({ wallet: WALLET, expiresAtMs: stage.clock.now() });
  const text = `update transaction_states set state = 'expired', version = version + 1 where transaction_id = $1`;
  await stage.database.query({ text, values: [id] });
  await changeFacts(stage.database, 'expires_at = created_at', [id]);
  const late = await arrive(await stage.find(id), 15_000_000_000n);
  assert.deepEqual([late.state, late.receivedMinor], ['on_hold', 1_500_000n]);
  assert.match(said(await release(id)), /tokens for only ₦0.00/);
  assert.equal(said(await refund(id)), 'ok');
});

test('a credit that the bank reversed no longer counts as a payment, so the buy is not released', async () => {
  const paid = await paidBuy(1_500_000n);
  const held = await stage.hold(paid, 'credit_reversed', { receivedMinor: 0n });
  const [credit] = await stage.store.creditsOf([paid.id]);
  const credits = [makeMove(credit!, { state: 'reversed' as const })];
  await stage.commit({ atMs: stage.clock.now(), credits });
  assert.match(said(await release(held.id)), /Only ₦0.00/);
  assert.equal(said(await reject(held.id)), 'ok');
});
