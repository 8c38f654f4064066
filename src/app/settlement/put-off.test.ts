// Tests that a payment that waited long for its turn is not delayed again after its broadcast. The service queries the network
// equally soon, however long the payment waited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEATH, landed, openScriptedRig, WALLET } from '../../../test/support/networks/scripted-network.ts';

const { allInOne, paidBuys, rig, scripted, untilAll } = await openScriptedRig();

test('threat 42: after a long wait for its turn to sign, a send whose first response is lost is queried again soon', async () => {
  const [id] = await paidBuys(1);
  let dead = true;
  let free = true;
  const { process, asked, sent } = scripted({
    sign: (payments) =>
      free
        ? allInOne(payments)
        : {
            envelopes: [],
            waiting: payments.map(({ orderId }) => ({ orderId, obstacle: 'turn_taken', detail: '' })),
          },
    statusOf: (envelope) => (dead ? { kind: 'dead', death: DEATH } : landed(envelope)),
    more: {
      broadcast: async (prepared) => {
        sent.push(prepared);
        return { kind: 'unknown', reason: '504' };
      },
    },
  });
  const runUntil = async (done: () => boolean) => {
    for (let step = 0; step < 200 && !done(); step++) {
      await process.run();
      rig.pass(200);
    }
  };
  await runUntil(() => asked.length > 0);
  dead = false;
  free = false;
  let steps = 0;
  await runUntil(() => ++steps > 100);
  free = true;
  await runUntil(() => sent.length > 1);
  // 40 seconds are enough. If the count of tries did not restart, the payment would take up to five minutes.
  await untilAll(process, [id!], 'completed');
});

test('a send with a sequence number is queried every few seconds, even if its outcome is unknown for a long time, because later sends wait for it', async () => {
  const ids = await paidBuys(3);
  let known = false;
  const { process, asked } = scripted({
    statusOf: (envelope) => (known ? landed(envelope) : { kind: 'unknown', reason: '504' }),
    more: { orderedBy: WALLET },
  });
  for (let minute = 0; minute < 30; minute++) {
    await process.run();
    rig.pass(60_000);
  }
  assert.ok(asked.length > 0);
  known = true;
  await process.run();
  // This takes 40 seconds. Without a limit on the pause, the last of the three payments would complete minutes later.
  await untilAll(process, ids, 'completed');
});
