// Tests payouts that a bank returns. The bank reports a return once, again under another name, with another amount, or for a
// payout that it never made. The service books one return for each movement, and people handle all other reports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { decideAs } from '../../../../test/support/people/reviewers.ts';
import { openRig, PAYER, POLYGON_WALLET } from '../../../../test/support/settlement.ts';
import { makeReviewStore } from '../../../adapters/postgres/review/review-store.ts';
import { bankReference, type Movement } from '../../../domain/records/movement.ts';
import type { ReviewRequest } from '../../../domain/review/proposal.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { NoticeLine } from '../../../ports/rails/rail-statement.ts';
import { proposeReview } from '../../review/propose-review.ts';
import { readBankFeed } from '../../settlement/record-lines.ts';

const rig = await openRig({ partialCredit: 'refund' });

async function reported(...lines: readonly Omit<NoticeLine, 'raw'>[]): Promise<void> {
  await reportedIn('test', ...lines);
}

async function reportedIn(mode: Mode, ...lines: readonly Omit<NoticeLine, 'raw'>[]): Promise<void> {
  const saying = rig.another({
    bank: {
      statement: async (position) => ({
        lines: lines.map((line) => ({ ...line, raw: {} })),
        position: position ?? '0',
      }),
    },
  });
  // The other process holds the feed until its lease ends.
  rig.pass(20_000);
  await readBankFeed(saying.deps, mode, saying.rail);
  rig.pass(20_000);
  await rig.passing(1_000);
}

const returned = ({ id, nairaMinor }: Movement, sourceId: string, amountMinor = nairaMinor) =>
  ({ kind: 'payout_returned', sourceId, about: bankReference(id), amountMinor }) as const;
const states = async (...names: readonly string[]) =>
  (
    await rig.rows<{ state: string }>(
      'select state from bank_notices where source_id = any ($1::text[]) order by source_id',
      names,
    )
  ).map(({ state }) => state);
const recoveries = async () => {
  const key = 'test/NGN/recoveries';
  return (await rig.deps.store.balances([key])).get(key) ?? 0n;
};
const casesOf = ({ id }: Movement) =>
  rig.rows<{ amount: string }>('select amount_minor::text as amount from cases where movement_id = $1', id);
const messages = () => rig.troubles.map(({ message }) => message);

async function paidOutSell(): Promise<Movement> {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'completed');
  return (await rig.deps.store.movementsOf([sell.id])).find(({ kind }) => kind === 'payout')!;
}

async function decidedRefund(subjectId: string): Promise<void> {
  const deps = {
    ...rig.deps,
    treasuryWatch: rig.treasuryWatch,
    reviewDesk: makeReviewStore(rig.database),
    banks: rig.deps.directory,
  };
  const request = { action: 'refund', subjectId, detail: { target: null }, actor: 'per_ada' } as const;
  const proposed = await proposeReview(deps, request);
  assert.ok(proposed.ok);
  const decision = { proposalId: proposed.value.id, actor: 'per_musa', approve: true, reason: 'looked at' };
  assert.ok((await decideAs(rig.database, deps, decision)).ok);
}

const pause = (paused: boolean) =>
  rig.backOffice.setMovementsPaused(paused, 'test', { actor: 'test', atMs: rig.now() });

async function strayRefund(): Promise<Movement> {
  const name = await rig.payIn({ payerAccount: '5000000001', amountMinor: 777_700n });
  await rig.passing(3_000);
  const { id: subjectId } = (await rig.deps.store.findCredit('test', 'simulated', name))!;
  await decidedRefund(subjectId);
  await rig.passing(10_000);
  const [refund] = await rig.deps.store.movementsOfCredit(subjectId);
  assert.deepEqual([refund!.state, refund!.transactionId], ['done', null]);
  return refund!;
}

test('a payout that is returned under two ids is booked once, and the second notice waits for review', async () => {
  const payout = await paidOutSell();
  const before = await recoveries();
  await reported(returned(payout, 'ret-1'));
  await reported(returned(payout, 'ret-2'));
  assert.equal((await recoveries()) - before, -payout.nairaMinor);
  assert.deepEqual(await casesOf(payout), [{ amount: `${payout.nairaMinor}` }]);
  assert.deepEqual(await states('ret-1', 'ret-2'), ['done', 'review']);
  assert.ok(messages().includes('a payout was returned twice'));
});

