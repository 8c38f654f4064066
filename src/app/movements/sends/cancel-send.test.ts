// Tests how an operator cancels a send. The service stores the replacing bytes before the broadcast, and the transaction that
// lands in the network decides the outcome.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../../../test/support/settlement.ts';
import type { Network } from '../../../ports/networks/network.ts';
import type { Envelope, SendStatus } from '../../../ports/networks/network-payer.ts';
import { cancelSend } from './cancel-send.ts';

const rig = await openRig();
let people = 0;

async function stuckSend(more: Partial<Network>, statusOf: (envelope: Envelope) => SendStatus) {
  const accountNumber = `${7_000_000_000 + ++people * 7_919}`;
  const amountMinor = 1_700_000n + BigInt(people);
  const { id } = await rig.buy({ accountNumber, amountMinor });
  await rig.payIn({ payerAccount: accountNumber, amountMinor });
  rig.pass(16_000);
  const process = rig.another({
    network: (real) =>
      real.name === 'Polygon' ? { ask: async (envelope) => statusOf(envelope), ...more } : {},
  });
  for (let step = 0; step < 20 && (await rig.find(id)).state !== 'confirming'; step++) {
    await process.run();
    rig.pass(200);
  }
  const [movement] = await rig.deps.store.movementsOf([id]);
  return { id, movement: movement!, process };
}

const CANCELLED: SendStatus = { kind: 'failed', reason: 'cancelled', cost: null };

test('threat 44: a cancelled send is held for review, and is never paid', async () => {
  const sent: string[] = [];
  let instead = '';
  const { id, movement, process } = await stuckSend(
    {
      cancel: async ({ versions }) => ({ ...versions[0]!, hash: `0xinstead${people}`, payload: 'nothing' }),
      broadcast: async (prepared) => {
        sent.push(prepared.payload);
        return { kind: 'accepted' };
      },
    },
    (envelope) => (envelope.versions.some(({ hash }) => hash === instead) ? CANCELLED : { kind: 'pending' }),
  );
  const outcome = await cancelSend(process.deps, { movementId: movement.id, othersToo: false });
  assert.ok(outcome.ok && outcome.value.kind === 'signed');
  instead = outcome.value.hash;
  assert.equal(sent.at(-1), 'nothing');
  for (let step = 0; step < 40 && (await rig.find(id)).state !== 'on_hold'; step++) {
    rig.pass(1_000);
    await process.run();
  }
  const { state, exception } = await rig.find(id);
  assert.deepEqual([state, exception], ['on_hold', 'send_failed']);
  assert.equal(
    sent.filter((payload) => payload !== 'nothing').length,
    1,
    'the bytes that were signed first are not broadcast again',
  );
});

test('a send that cannot be cancelled is refused with a reason, and nothing is stored', async () => {
  const { movement, process } = await stuckSend({ cancel: async () => undefined }, () => ({
    kind: 'pending',
  }));
  const refusals = [
    await cancelSend(process.deps, { movementId: movement.id, othersToo: false }),
    await cancelSend(process.deps, { movementId: 'mov_nothing', othersToo: true }),
  ];
  for (const refusal of refusals) assert.equal(refusal.ok, false);
  const rows = await rig.rows(
    `select r.no from attempt_replacements r join movement_attempts a on a.reference = r.reference where a.movement_id = $1`,
    movement.id,
  );
  assert.deepEqual(rows, []);
});
