// Tests bank notices that no rule could match. Two people book the notice as a loss or close it. In both cases the notice is
// finished.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notice } from '../../../test/http/settlement-fixtures.ts';
import { decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeMove } from '../../domain/records/change.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import { reverseCredit } from '../../domain/settlement/reversal.ts';
import { proposeReview } from './propose-review.ts';

const stage = await openReviewStage();
const { deps } = stage;

const said = (result: { ok: true } | { ok: false; error: { message: string } }) =>
  result.ok ? 'ok' : result.error.message;
const loss = (subjectId: string) => stage.agree({ action: 'loss', subjectId, detail: {} });
const dismiss = (subjectId: string) => stage.agree({ action: 'dismiss', subjectId, detail: {} });
const writeOff = (subjectId: string) => stage.agree({ action: 'write_off', subjectId, detail: {} });
const stateOf = async (id: string) => (await stage.reviewDesk.noticeById(id))!.state;
const BANK_IN = 'test/NGN/bank_in/unknown:9900000011';
const bankIn = async () => (await stage.store.balances([BANK_IN])).get(BANK_IN)!;

/** Stores a notice and then moves it to the given state, as settlement does if people must decide. */
async function storedNotice(
  changes: Partial<BankNotice>,
  state: BankNotice['state'] = 'review',
): Promise<BankNotice> {
  const made = notice({ source: 'stage', ...changes });
  await stage.commit({ atMs: stage.clock.now(), newNotices: [made] });
  if (state !== 'open') {
    const notices = [makeMove(made, { state, dueAtMs: null })];
    await stage.commit({ atMs: stage.clock.now(), notices });
  }
  return (await stage.reviewDesk.noticeById(made.id))!;
}

const about = (credit: BankCredit, state?: BankNotice['state'], amountMinor = credit.amountMinor) =>
  storedNotice({ about: credit.sourceId, amountMinor }, state);

async function moved(work: () => Promise<unknown>) {
  const before = [await bankIn(), await stage.balance('losses')] as const;
  await work();
  return [(await bankIn()) - before[0], (await stage.balance('losses')) - before[1]];
}

test('when the bank reverses a written-off credit, two people book the loss with one posting, without a freeze or a case', async () => {
  const credit = await stage.credit(70_000n);
  assert.equal(said(await writeOff(credit.id)), 'ok');
  const taken = await about(credit, 'open');
  const facts = { notice: taken, transaction: null, refunds: [], freeze: true, caseId: 'cas_1' };
  const change = { credit: await stage.findCredit(credit.id), atMs: stage.clock.now() };
  await stage.commit(reverseCredit({ ...facts, ...change, send: null }));
  assert.equal(await stateOf(taken.id), 'review', 'no rule places it');

  const request = { action: 'loss', subjectId: taken.id, detail: {}, actor: MAKER } as const;
  const proposed = await proposeReview(deps, request);
  assert.ok(proposed.ok);
  const decision = { proposalId: proposed.value.id, actor: MAKER, approve: true, reason: 'looked at' };
  assert.match(said(await decideAs(stage.database, deps, decision)), /another person/);
  assert.deepEqual(await moved(async () => assert.equal(said(await loss(taken.id)), 'ok')), [
    -70_000n,
    70_000n,
  ]);
  assert.equal(await stateOf(taken.id), 'done');
  assert.match(said(await loss(taken.id)), /nothing left to decide/);
  assert.match(said(await dismiss(taken.id)), /nothing left to decide/);
  const { rows } = await stage.database.query({
    text: 'select id from cases union all select mode from freezes',
  });
  assert.deepEqual(rows, []);
});

test('a reversal with another amount than the credit is a loss of the reversed amount', async () => {
  const buy = await stage.buy();
  const credit = await stage.credit(1_500_000n);
  const match = { action: 'match', subjectId: credit.id, detail: { transactionId: buy.id } } as const;
  assert.equal(said(await stage.agree(match)), 'ok');
  const taken = await about(credit, 'review', 1_499_999n);
  assert.deepEqual(await moved(() => loss(taken.id)), [-1_499_999n, 1_499_999n]);
  const entries = await stage.database.query({
    text: `select event from entries where subject_id = $1 and event = 'loss'`,
    values: [buy.id],
  });
  assert.equal(entries.rows.length, 1);
});

test('a loss cannot be booked while the credit, or any part of it, could still pay for a buy', async () => {
  const open = await stage.credit(5_000n);
  assert.match(said(await loss((await about(open, 'review', 4_000n)).id)), new RegExp(open.id));

  const whole = await stage.credit(10_000n);
  const split = (subjectId: string, partsMinor: readonly bigint[]) =>
    stage.agree({ action: 'split', subjectId, detail: { partsMinor } });
  const part = async (name: string) => (await stage.store.findCredit('test', 'stage', name))!;
  assert.equal(said(await split(whole.id, [4_000n, 6_000n])), 'ok');
  const [first, second] = [await part(`${whole.sourceId}#1`), await part(`${whole.sourceId}#2`)];
  assert.equal(said(await split(second.id, [1_000n, 5_000n])), 'ok');
  const taken = await about(whole);
  for (const name of [`${whole.sourceId}#1`, `${second.sourceId}#1`, `${second.sourceId}#2`]) {
    const waiting = await part(name);
    assert.match(said(await loss(taken.id)), new RegExp(`${waiting.id} is unmatched`));
    assert.equal(said(await writeOff(waiting.id)), 'ok');
  }
  assert.equal((await stage.findCredit(first.id)).state, 'written_off');
  assert.deepEqual(await moved(() => loss(taken.id)), [-10_000n, 10_000n]);
});

test('a notice about an unknown record cannot be booked as a loss; it is dismissed without a posting', async () => {
  for (const strange of [
    await storedNotice({ about: 'never came' }),
    await storedNotice({ kind: 'payout_returned', about: 'mov-x' }),
  ]) {
    assert.match(said(await loss(strange.id)), /Dismiss it/);
    assert.deepEqual(await moved(async () => assert.equal(said(await dismiss(strange.id)), 'ok')), [0n, 0n]);
    assert.equal(await stateOf(strange.id), 'done');
  }
});

test('people cannot decide about a notice that settlement still handles, and a notice can only be a loss or be dismissed', async () => {
  const early = await storedNotice({}, 'open');
  for (const each of [loss, dismiss]) assert.match(said(await each(early.id)), /still processing it/);
  assert.match(said(await loss('ntc_nothing')), /no notice/);
  assert.match(said(await writeOff(early.id)), /actions on a notice are loss and dismiss/);
  const credit = await stage.credit(5_000n);
  assert.match(said(await loss(credit.id)), /loss and dismiss are for notices/);
});
