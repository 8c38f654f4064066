// Tests the set-up of a network. It happens only while nothing else is signed from the network's wallet. Signed bytes are
// stored and printed before the broadcast, and followed until their outcome is known. A step is signed twice only if an
// operator starts it again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEATH } from '../../../test/support/networks/scripted-network.ts';
import { IDLE, makeSetUpDesk } from '../../../test/support/networks/set-up-desk.ts';
import type { Envelope, SendStatus } from '../../ports/networks/network-payer.ts';
import type { NetworkSetUp } from '../../ports/networks/set-up.ts';
import { SigningRefused } from '../../ports/signer.ts';

const FINAL: SendStatus = { kind: 'final', hash: 'hash 1', evidence: {}, unpaid: [], cost: null };

/**
 * Returns a set-up that needs the given steps one after the other. Each step is visible once it is final, unless `blind` is
 * set.
 */
function fakeSetUp(whats: readonly string[], changes: Partial<NetworkSetUp> & { blind?: boolean } = {}) {
  const { blind = false, ...rest } = changes;
  const missing = [...whats];
  const trail: string[] = [];
  const setUp: NetworkSetUp = {
    name: 'Net',
    wallet: 'wallet',
    native: { asset: 'COIN', decimals: 2 },
    orderedBy: 'wallet',
    explorerUrl: (hash) => `https://explorer.example/${hash}`,
    look: async () => ({
      nativeMinor: 100n,
      advice: ['done'],
      steps: missing.map((what) => ({
        what,
        costMinor: 60n,
        sign: async () => {
          trail.push(`sign ${what}`);
          assert.ok(trail.length < 10, 'it is signed again and again');
          return {
            ...{ hash: `hash of ${what}`, source: 'wallet', sequence: '0', payload: '', bound: null },
            signedAtMs: 0,
          };
        },
      })),
    }),
    broadcast: async ({ hash }) => {
      trail.push(`send ${hash}`);
      return { kind: 'accepted' };
    },
    ask: async () => {
      if (!blind) missing.shift();
      return FINAL;
    },
    ...rest,
  };
  return { setUp, trail };
}

const inOrder = { lastSequence: '7', live: 0, inFlightMinor: 0n };

test('every step is signed once, printed before the broadcast, and final before the next step; at the end the lease is released', async () => {
  const { setUp, trail } = fakeSetUp(['one', 'two']);
  const desk = makeSetUpDesk(() => undefined);
  const { broadcast } = setUp;
  const watched: NetworkSetUp = {
    ...setUp,
    broadcast: (prepared) => {
      assert.ok(desk.printed.some((line) => line.includes(prepared.hash)));
      assert.ok(desk.signed.some(({ hash }) => hash === prepared.hash));
      return broadcast(prepared);
    },
  };
  const outcome = await desk.run(watched);
  assert.deepEqual(outcome.ok && outcome.value.advice, ['done']);
  assert.deepEqual(trail, ['sign one', 'send hash of one', 'sign two', 'send hash of two']);
  assert.ok(desk.printed.includes('  https://explorer.example/hash of one'));
  assert.equal(desk.holds.at(-1), 0);
  assert.ok(desk.holds.slice(0, -1).every((leaseMs) => leaseMs === 15_000));
});

test('threat 43: nothing is signed while another process has the lease, payments are in progress, or movements are not paused', async () => {
  const cases: [Parameters<typeof makeSetUpDesk>[1], RegExp][] = [
    [
      { store: { holdFeed: async () => undefined, turnOf: async () => IDLE } },
      /service is signing.*movements pause/,
    ],
    [{ turn: { ...inOrder, live: 2 }, paused: true }, /in progress \(2\)/],
    [{ turn: inOrder }, /Pause movements first/],
  ];
  for (const [changes, message] of cases) {
    const { setUp, trail } = fakeSetUp(['one']);
    const outcome = await makeSetUpDesk(() => undefined, changes).run(setUp);
    assert.match(outcome.ok ? '' : outcome.error, message);
    assert.deepEqual(trail, []);
  }
  const { setUp } = fakeSetUp(['one']);
  assert.ok((await makeSetUpDesk(() => undefined, { turn: inOrder, paused: true }).run(setUp)).ok);
  const free = fakeSetUp(['one'], { orderedBy: null });
  const desk = makeSetUpDesk(() => undefined, { turn: inOrder });
  assert.ok((await desk.run(free.setUp)).ok, 'a wallet without an order needs no turn');
  assert.deepEqual(desk.holds, []);
});

test('the set-up stops if the lease is lost before anything was sent, if there is too little coin, or if the signer refuses', async () => {
  let asked = 0;
  const hold = { name: 'x', fence: 1, position: null };
  const store = { holdFeed: async () => (asked++ === 0 ? hold : undefined), turnOf: async () => IDLE };
  const lost = fakeSetUp(['one']);
  const outcome = await makeSetUpDesk(() => undefined, { store }).run(lost.setUp);
  assert.match(outcome.ok ? '' : outcome.error, /took over.*Nothing was changed/);
  assert.deepEqual(lost.trail, ['sign one']);

  const poor = fakeSetUp(['one']);
  const state = await poor.setUp.look();
  const run = (steps: typeof state.steps, nativeMinor = 100n) =>
    makeSetUpDesk(() => undefined).run({
      ...poor.setUp,
      look: async () => ({ ...state, steps, nativeMinor }),
    });
  const short = await run(state.steps, 59n);
  assert.match(short.ok ? '' : short.error, /wallet has 59 coins free, but this costs up to 60 coins: one/);
  const sign = () => Promise.reject(new SigningRefused('stopped', 'Signing is stopped.'));
  const stopped = await run([{ what: 'one', costMinor: 1n, sign }]);
  assert.deepEqual(stopped, { ok: false, error: 'Signing is stopped.' });
  assert.deepEqual(poor.trail, []);
});