test('a refund without a transaction that is returned under two ids is booked once, reported together or separately', async () => {
  for (const together of [false, true]) {
    const refund = await strayRefund();
    const before = await recoveries();
    const names = together ? ['ret-5', 'ret-6'] : ['ret-3', 'ret-4'];
    const lines = names.map((name) => returned(refund, name));
    if (together) await reported(...lines);
    else for (const line of lines) await reported(line);
    assert.equal((await recoveries()) - before, -refund.nairaMinor);
    assert.equal((await casesOf(refund)).length, 1);
    assert.deepEqual((await states(...names)).toSorted(), ['done', 'review']);
  }
});

test('a second return is detected even after the case is closed and the transaction has no exception any more', async () => {
  const payout = await paidOutSell();
  await reported(returned(payout, 'ret-7'));
  const before = await recoveries();
  await rig.rows(
    `update cases set closed_at = now(), closed_by = 'per_ada', version = 2 where movement_id = $1`,
    payout.id,
  );
  await rig.rows(
    'update transaction_states set exception = null where transaction_id = $1',
    payout.transactionId,
  );
  await reported(returned(payout, 'ret-8'));
  assert.equal(await recoveries(), before);
  assert.deepEqual(await states('ret-8'), ['review']);
});

test('if a payout is returned twice with different amounts, the first return is booked, and the second is left for review', async () => {
  const payout = await paidOutSell();
  const before = await recoveries();
  await reported(returned(payout, 'ret-9'));
  await reported(returned(payout, 'ret-91', payout.nairaMinor - 1n));
  assert.equal((await recoveries()) - before, -payout.nairaMinor);
  assert.deepEqual(await states('ret-9', 'ret-91'), ['done', 'review']);
  const more = await paidOutSell();
  await reported(returned(more, 'ret-92', more.nairaMinor + 1n));
  assert.deepEqual([await states('ret-92'), await casesOf(more)], [['review'], []]);
});

test('if two refunds of one buy are both returned, two returns are booked', async () => {
  const payer = { accountNumber: '5000000002', amountMinor: 1_700_000n };
  const buy = await rig.buy(payer);
  for (const amountMinor of [5_000n, 6_000n]) {
    await rig.payIn({ payerAccount: payer.accountNumber, amountMinor });
    await rig.passing(10_000);
  }
  const refunds = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual(
    refunds.map(({ kind, state }) => [kind, state]),
    [
      ['refund', 'done'],
      ['refund', 'done'],
    ],
  );
  const before = await recoveries();
  for (const [index, refund] of refunds.entries()) await reported(returned(refund, `ret-two-${index}`));
  assert.equal((await recoveries()) - before, -11_000n);
});

test('a live-mode bank cannot return a test-mode payout: nothing is booked in either mode, and the notice is left for review', async () => {
  const payout = await paidOutSell();
  const before = await recoveries();
  await reportedIn('live', returned(payout, 'of another mode'));
  assert.deepEqual(await states('of another mode'), ['review']);
  assert.deepEqual([await casesOf(payout), (await recoveries()) - before], [[], 0n]);
  assert.deepEqual(
    (await rig.deps.store.balances(['live/NGN/recoveries'])).get('live/NGN/recoveries') ?? 0n,
    0n,
  );
  assert.equal((await rig.find(payout.transactionId!)).exception, null);
});

test('a refused payout cannot be returned, because its tokens were returned before, and the notice is left for review', async () => {
  rig.meets('pay', '*', 'fails');
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'refunded');
  const [failed] = await rig.rows<{ id: string }>(
    `select id from movements where transaction_id = $1 and kind = 'payout'`,
    sell.id,
  );
  const payout = (await rig.deps.store.movementById(failed!.id))!;
  assert.equal(payout.state, 'failed');
  const before = await recoveries();
  await reported(returned(payout, 'ret-failed'));
  assert.equal(await recoveries(), before);
  assert.deepEqual(await states('ret-failed'), ['review']);
});

