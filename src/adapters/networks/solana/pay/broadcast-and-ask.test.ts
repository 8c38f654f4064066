// Tests the proofs that bytes are dead, paid or failed. Each proof needs requests in the right order and two providers that
// agree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BOUND,
  LARGE,
  landed,
  OTHER_MINT,
  OWNER,
  PAST,
  SIGNED_AT,
  SLOT,
  SLOTS_AHEAD,
  stage,
  TREASURY_ACCOUNT,
  type View,
  viewOf,
} from '../../../../../test/support/networks/solana-views.ts';

test('threat 42: a payment is dead when two providers each show the newest final block and every block that could contain the payment', async () => {
  const [one, two] = [viewOf(), viewOf()];
  const { ask } = stage(one, two);
  const absence = { observedAt: `${PAST}`, impossibleFrom: `${PAST}` };
  const status = await ask();
  assert.ok(status.kind === 'dead');
  assert.deepEqual(status.death.evidence, {
    lastBlock: `${PAST + SLOTS_AHEAD}`,
    lastValidBlockHeight: '1000',
    proof: 'absent',
    absences: ['provider-0', 'provider-1'].map((provider) => ({ provider, ...absence })),
  });
  for (const { calls } of [one, two]) {
    assert.match(calls.join(), /^status,height,usable,blocks,block,block/, calls.join());
    assert.equal(calls.filter((name) => name === 'block').length, 153, 'each block is read once');
  }
});

test('threats 42, 100: a block that is unreadable, missing, or on another chain than the previous block is not a proof', async () => {
  const broken: readonly Partial<View>[] = [
    { unread: (slot) => slot === SLOT },
    { unread: (slot) => slot === SIGNED_AT },
    { unread: (slot) => slot === PAST + SLOTS_AHEAD },
    { unlisted: (slot) => slot === SLOT, height: PAST + 5n },
    { unlisted: (slot) => slot <= SIGNED_AT, height: PAST + 5n },
    { unlisted: (slot) => slot > SIGNED_AT && slot < SIGNED_AT + 10n, height: PAST + 15n },
  ];
  for (const changes of broken) {
    assert.equal((await stage(viewOf(changes)).ask()).kind, 'unknown');
    assert.equal((await stage(viewOf(changes), viewOf()).ask()).kind, 'unknown');
    assert.equal((await stage(viewOf(), viewOf(changes)).ask()).kind, 'unknown');
    const remembers = viewOf({ statuses: [landed()], shown: 100n });
    assert.equal((await stage(viewOf(changes), remembers).ask()).kind, 'final');
  }
  const fork = viewOf({ forkFrom: SLOT });
  assert.equal((await stage(viewOf(), fork).ask()).kind, 'unknown', 'the two have read different chains');
});

test('threats 42, 100: a transaction in a final block has landed, even if no provider has its status', async () => {
  const content = (slot: bigint) => (slot === SLOT ? ['vote', 'hash'] : ['vote']);
  const hole = (changes: Partial<View> = {}) => viewOf({ content, ...changes });
  assert.equal((await stage(hole({ shown: 100n }), hole({ shown: 100n })).ask()).kind, 'final');
  assert.equal((await stage(hole(), hole()).ask()).kind, 'unknown');
  // If only one provider does not show the bytes, this does not prove that they are dead.
  assert.equal((await stage(viewOf(), hole({ shown: 100n })).ask()).kind, 'unknown');
  assert.equal((await stage(viewOf(), hole()).ask()).kind, 'unknown');
});

test('a transaction counts as shown if one provider shows it, final or not; a failed transaction does not count', async () => {
  const seen = () => viewOf({ statuses: [landed({ final: false })] });
  assert.equal(await stage(viewOf(), seen()).shows(), true);
  assert.equal(await stage(seen(), viewOf({ away: true })).shows(), true);
  assert.equal(await stage(viewOf(), viewOf()).shows(), false);
  assert.equal(await stage(viewOf({ statuses: [landed({ failure: '"AccountFrozen"' })] })).shows(), false);
  await assert.rejects(stage(viewOf({ away: true })).shows());
});