test('threat 42: without a response the same transaction is sent again, nothing new is signed, and the error links to the explorer', async () => {
  const seen: Envelope[] = [];
  const { setUp, trail } = fakeSetUp(['one'], {
    ask: async (envelope) => {
      seen.push(envelope);
      return { kind: 'unknown', reason: 'no provider answers' };
    },
  });
  const outcome = await makeSetUpDesk(() => undefined).run(setUp);
  assert.match(
    outcome.ok ? '' : outcome.error,
    /The outcome of hash of one is not known yet \(no provider answers\).*explorer\.example\/hash of one/,
  );
  assert.deepEqual(new Set(trail), new Set(['sign one', 'send hash of one']));
  assert.equal(trail.filter((each) => each.startsWith('sign')).length, 1);
  assert.ok(trail.filter((each) => each.startsWith('send')).length > 3);
  assert.ok(seen.length > 50);
});

test('a step that failed, is dead or lost its sequence number ends the set-up with an explanation', async () => {
  const ends: [SendStatus, RegExp][] = [
    [{ kind: 'failed', reason: 'it reverted', cost: null }, /failed \(it reverted\): only its fee/],
    [{ kind: 'dead', death: DEATH }, /can no longer land\. Nothing was changed/],
    [{ kind: 'held', reason: 'taken' }, /can no longer land: taken/],
  ];
  for (const [status, message] of ends) {
    const { setUp, trail } = fakeSetUp(['one', 'two'], { ask: async () => status });
    const desk = makeSetUpDesk(() => undefined);
    const outcome = await desk.run(setUp);
    assert.match(outcome.ok ? '' : outcome.error, message);
    assert.deepEqual(trail, ['sign one', 'send hash of one']);
    assert.equal(desk.ended.length, 1, 'and it is recorded as ended');
  }
});

test('the cost of a step is posted when it ends, even if it failed: its fee, and the amount that stays in our account', async () => {
  const cost = { asset: 'COIN', feeMinor: 3n, opened: [{ index: 0, amountMinor: 40n }] };
  const { setUp } = fakeSetUp(['one']);
  const { ask } = setUp;
  const desk = makeSetUpDesk(() => undefined);
  assert.ok((await desk.run({ ...setUp, ask: async (of) => ({ ...FINAL, ...(await ask(of)), cost }) })).ok);
  assert.deepEqual(
    desk.entries.map(({ event, subjectId, postings }) => [event, subjectId, postings]),
    [
      ['network_fee_paid', 3n],
      ['treasury_account_opened', 40n],
    ].map(([event, amountMinor]) => [
      event,
      'setup_hash of one',
      [
        { account: 'test/COIN@Net/network_costs', amountMinor },
        { account: 'test/COIN@Net/capital', amountMinor: -(amountMinor as bigint) },
      ],
    ]),
  );
  const failed = makeSetUpDesk(() => undefined);
  const reverted: SendStatus = { kind: 'failed', reason: 'it reverted', cost: { ...cost, opened: [] } };
  await failed.run(fakeSetUp(['one'], { ask: async () => reverted }).setUp);
  assert.deepEqual(
    failed.entries.map(({ event }) => event),
    ['network_fee_paid'],
  );
});

test('a transaction that cannot be stored is not broadcast', async () => {
  const { setUp, trail } = fakeSetUp(['one']);
  const desk = makeSetUpDesk(() => undefined, { store: { commit: async () => [{ kind: 'stale' }] } });
  const outcome = await desk.run(setUp);
  assert.match(outcome.ok ? '' : outcome.error, /not be saved.*Nothing was changed/);
  assert.deepEqual(trail, ['sign one']);
});

test('threat 42: open transactions of an earlier run are sent again and followed to their end before anything is signed', async () => {
  let known = false;
  const silent: SendStatus = { kind: 'unknown', reason: 'no provider answers' };
  const { setUp, trail } = fakeSetUp(['one', 'two']);
  const { ask } = setUp;
  const heard: NetworkSetUp = { ...setUp, ask: async (of) => (known ? ask(of) : silent) };
  const desk = makeSetUpDesk(() => undefined);
  assert.match(String((await desk.run(heard)).ok), /false/);
  const again = await desk.run(heard);
  assert.match(again.ok ? '' : again.error, /The outcome of hash of one is not known yet/);
  assert.deepEqual(
    [...new Set(trail)],
    ['sign one', 'send hash of one'],
    'nothing is signed while it is unknown',
  );
  known = true;
  trail.length = 0;
  assert.ok((await desk.run(heard)).ok);
  assert.deepEqual(trail, ['send hash of one', 'sign two', 'send hash of two']);
  assert.deepEqual(
    desk.ended.map(({ hash }) => hash),
    ['hash of one', 'hash of two'],
  );
});

test('the set-up waits for a provider that does not show a final step yet, and never signs the step twice', async () => {
  const { setUp, trail } = fakeSetUp(['one'], { blind: true });
  const outcome = await makeSetUpDesk(() => undefined).run(setUp);
  assert.match(
    outcome.ok ? '' : outcome.error,
    /This step is final, but the providers do not show it yet: one/,
  );
  assert.deepEqual(trail, ['sign one', 'send hash of one']);
});