test('if an earlier refund is returned while people refund the rest, the rest is still refunded, and the buy ends as refunded', async () => {
  const amountMinor = 1_600_000n;
  const waiting = { wallet: null, state: 'awaiting_wallet' } as const;
  const buy = await rig.buy({ accountNumber: '5000000004', amountMinor, ...waiting });
  await rig.payIn({ payerAccount: buy.accountNumber, amountMinor: 4_000n });
  await rig.passing(10_000);
  const [early] = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual([early!.kind, early!.state], ['refund', 'done']);
  await rig.payIn({ payerAccount: buy.accountNumber, amountMinor });
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).receivedMinor, amountMinor);
  await pause(true);
  await decidedRefund(buy.id);
  await reported(returned(early!, 'ret-early'));
  assert.deepEqual(await states('ret-early'), ['done']);
  const held = await rig.find(buy.id);
  assert.deepEqual([held.state, held.exception], ['on_hold', 'refund_decided']);
  await pause(false);
  await rig.until(buy.id, 'refunded');
  assert.equal((await rig.books(buy.id))['NGN owed'], undefined);
});

test('if one of two payments is reversed while people refund both, the other one is refunded, and the buy ends as refunded', async () => {
  const other = await openRig({ partialCredit: 'hold' });
  const accountNumber = '5000000005';
  const buy = await other.buy({ accountNumber, amountMinor: 2_000_000n, accountName: PAYER.name });
  const names: string[] = [];
  for (const amountMinor of [500_000n, 700_000n]) {
    names.push(await other.payIn({ payerAccount: accountNumber, amountMinor }));
    await other.passing(3_000);
  }
  const deps = {
    ...other.deps,
    treasuryWatch: other.treasuryWatch,
    reviewDesk: makeReviewStore(other.database),
    banks: other.deps.directory,
  };
  const agree = async (request: ReviewRequest) => {
    const proposed = await proposeReview(deps, { ...request, actor: 'per_ada' });
    assert.ok(proposed.ok);
    const decision = { proposalId: proposed.value.id, actor: 'per_musa', approve: true, reason: 'looked at' };
    assert.ok((await decideAs(other.database, deps, decision)).ok);
  };
  for (const name of names) {
    const credit = (await other.deps.store.findCredit('test', 'simulated', name))!;
    if (credit.state !== 'matched')
      await agree({ action: 'match', subjectId: credit.id, detail: { transactionId: buy.id } });
  }
  assert.equal((await other.find(buy.id)).receivedMinor, 1_200_000n);
  await other.backOffice.setMovementsPaused(true, 'test', { actor: 'test', atMs: other.now() });
  await agree({ action: 'refund', subjectId: buy.id, detail: { target: null } });
  await other.sandbox.reverse(names[0]!);
  await other.passing(3_000);
  const held = await other.find(buy.id);
  assert.deepEqual([held.state, held.exception, held.receivedMinor], ['on_hold', 'refund_decided', 700_000n]);
  await other.backOffice.setMovementsPaused(false, 'test', { actor: 'test', atMs: other.now() });
  const done = await other.until(buy.id, 'refunded');
  assert.equal(done.refundedMinor, 700_000n);
  assert.deepEqual(
    (await other.bank.paidOut(buy.id)).map(({ amountMinor }) => amountMinor),
    [700_000n],
  );
  const books = await other.books(buy.id);
  assert.deepEqual(
    [books['NGN owed'], books['NGN refunds_due'], books['NGN losses']],
    [undefined, undefined, undefined],
  );
  await booksBalance({ foundation: other } as never);
});

test('a credit that is reversed under two ids is reversed once', async () => {
  const payer = { accountNumber: '5000000003', amountMinor: 1_650_000n };
  const buy = await rig.buy(payer);
  const name = await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
  await rig.until(buy.id, 'completed');
  const line = { kind: 'credit_reversed', about: name, amountMinor: payer.amountMinor } as const;
  await reported({ ...line, sourceId: 'rev-a' });
  await reported({ ...line, sourceId: 'rev-b' });
  assert.equal((await rig.books(buy.id))['NGN losses'], payer.amountMinor);
  assert.deepEqual(await states('rev-a', 'rev-b'), ['done', 'review']);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
