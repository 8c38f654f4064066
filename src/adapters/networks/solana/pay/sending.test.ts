// What proves that bytes are dead, paid or failed: the order of the questions, and two providers that say the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BOUND,
  LARGE,
  landed,
  OTHER_MINT,
  OWNER,
  other,
  PAST,
  SLOT,
  SLOTS_AHEAD,
  stage,
  TREASURY_ACCOUNT,
  type View,
  viewOf,
  vote,
} from '../../../../../test/support/networks/solana-views.ts';

test('threat 42: dead is the newest final block first and then no status, wholly at each of two', async () => {
  const [one, two] = [viewOf(), viewOf()];
  const { ask } = stage(one, two);
  const absence = { observedAt: `${PAST + SLOTS_AHEAD + 20n}`, impossibleFrom: `${PAST + SLOTS_AHEAD}` };
  const status = await ask();
  assert.ok(status.kind === 'dead');
  assert.deepEqual(status.death.evidence, {
    finalizedHeight: `${PAST}`,
    lastValidBlockHeight: '1000',
    proof: 'absent',
    absences: ['provider-0', 'provider-1'].map((provider) => ({ provider, ...absence })),
  });
  for (const { calls } of [one, two])
    assert.match(calls.join(), /^status,height,usable,blocks,block,block,status/, calls.join());
});

test('threat 42: a status is no proof when its own slot is before the block that bytes cannot come after', async () => {
  const behind = () => viewOf({ statusSlot: PAST + SLOTS_AHEAD - 1n });
  assert.equal((await stage(behind()).ask()).kind, 'pending');
  assert.equal((await stage(behind(), behind()).ask()).kind, 'pending');
  assert.equal((await stage(viewOf(), behind()).ask()).kind, 'pending');
  assert.equal((await stage(behind(), viewOf()).ask()).kind, 'pending');
  // As a number it is far above every height; it is compared with slots alone.
  assert.ok(PAST + SLOTS_AHEAD - 1n > PAST);
  const there = () => viewOf({ statusSlot: PAST + SLOTS_AHEAD });
  assert.equal((await stage(there(), there()).ask()).kind, 'dead');
});

test('threat 42: a server that does not know its witnesses proves nothing, however new its slot is', async () => {
  const first = SLOT - 40n;
  const holes: readonly View['unknown'][] = [
    (slot) => slot <= first,
    (slot) => slot > first,
    (slot) => slot >= BOUND + SLOTS_AHEAD,
  ];
  for (const unknown of holes) {
    assert.equal((await stage(viewOf({ unknown })).ask()).kind, 'unknown');
    assert.equal((await stage(viewOf({ unknown }), viewOf()).ask()).kind, 'unknown');
    assert.equal((await stage(viewOf(), viewOf({ unknown })).ask()).kind, 'unknown');
  }
});

test('threat 42: bytes that landed between the two questions are not dead', async () => {
  // Even when it is missing again whenever the proof begins anew.
  const seen = landed({ final: false });
  const view = viewOf({ statuses: [null, seen, null, seen, null, seen] });
  assert.deepEqual(await stage(view).ask(), { kind: 'included', confirmations: 1 });
});

test('threat 42: at their bound bytes are still open', async () => {
  // A hash is checked against the block before: bytes may be in the block after the one that the bound names.
  for (const height of [BOUND, BOUND + 1n])
    assert.equal((await stage(viewOf({ height }), viewOf({ height })).ask()).kind, 'pending');
});

test('threat 42: a second provider that lags, knows it, or is away leaves the payment open', async () => {
  const lagging = stage(viewOf(), viewOf({ height: BOUND - 40n }));
  assert.equal((await lagging.ask()).kind, 'pending');
  const away = stage(viewOf(), viewOf({ away: true }));
  assert.equal((await away.ask()).kind, 'unknown');
  const knows = stage(viewOf(), viewOf({ statuses: [landed()], shown: 100n }));
  assert.equal((await knows.ask()).kind, 'unknown');
  assert.equal((await knows.ask()).kind, 'unknown');
  assert.equal(knows.troubles.length, 1, 'said once');
});

test('threat 42: a blockhash that is still taken is alive, whatever bound was stored', async () => {
  const views = [viewOf({ usable: true }), viewOf({ usable: true })];
  assert.equal((await stage(...views).ask()).kind, 'pending');
});

