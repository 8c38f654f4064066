// Tests how the operator withdraws tokens from a treasury. A withdrawal needs two people, happens once, goes to the address
// that they agreed on, and never takes tokens that belong to customers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { CHECKER, decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { makeReviewStore } from '../../adapters/postgres/review/review-store.ts';
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import type { WithdrawalDetail } from '../../domain/review/proposal.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { cancelSend } from '../movements/sends/cancel-send.ts';
import { proposeReview } from './propose-review.ts';
import { proposeWithdrawal } from './propose-withdrawal.ts';
import type { ReviewDeps } from './review-deps.ts';

const rig = await openRig();
const deps: ReviewDeps = {
  ...rig.deps,
  treasuryWatch: rig.treasuryWatch,
  reviewDesk: makeReviewStore(rig.database),
  banks: loadBankDirectory(),
};
const TOKEN = 'NGNC@Polygon';
const UNIT = 10n ** BigInt(rig.network('Polygon').asset.decimals - 2);
const ASKED: WithdrawalDetail = {
  mode: 'test',
  network: 'Polygon',
  address: POLYGON_WALLET.address,
  nairaMinor: 2_500_000n,
};

const propose = (changes: Partial<WithdrawalDetail> = {}, actor = MAKER) =>
  proposeWithdrawal(deps, { ...ASKED, ...changes, actor });
const decide = (proposalId: string, actor = CHECKER) =>
  decideAs(rig.database, deps, { proposalId, actor, approve: true, reason: 'redeem them' });
const said = (result: Awaited<ReturnType<typeof decide>>) => (result.ok ? 'ok' : result.error.message);
const balance = async (name: Parameters<typeof ledgerKey>[2]) => {
  const key = ledgerKey('test', TOKEN, name);
  return new Map(await rig.deps.store.balances([key])).get(key) ?? 0n;
};
async function approved(changes: Partial<WithdrawalDetail> = {}): Promise<string> {
  const proposed = await propose(changes);
  assert.ok(proposed.ok, said(proposed));
  assert.equal(said(await decide(proposed.value.id)), 'ok');
  return proposed.value.request.subjectId;
}
async function ended(id: string) {
  for (let step = 0; step < 100; step++) {
    const movement = (await rig.deps.store.movementById(id))!;
    if (movement.state === 'done' || movement.state === 'failed') return movement;
    await rig.passing(500);
  }
  return assert.fail(`${id} never ended`);
}

test('[threat 83] when two people withdraw tokens, the tokens leave once, and the books show them as withdrawn', async () => {
  const before = { treasury: await balance('treasury'), capital: await balance('capital') };
  const proposed = await propose({ network: 'polygon', address: ASKED.address.toLowerCase() });
  assert.ok(proposed.ok);
  const { id, request, amountMinor } = proposed.value;
  assert.equal(amountMinor, 2_500_000n);
  assert.equal(await rig.deps.store.movementById(request.subjectId), undefined, 'nothing moved yet');
  assert.match(said(await decide(id, MAKER)), /another person/);
  const answers = await Promise.all([decide(id), decide(id), decide(id, 'per_musa')]);
  assert.deepEqual(answers.map(({ ok }) => ok).sort(), [false, false, true]);
  const { state, destination, amountMinor: tokens } = await ended(request.subjectId);
  assert.deepEqual([state, destination, tokens], ['done', { address: ASKED.address }, 2_500_000n * UNIT]);
  assert.equal(await rig.network('Polygon').paidTimes(request.subjectId), 1);
  assert.equal(before.treasury - (await balance('treasury')), tokens);
  assert.deepEqual(
    [await balance('withdrawn'), await balance('reserved'), await balance('sent')],
    [tokens, 0n, 0n],
  );
  assert.equal(await balance('capital'), before.capital);
  assert.deepEqual(await rig.events(request.subjectId), [
    'withdrawal_reserved',
    'withdrawal_sent',
    'withdrawal_made',
  ]);
  assert.match(said(await decide(id)), /approved by/);
  await booksBalance({ foundation: rig } as never);
});

