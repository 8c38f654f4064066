// Tests that every action that moves money needs two people. Both the use-case and the database refuse a single person.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notice } from '../../../test/http/settlement-fixtures.ts';
import {
  addReviewers,
  CHECKER,
  decideAs,
  giveStepUp,
  MAKER,
} from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeMove } from '../../domain/records/change.ts';
import { moveTransaction } from '../../domain/records/transaction-moves.ts';
import { reverseCredit } from '../../domain/settlement/reversal.ts';
import { decideReview } from './decide-review.ts';
import { proposeReview } from './propose-review.ts';

const stage = await openReviewStage();
const { deps, store, reviewDesk, clock } = stage;

const writeOff = async () => {
  const { id: subjectId } = await stage.credit(100_000n);
  const proposed = await proposeReview(deps, { action: 'write_off', subjectId, detail: {}, actor: MAKER });
  assert.ok(proposed.ok);
  return { subjectId, proposalId: proposed.value.id };
};
const decide = (proposalId: string, actor: string, approve = true) =>
  decideAs(stage.database, deps, { proposalId, actor, approve, reason: 'looked at' });
const after = async (reads: number, id: string) => {
  for (let read = 0; read < reads; read++) await stage.find(id);
};
const codeOf = (result: Awaited<ReturnType<typeof decide>>) => (result.ok ? 'ok' : result.error.code);

test('[threat 83] the proposer cannot approve or decline the proposal, and neither can an actor who is not signed in', async () => {
  const { subjectId, proposalId } = await writeOff();
  assert.equal(codeOf(await decide(proposalId, MAKER)), 'same_person');
  assert.equal(codeOf(await decide(proposalId, MAKER, false)), 'same_person');
  for (const actor of ['os:ada', 'cli:obi', MAKER.toUpperCase(), '', 'аda', 'service:setup'])
    for (const approve of [true, false]) {
      const request = { proposalId, actor, approve, reason: 'looked at', stepUp: null };
      assert.equal(codeOf(await decideReview(deps, request)), 'sign_in_needed');
    }
  const typed = { action: 'write_off', subjectId, detail: {}, actor: 'os:ada' } as const;
  assert.equal(codeOf(await proposeReview(deps, typed)), 'sign_in_needed');
  assert.equal((await stage.findCredit(subjectId)).state, 'unmatched');
  assert.equal(codeOf(await decide(proposalId, CHECKER)), 'ok');
  assert.equal((await stage.findCredit(subjectId)).state, 'written_off');
});

test('if a record changes during every attempt of a decision, the person gets the error "busy", and nothing is decided', async () => {
  const { subjectId, proposalId } = await writeOff();
  let tries = 0;
  const commit: typeof store.commit = async (changes, feed) => {
    tries++;
    const credit = await stage.findCredit(subjectId);
    await store.commit([{ atMs: clock.now(), credits: [makeMove(credit, { tries })] }]);
    return store.commit(changes, feed);
  };
  const hurried = { ...deps, store: { ...store, commit } };
  const request = { proposalId, actor: CHECKER, approve: true, reason: 'looked at' };
  assert.equal(codeOf(await decideAs(stage.database, hurried, request)), 'busy');
  assert.equal(tries, 6);
  assert.equal((await reviewDesk.findProposal(proposalId))!.decision, null);
  assert.equal(codeOf(await decide(proposalId, CHECKER)), 'ok');
});

test('[threat 83] the database refuses a decision by the proposer, and a decision with a false proposer', async () => {
  const { subjectId, proposalId } = await writeOff();
  const credit = await stage.findCredit(subjectId);
  const stepUp = await giveStepUp(stage.database, {
    ...{ personId: MAKER, subjectId: proposalId },
    atMs: clock.now(),
  });
  const base = { proposalId, approved: true, reason: 'mine', stepUp };
  for (const [proposedBy, decidedBy, rule, constraint] of [
    [MAKER, MAKER, 'same_person', 'two_people'],
    [MAKER, MAKER.toUpperCase(), 'same_person', 'two_people_however_spelled'],
    ['per_stranger', MAKER, 'other', 'proposal_decisions_proposal_id_proposed_by_fkey'],
  ] as const) {
    const credits = [makeMove(credit, { state: 'written_off' as const, dueAtMs: null })];
    const decision = { ...base, proposedBy, decidedBy };
    const outcome = await store.commit([{ atMs: clock.now(), credits, decision }]);
    assert.deepEqual(outcome, [{ kind: 'refused', rule, constraint }]);
  }
  assert.deepEqual(await stage.findCredit(subjectId), credit);
  for (const text of ['update proposal_decisions set decided_by = $$x$$', 'delete from proposals']) {
    await assert.rejects(stage.database.query({ text }), /append-only/);
  }
});