test('threat 42: one known transaction of a block is enough; a block without any is passed by, and none proves nothing', async () => {
  const crowd = [...Array(200).fill(vote), ...Array(60).fill(other)];
  assert.equal((await stage(viewOf({ content: crowd })).ask()).kind, 'dead');
  assert.equal((await stage(viewOf({ content: [vote, vote] })).ask()).kind, 'unknown');
  const empty = viewOf({ content: [] });
  assert.equal((await stage(empty).ask()).kind, 'unknown');
  assert.ok(empty.calls.filter((name) => name === 'block').length <= 10);
});

test('threat 42: providers without all blocks of that time prove nothing by silence', async () => {
  const signedAt = SLOT - 40n;
  const lost: readonly View['unlisted'][] = [
    (slot) => slot <= SLOT,
    (slot) => slot > signedAt && slot < signedAt + 10n,
    () => true,
  ];
  for (const unlisted of lost) {
    const forgetful = () => viewOf({ unlisted, height: PAST + 60n });
    assert.equal((await stage(forgetful(), forgetful()).ask()).kind, 'unknown');
    assert.equal((await stage(forgetful()).ask()).kind, 'unknown');
    assert.equal((await stage(forgetful(), viewOf()).ask()).kind, 'unknown');
    const remembers = viewOf({ statuses: [landed()], shown: 100n });
    assert.equal((await stage(forgetful(), remembers).ask()).kind, 'final');
  }
});

test('final is what the transaction shows, with its cost; anything else is open', async () => {
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

test('threat 46: a large payment is final when two say so, a small one when one does', async () => {
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

test('threat 46: a failure leads to new bytes, so two must say so, however small it is', async () => {
  const failed = () => viewOf({ statuses: [landed({ failure: '"AccountFrozen"' })], shown: 0n });
  const both = await stage(failed(), failed()).ask();
  assert.ok(both.kind === 'failed' && both.cost?.feeMinor === 5_000n);
  const paid = viewOf({ statuses: [landed()], shown: 100n });
  assert.equal((await stage(failed(), paid).ask()).kind, 'unknown');
  assert.equal((await stage(failed(), viewOf({ away: true })).ask()).kind, 'unknown');
});

test('bytes are broadcast again every two seconds while open, and never for the first time by a question', async () => {
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

test('threat 42: one provider that takes it is enough; none is unknown, whatever they say', async () => {
  const away = () => viewOf({ away: true });
  assert.equal((await stage(away(), viewOf()).broadcast()).kind, 'accepted');
  assert.deepEqual(await stage(away(), away()).broadcast(), { kind: 'unknown', reason: 'away' });
  assert.equal((await stage(away(), away()).ask()).kind, 'unknown');
});

test('threat 46: a large deposit counts when two saw exactly that amount', async () => {
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

test('threat 46, threat 48: a transfer of another token, or to another account, is not the deposit that one provider invented', async () => {
  const came = (other: Partial<View>) => viewOf({ statuses: [landed()], shown: LARGE, ...other });
  for (const other of [{ mint: OTHER_MINT }, { recipient: TREASURY_ACCOUNT }, { recipient: OWNER }]) {
    assert.equal(await stage(came(other), came(other)).confirm(LARGE), 'unknown');
    assert.equal(await stage(came(other)).confirm(LARGE), 'unknown');
  }
  assert.equal(await stage(came({}), came({})).confirm(LARGE), 'final');
});

test('threat 45: a deposit is gone when two say it failed, and pending when it is just not there', async () => {
  const failed = () => viewOf({ statuses: [landed({ failure: '"AccountFrozen"' })] });
  assert.equal(await stage(failed(), failed()).confirm(100n), 'gone');
  assert.equal(await stage(failed(), viewOf()).confirm(100n), 'unknown');
  assert.equal(await stage(viewOf(), viewOf()).confirm(100n), 'pending');
  assert.equal(await stage(viewOf({ away: true })).confirm(100n), 'unknown');
});

test('threat 46: what a stalled provider does not show proves nothing: another one is asked', async () => {
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

test('an open payment costs a provider one question about its time a minute', async () => {
  const view = viewOf({ height: BOUND - 100n });
  const { ask, pass } = stage(view);
  for (let time = 0; time < 12; time++) {
    assert.equal((await ask()).kind, 'pending');
    pass(10_000);
  }
  assert.equal(view.calls.filter((name) => name === 'clock').length, 2);
});