test('threat 42: a transaction that landed between the two status requests is not dead', async () => {
  // The result stays the same even if the status is missing again each time the proof is repeated.
  const seen = landed({ final: false });
  const view = viewOf({ statuses: [null, seen, null, seen, null, seen] });
  assert.deepEqual(await stage(view).ask(), { kind: 'included', confirmations: 1 });
});

test('threat 42: a transaction is still pending at its last valid block and one block after it', async () => {
  // A blockhash is checked against the previous block, so bytes may land one block after their bound.
  for (const height of [BOUND, BOUND + 1n])
    assert.equal((await stage(viewOf({ height }), viewOf({ height })).ask()).kind, 'pending');
});

test('threat 42: if the second provider lags, knows the payment or is unreachable, the payment does not count as dead', async () => {
  const lagging = stage(viewOf(), viewOf({ height: BOUND - 40n }));
  assert.equal((await lagging.ask()).kind, 'pending');
  const away = stage(viewOf(), viewOf({ away: true }));
  assert.equal((await away.ask()).kind, 'unknown');
  const knows = stage(viewOf(), viewOf({ statuses: [landed()], shown: 100n }));
  assert.equal((await knows.ask()).kind, 'unknown');
  assert.equal((await knows.ask()).kind, 'unknown');
  assert.equal(knows.troubles.length, 1, 'said once');
});

test('threat 42: a transaction whose blockhash a provider still accepts is pending, whatever expiry was stored', async () => {
  const views = [viewOf({ usable: true }), viewOf({ usable: true })];
  assert.equal((await stage(...views).ask()).kind, 'pending');
});

test('threat 42: blocks that were read are remembered, and a search that takes too long continues next time', async () => {
  const view = viewOf();
  const { ask, pass } = stage(view);
  view.content = () => {
    pass(60);
    return ['vote'];
  };
  assert.equal((await ask()).kind, 'pending');
  assert.equal((await ask()).kind, 'dead');
  assert.equal(view.calls.filter((name) => name === 'block').length, 153);
});

test('a payment is final, with its cost, only if the transaction shows the signed change; otherwise it is unknown', async () => {
  const paid = viewOf({ statuses: [landed()], shown: 100n });
  assert.deepEqual(await stage(paid).ask(), {
    kind: 'final',
    hash: 'hash',
    evidence: { slot: '5000' },
    unpaid: [],
    cost: { asset: 'SOL', feeMinor: 5_000n, opened: [{ index: 0, amountMinor: 2_039_280n }] },
  });
  for (const shown of [99n, null]) {
    const { ask, troubles } = stage(viewOf({ statuses: [landed()], shown }));
    assert.equal((await ask()).kind, 'unknown');
    assert.equal(troubles.length, 1);
  }
});

test('threat 46: a large payment is final when two providers agree, and a small payment when one provider reports it', async () => {
  const paid = (shown: bigint) => viewOf({ statuses: [landed()], shown });
  const unseen = () => viewOf({ height: BOUND - 1n });
  assert.equal((await stage(paid(100n), unseen()).ask()).kind, 'final');
  assert.equal((await stage(paid(LARGE), unseen()).ask(LARGE)).kind, 'unknown');
  assert.equal((await stage(paid(LARGE), paid(LARGE)).ask(LARGE)).kind, 'final');
  const behind = viewOf({ statuses: [landed({ final: false })] });
  const { ask, troubles } = stage(paid(LARGE), behind);
  assert.equal((await ask(LARGE)).kind, 'included');
  assert.deepEqual(troubles, [], 'one that is behind is no trouble');
});

test('threat 46: a failure of any amount needs two providers, because the order is signed again', async () => {
  const failed = () => viewOf({ statuses: [landed({ failure: '"AccountFrozen"' })], shown: 0n });
  const both = await stage(failed(), failed()).ask();
  assert.ok(both.kind === 'failed' && both.cost?.feeMinor === 5_000n);
  const paid = viewOf({ statuses: [landed()], shown: 100n });
  assert.equal((await stage(failed(), paid).ask()).kind, 'unknown');
  assert.equal((await stage(failed(), viewOf({ away: true })).ask()).kind, 'unknown');
});