test('when a proposal is declined, only the decision is written, and it is final', async () => {
  const { subjectId, proposalId } = await writeOff();
  const before = await stage.balance('suspense');
  assert.equal(codeOf(await decide(proposalId, CHECKER, false)), 'ok');
  assert.equal(codeOf(await decide(proposalId, CHECKER)), 'already_decided');
  assert.equal(codeOf(await decide(proposalId, 'per_eve', false)), 'already_decided');
  assert.equal((await stage.findCredit(subjectId)).state, 'unmatched');
  assert.equal(await stage.balance('suspense'), before);
  const { decision } = (await reviewDesk.findProposal(proposalId))!;
  assert.deepEqual(
    { ...decision, atMs: 0 },
    { decidedBy: CHECKER, approved: false, withdrawn: false, reason: 'looked at', atMs: 0 },
  );
});

test('[threat 58] if many people approve and decline at once, only one decision is made and carried out', async () => {
  const { subjectId, proposalId } = await writeOff();
  const before = await stage.balance('written_off');
  const people = Array.from({ length: 10 }, (_, n) => `per_person${n}`);
  await addReviewers(stage.database, people);
  const answers = await Promise.all(people.map((actor, n) => decide(proposalId, actor, n % 2 === 0)));
  const codes = answers.map(codeOf).sort();
  assert.deepEqual(codes, [...Array(9).fill('already_decided'), 'ok']);
  const approved = answers.find((each) => each.ok)!;
  const { state } = await stage.findCredit(subjectId);
  assert.equal(state, approved.ok && approved.value.decision!.approved ? 'written_off' : 'unmatched');
  assert.equal((await stage.balance('written_off')) - before, state === 'written_off' ? -100_000n : 0n);
});

test('if two proposals for one credit are approved at once, only one is carried out', async () => {
  const { id: subjectId } = await stage.credit(100_000n);
  const off = await proposeReview(deps, { action: 'write_off', subjectId, detail: {}, actor: MAKER });
  const back = await proposeReview(deps, {
    action: 'refund',
    subjectId,
    detail: { target: null },
    actor: MAKER,
  });
  assert.ok(off.ok && back.ok);
  const before = await stage.balance('suspense');
  const answers = await Promise.all([decide(off.value.id, CHECKER), decide(back.value.id, CHECKER)]);
  assert.deepEqual(answers.map(codeOf).sort(), ['not_possible', 'ok']);
  assert.equal((await stage.balance('suspense')) - before, 100_000n);
  const loser = answers[0]!.ok ? back.value.id : off.value.id;
  assert.equal(codeOf(await decide(loser, CHECKER, false)), 'ok');
});

test('[threat 83] an approval is for the proposed amount: if the amount has changed since then, a new proposal is needed', async () => {
  const { id } = await stage.buy();
  const [first, second, third] = [
    await stage.credit(1_000_000n),
    await stage.credit(200_000n),
    await stage.credit(300_000n),
  ];
  const match = (subjectId: string) =>
    stage.agree({ action: 'match', subjectId, detail: { transactionId: id } });
  assert.equal(codeOf(await match(second.id)), 'ok');
  assert.equal(codeOf(await match(third.id)), 'ok');
  const request = { action: 'refund', subjectId: id, detail: { target: null }, actor: MAKER } as const;
  const proposed = await proposeReview(deps, request);
  assert.ok(proposed.ok);
  assert.equal(proposed.value.amountMinor, 500_000n);
  const taken = notice({ source: 'stage', about: third.sourceId, amountMinor: third.amountMinor });
  await stage.commit({ atMs: clock.now(), newNotices: [taken] });
  const facts = { refunds: [], send: null, freeze: false, caseId: 'cas_shrank', atMs: clock.now() };
  const [transaction, credit] = [await stage.find(id), await stage.findCredit(third.id)];
  await stage.commit(reverseCredit({ ...facts, notice: taken, transaction, credit }));
  assert.equal((await stage.find(id)).receivedMinor, 200_000n);
  assert.equal(codeOf(await decide(proposed.value.id, CHECKER)), 'changed');
  assert.deepEqual(await stage.refundsOf(id), []);
  assert.equal(codeOf(await match(first.id)), 'ok');
  assert.equal(codeOf(await decide(proposed.value.id, CHECKER)), 'changed');
  assert.deepEqual(await stage.refundsOf(id), []);
  assert.equal(codeOf(await decide(proposed.value.id, CHECKER, false)), 'ok');
});