test('a withdrawal that one person proposes twice is one proposal, and a second person cannot propose the same one', async () => {
  const ids = [await propose(), await propose({ nairaMinor: 1n })];
  const again = await propose();
  assert.ok(again.ok && ids.every((each) => each.ok));
  assert.equal(new Set(ids.map((each) => each.ok && each.value.id)).size, 2);
  assert.match(said(await propose({}, 'per_musa')), /proposed the same/);
  const otherwise = { network: 'POLYGON', address: ASKED.address.toLowerCase() };
  assert.match(said(await propose(otherwise, 'per_musa')), /proposed the same/);
  assert.equal(again.value.id, ids[0]!.ok && ids[0]!.value.id);
  for (const each of ids) {
    const proposalId = each.ok ? each.value.id : '';
    await decideAs(rig.database, deps, { proposalId, actor: CHECKER, approve: false, reason: 'not now' });
  }
});

test('[threat 35] a forbidden destination and an invalid amount are refused when they are proposed', async () => {
  const sell = await rig.sell();
  const ours = rig.network('Polygon').depositTarget(sell.id).address;
  for (const [changes, why] of [
    [{ nairaMinor: 0n }, /more than zero/],
    [{ nairaMinor: -1n }, /more than zero/],
    [{ network: 'Base' }, /not enabled/],
    [{ mode: 'live' }, /not enabled/],
    [{ address: '0xnothing' }, /./],
    [{ address: `0x${'0'.repeat(40)}` }, /./],
    [{ address: ours }, /our own/],
    [{ network: 'Stellar' }, /./],
  ] as const) {
    const result = await propose(changes);
    assert.ok(
      !result.ok,
      JSON.stringify(changes, (_, each) => (typeof each === 'bigint' ? `${each}` : each)),
    );
    assert.match(result.error.message, why);
  }
  const existing = await approved({ nairaMinor: 100n });
  const twice = await proposeReview(deps, {
    ...{ action: 'withdraw', subjectId: existing, detail: ASKED, actor: MAKER },
  });
  assert.match(said(twice), /already made/);
  await ended(existing);
});

test('received tokens that are not ours cannot be withdrawn, and an approval uses the current balance', async () => {
  const sell = await rig.sell({ amountMinor: 3_000_000n });
  const free = (await balance('treasury')) / UNIT;
  const proposed = await propose({ nairaMinor: free });
  assert.ok(proposed.ok, 'all that is free may leave');
  await rig.depositFor(sell, 1_000_000n);
  await rig.until(sell.id, 'on_hold', 'deposited', 'confirming_deposit');
  await rig.passing(3_000);
  assert.equal(-(await balance('suspense')) / UNIT, 1_000_000n);
  assert.match(said(await propose({ nairaMinor: free + 1n })), /At most ₦/);
  const sent = await approved({ nairaMinor: 5_000n });
  await ended(sent);
  assert.match(said(await decide(proposed.value.id)), /At most ₦/);
  assert.equal(
    (await deps.reviewDesk.findProposal(proposed.value.id))!.decision,
    null,
    'nothing was decided',
  );
});

test('a withdrawal that the network refuses repeatedly is given up, and its tokens are available again', async () => {
  const before = await balance('treasury');
  for (let time = 0; time < 20; time++) rig.meets('broadcast', '*', 'rejected');
  const { state, id } = await ended(await approved());
  assert.equal(state, 'failed');
  assert.equal(await rig.network('Polygon').paidTimes(id), 0);
  assert.deepEqual([await balance('treasury'), await balance('reserved')], [before, 0n]);
});

test('an address on a sanctions list gets no withdrawal', async () => {
  const listed = rig.another({ screening: { screen: async () => [{ list: 'test', entry: 'x' }] as never } });
  const id = await approved();
  await listed.run();
  const { state, reason, attempts } = (await rig.deps.store.movementById(id))!;
  assert.deepEqual([state, reason, attempts], ['failed', 'screening_hit', 0]);
  assert.deepEqual(await rig.events(id), ['withdrawal_reserved', 'withdrawal_released']);
});