test('an open transaction is broadcast again every two seconds, and a status query never broadcasts it for the first time', async () => {
  const view = viewOf({ height: BOUND - 100n });
  const { ask, broadcast, pass } = stage(view);
  const sends = () => view.calls.filter((name) => name === 'send').length;
  pass(10_000);
  await ask();
  assert.equal(sends(), 0);
  assert.deepEqual(await broadcast(), { kind: 'accepted' });
  pass(1_999);
  await ask();
  assert.equal(sends(), 1);
  pass(1);
  await ask();
  assert.equal(sends(), 2);
});

test('threat 42: a broadcast is accepted if one provider accepts it, and is otherwise unknown, whatever the errors are', async () => {
  const away = () => viewOf({ away: true });
  assert.equal((await stage(away(), viewOf()).broadcast()).kind, 'accepted');
  assert.deepEqual(await stage(away(), away()).broadcast(), { kind: 'unknown', reason: 'away' });
  assert.equal((await stage(away(), away()).ask()).kind, 'unknown');
});

test('threat 46: a large deposit counts when two providers saw exactly that amount', async () => {
  const came = (shown: bigint) => viewOf({ statuses: [landed()], shown });
  assert.equal(await stage(came(100n), viewOf()).confirm(100n), 'final');
  assert.equal(await stage(came(100n), viewOf()).confirm(90n), 'unknown');
  assert.equal(await stage(came(LARGE), came(LARGE)).confirm(LARGE), 'final');
  const lie = stage(came(LARGE), viewOf());
  assert.equal(await lie.confirm(LARGE), 'unknown');
  assert.equal(lie.troubles.length, 1);
  const behind = viewOf({ statuses: [landed({ final: false })] });
  assert.equal(await stage(came(LARGE), behind).confirm(LARGE), 'pending');
});

test('threat 46, threat 48: a transfer of another token, or to another account, does not confirm a deposit', async () => {
  const came = (other: Partial<View>) => viewOf({ statuses: [landed()], shown: LARGE, ...other });
  for (const other of [{ mint: OTHER_MINT }, { recipient: TREASURY_ACCOUNT }, { recipient: OWNER }]) {
    assert.equal(await stage(came(other), came(other)).confirm(LARGE), 'unknown');
    assert.equal(await stage(came(other)).confirm(LARGE), 'unknown');
  }
  assert.equal(await stage(came({}), came({})).confirm(LARGE), 'final');
});

test('threat 45: a deposit counts as gone when two providers report that it failed, and as pending when it is only missing', async () => {
  const failed = () => viewOf({ statuses: [landed({ failure: '"AccountFrozen"' })] });
  assert.equal(await stage(failed(), failed()).confirm(100n), 'gone');
  assert.equal(await stage(failed(), viewOf()).confirm(100n), 'unknown');
  assert.equal(await stage(viewOf(), viewOf()).confirm(100n), 'pending');
  assert.equal(await stage(viewOf({ away: true })).confirm(100n), 'unknown');
});

test('threat 46: a transaction that is missing at a stalled provider is not a proof, so another provider is queried', async () => {
  const stillMs = 700_000;
  const behind = { height: BOUND - 100n, usable: true, stillMs };
  const open = landed({ final: false });
  for (const statuses of [[null], [open]]) {
    const still = viewOf({ ...behind, statuses });
    const moving = viewOf({ statuses: [landed()], shown: 100n });
    const { ask, confirm } = stage(still, moving);
    assert.equal((await ask()).kind, 'final');
    assert.equal(await confirm(100n), 'final');
    assert.equal((await stage(still).ask()).kind, 'unknown');
    assert.equal(await stage(still).confirm(100n), 'unknown');
  }
});

test('for an open payment the time of the chain is requested once per minute', async () => {
  const view = viewOf({ height: BOUND - 100n });
  const { ask, pass } = stage(view);
  for (let time = 0; time < 12; time++) {
    assert.equal((await ask()).kind, 'pending');
    pass(10_000);
  }
  assert.equal(view.calls.filter((name) => name === 'clock').length, 2);
});
