// Tests the check before an order is signed again. As many providers as a final payment needs must report that the order ended
// unpaid, and no provider may show its bytes. In live mode, one provider alone is not enough.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEATH } from '../../../../test/support/networks/scripted-network.ts';
import { openHaltStage } from '../../../../test/support/stages/halts.ts';
import { UNCLEAR_FOR_MS } from '../../../domain/movements/second-signature.ts';
import { type Attempt, newMovement } from '../../../domain/records/movement.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { SendStatus } from '../../../ports/networks/network-payer.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import { checkSecondSignature } from './check-second-signature.ts';

const { attemptsOf, halts, lift, paidBuys, rig, rounds, untilAll } = await openHaltStage();

async function deadBuy(after: { status: () => SendStatus; shows: () => boolean }) {
  let isDead = false;
  const process = rig.another({
    network: () => ({
      broadcast: async () => ({ kind: 'unknown', reason: 'lost' }),
      ask: async () => (isDead ? after.status() : { kind: 'dead', death: DEATH }),
      shows: async () => after.shows(),
    }),
  });
  const [id] = await paidBuys(1);
  for (let round = 0; round < 40 && !isDead; round++) {
    await process.run();
    isDead = (await attemptsOf(id!)).some(({ state }) => state === 'dead');
    rig.pass(300);
  }
  assert.ok(isDead);
  return { process, id: id! };
}

test('threat 42: while the status of a dead transaction is unclear, its order is not signed again; after an hour two people decide', async () => {
  for (const status of [
    { kind: 'unknown', reason: 'the providers disagree' },
    { kind: 'pending' },
    { kind: 'held', reason: 'another used its nonce' },
  ] as const) {
    const { process, id } = await deadBuy({ status: () => status, shows: () => false });
    await rounds(process, 20, 30_000);
    assert.equal((await attemptsOf(id)).length, 1, status.kind);
    assert.equal((await rig.find(id)).state, 'sending');
    rig.pass(UNCLEAR_FOR_MS);
    await rounds(process, 10, 30_000);
    const { state, exception } = await rig.find(id);
    assert.deepEqual([state, exception], ['on_hold', 'send_failed']);
    assert.equal((await attemptsOf(id)).length, 1);
  }
});

test('threat 42: if the unclear status becomes clear within the hour, the order is signed again', async () => {
  let status: SendStatus = { kind: 'unknown', reason: 'a provider is behind' };
  const { process, id } = await deadBuy({ status: () => status, shows: () => false });
  await rounds(process, 10, 30_000);
  status = { kind: 'dead', death: DEATH };
  await rounds(process, 10, 30_000);
  assert.equal((await attemptsOf(id)).length > 1, true);
  rig.pass(60_000);
  await untilAll(rig.another({}), [id], 'completed');
});

test('threat 42: if one provider shows a dead transaction, all sends stop, even if the others prove it dead', async () => {
  let shown = true;
  const { process, id } = await deadBuy({
    status: () => ({ kind: 'dead', death: DEATH }),
    shows: () => shown,
  });
  await rounds(process, 10, 2_000);
  assert.equal((await attemptsOf(id)).length, 1);
  assert.match((await halts())[0]!.reason, /declared dead/);
  shown = false;
  await lift();
  rig.pass(60_000);
  await untilAll(rig.another({}), [id], 'completed');
});

async function next(mode: Mode, providerCount: number, status: SendStatus, kind: 'send' | 'sweep' = 'send') {
  const movement = newMovement({
    ...{
      id: 'mov_1',
      kind,
      mode,
      network: 'Polygon',
      asset: 'NGNC@Polygon',
      amountMinor: 5n,
      nairaMinor: 5n,
    },
    ...{ destination: { address: 'wallet' }, attempts: 1, atMs: 0 },
  });
  const last = {
    movementId: 'mov_1',
    no: 1,
    mode,
    network: 'Polygon',
    reference: '0x1',
    index: 0,
    orders: [],
  };
  const deps = {
    networks: { find: () => ({ providerCount, shows: async () => false }) },
    guard: { mayEnd: async () => true, stopLanded: async () => undefined },
    clock: { now: () => 1_000 },
    onTrouble: () => undefined,
  } as unknown as SettlementDeps;
  const contact = { ask: async () => status } as never;
  const attempt = { ...last, state: 'failed', replacements: [] } as unknown as Attempt;
  const step = await checkSecondSignature(deps, contact, { movement, last: attempt, transaction: null });
  return step === undefined ? 'signed' : step.change?.movements?.[0]?.after.state;
}

test('in live mode, one provider alone never causes a second signature of an order: two people decide', async () => {
  const reverted: SendStatus = { kind: 'failed', reason: 'reverted', cost: null };
  const unpaid: SendStatus = {
    ...{ kind: 'final', hash: '0x1', evidence: {}, cost: null },
    unpaid: [{ index: 0, reason: 'refused' }],
  };
  for (const status of [reverted, unpaid, { kind: 'dead', death: DEATH } as const]) {
    assert.equal(await next('live', 1, status), 'failed');
    assert.equal(await next('live', 2, status), 'signed');
    assert.equal(await next('test', 1, status), 'signed');
    // A sweep pays no customer, so a second sweep is harmless.
    assert.equal(await next('live', 1, status, 'sweep'), 'signed');
  }
});