test('two withdrawals that are approved at once cannot together take tokens that are not ours', async () => {
  const sell = await rig.sell({ amountMinor: 4_000_000n });
  await rig.depositFor(sell, 1_000_000n);
  await rig.until(sell.id, 'on_hold', 'deposited', 'confirming_deposit');
  await rig.passing(3_000);
  const others = -((await balance('suspense')) + (await balance('dust')) + (await balance('refunds_due')));
  const half = (await balance('treasury')) / UNIT / 2n;
  const proposed = await Promise.all([propose({ nairaMinor: half }), propose({ nairaMinor: half - 1n })]);
  const answers = await Promise.all(proposed.map((each) => decide(each.ok ? each.value.id : '')));
  assert.equal(answers.filter(({ ok }) => ok).length, 1, JSON.stringify(answers.map(said)));
  assert.ok((await balance('treasury')) >= others);
  const { request } = proposed.flatMap((each, at) => (each.ok && answers[at]!.ok ? [each.value] : []))[0]!;
  await ended(request.subjectId);
  for (const each of proposed)
    await decideAs(rig.database, deps, {
      ...{ proposalId: each.ok ? each.value.id : '', actor: CHECKER, approve: false, reason: 'not now' },
    });
});

test('if settlement posts entries during the approval, the commit writes nothing, and the person sees the current free amount', async () => {
  const sell = await rig.sell({ amountMinor: 4_000_000n });
  const free = async () => {
    const accounts = (['treasury', 'suspense', 'refunds_due', 'dust'] as const).map(balance);
    return (await Promise.all(accounts)).reduce((sum, each) => sum + each, 0n);
  };
  // When all tokens of a sell have arrived, they belong to the operator. When the sell is refunded, they belong to the seller
  // again.
  await rig.depositFor(sell, 4_000_000n);
  await rig.until(sell.id, 'completed');
  const proposed = await propose({ nairaMinor: (await free()) / UNIT });
  assert.ok(proposed.ok, said(proposed));
  const undone = entryOf('payout_undone', {
    ...{ mode: 'test', subjectId: sell.id, asset: TOKEN },
    amounts: { amount: 0n, tokens: 1_000_000n * UNIT },
  });
  let commits = 0;
  const paused: ReviewDeps = {
    ...deps,
    store: {
      ...deps.store,
      commit: async (changes, feed) => {
        if (commits++ === 0)
          assert.equal(
            (await deps.store.commit([{ atMs: deps.clock.now(), entries: [undone] }]))[0]!.kind,
            'committed',
          );
        return deps.store.commit(changes, feed);
      },
    },
  };
  const before = { treasury: await balance('treasury'), free: await free() };
  const approval = { proposalId: proposed.value.id, actor: CHECKER, approve: true, reason: 'redeem them' };
  const answer = await decideAs(rig.database, paused, approval);
  const left = formatNaira(before.free / UNIT - 1_000_000n);
  assert.equal(
    said(answer),
    `At most ${left} may leave Polygon: the free tokens, less those that belong to others.`,
  );
  assert.deepEqual([commits, await balance('treasury')], [1, before.treasury]);
  const { id, request } = proposed.value;
  assert.equal((await deps.reviewDesk.findProposal(id))!.decision, null, 'nothing was decided');
  assert.equal(await rig.deps.store.movementById(request.subjectId), undefined);
  await decideAs(rig.database, deps, { ...approval, approve: false });
});

test('a withdrawal that can never be sent is cancelled, and its reserved tokens are available again', async () => {
  const before = await balance('treasury');
  const stuck = rig.another({
    network: (real) =>
      real.name === 'Polygon'
        ? {
            prepare: async (payments) => ({
              envelopes: [],
              waiting: payments.map(({ orderId }) => ({
                orderId,
                obstacle: 'signing_refused',
                detail: 'cap',
              })),
            }),
          }
        : {},
  });
  const id = await approved({ nairaMinor: 700n });
  for (let round = 0; round < 20; round++) {
    await stuck.run();
    rig.pass(5_000);
  }
  assert.deepEqual(
    [(await rig.deps.store.movementById(id))!.state, await balance('reserved')],
    ['pending', 700n * UNIT],
  );
  const cancel = () => cancelSend(rig.deps, { movementId: id, othersToo: false });
  assert.deepEqual(await cancel(), { ok: true, value: { kind: 'called_off' } });
  const { state, reason } = (await rig.deps.store.movementById(id))!;
  assert.deepEqual([state, reason], ['failed', 'called_off']);
  assert.deepEqual([await balance('treasury'), await balance('reserved')], [before, 0n]);
  assert.equal((await cancel()).ok, false);
});