test('[threat 58] if a person refunds a buy while the worker sends its tokens, only one of the two happens', async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await stage.buy();
    const { id: creditId } = await stage.credit(1_500_000n);
    assert.equal(
      codeOf(await stage.agree({ action: 'match', subjectId: creditId, detail: { transactionId: id } })),
      'ok',
    );
    const target = null;
    const proposed = await proposeReview(deps, {
      action: 'refund',
      subjectId: id,
      detail: { target },
      actor: MAKER,
    });
    assert.ok(proposed.ok);
    const paid = await stage.find(id);
    const sending = moveTransaction(paid, 'sending', {
      actor: 'worker',
      atMs: clock.now(),
      reason: 'tokens_reserved',
      dueAtMs: null,
    });
    const [refund, [sent]] = await Promise.all([
      decide(proposed.value.id, CHECKER),
      after(round, id).then(() => store.commit([{ atMs: clock.now(), transactions: [sending] }])),
    ]);
    const { state } = await stage.find(id);
    const refunds = await stage.refundsOf(id);
    if (sent!.kind === 'committed') {
      assert.deepEqual([codeOf(refund), state, refunds.length], ['not_possible', 'sending', 0]);
    } else assert.deepEqual([codeOf(refund), state, refunds.length], ['ok', 'on_hold', 1]);
  }
});

test('the same proposal made twice by one person is one proposal; an impossible action cannot be proposed', async () => {
  const { subjectId, proposalId } = await writeOff();
  const again = await proposeReview(deps, { action: 'write_off', subjectId, detail: {}, actor: MAKER });
  assert.equal(again.ok && again.value.id, proposalId);
  const other = await proposeReview(deps, { action: 'write_off', subjectId, detail: {}, actor: CHECKER });
  assert.ok(other.ok && other.value.id !== proposalId);
  assert.deepEqual(
    (await reviewDesk.openProposalsOn(subjectId)).map(({ id }) => id),
    [proposalId, other.value.id],
  );
  const to = (bankCode: string) =>
    proposeReview(deps, {
      ...{ action: 'refund', subjectId, actor: MAKER },
      detail: { target: { bankCode, accountNumber: '0123456785', accountName: 'Ada Obi' } },
    });
  const [here, there] = [await to('GTBank'), await to('Access Bank')];
  assert.ok(here.ok && there.ok);
  assert.notEqual(here.value.id, there.value.id, 'the same number at another bank is another account');
  for (const { id } of [here.value, there.value])
    assert.equal(codeOf(await decide(id, CHECKER, false)), 'ok');
  const open = await reviewDesk.listOpenProposals('test');
  assert.ok(open.some(({ id }) => id === proposalId));
  assert.deepEqual(await reviewDesk.listOpenProposals('live'), []);
  for (const [subject, code] of [
    ['crd_nothing', 'not_found'],
    ['biz_fixture', 'not_found'],
    ['', 'not_found'],
  ] as const) {
    const refused = await proposeReview(deps, {
      action: 'write_off',
      subjectId: subject,
      detail: {},
      actor: MAKER,
    });
    assert.equal(!refused.ok && refused.error.code, code);
  }
  assert.equal(codeOf(await decide('prp_nothing', CHECKER)), 'not_found');
  const noReason = { proposalId, actor: CHECKER, approve: false, reason: ' ', stepUp: null };
  assert.equal(codeOf(await decideReview(deps, noReason)), 'invalid');
});
