// Tests sends and refunds in progress: networks that replace blocks (reorganisation), facts that arrive late, and a process
// that paused while another process finished the work.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { DEATH } from '../../../test/support/networks/scripted-network.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import type { SendStatus } from '../../ports/networks/network-payer.ts';
import { makeLeaseRequest } from '../engine/leases.ts';
import { followMovements } from './follow-movements.ts';

const rig = await openRig();
const leaseEnds = () => rig.pass(16_000);

let people = 0;
async function paidBuy() {
  people++;
  const payer = {
    accountNumber: `${6_000_000_000 + people * 7_919}`,
    amountMinor: 2_100_000n + BigInt(people),
  };
  const buy = await rig.buy(payer);
  await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
  return { ...payer, id: buy.id };
}

const movementOf = async (id: string) => (await rig.deps.store.movementsOf([id]))[0]!;

test('threat 45: after a reorganisation the buy and the ledger return to sending, then the buy completes', async () => {
  const { id, amountMinor } = await paidBuy();
  const tokens = amountMinor * 10_000n;
  const answers: SendStatus[] = [{ kind: 'included', confirmations: 1 }, { kind: 'pending' }];
  const chain = rig.another({
    network: (real) => ({ ask: async (prepared) => answers.shift() ?? real.ask(prepared) }),
  });
  leaseEnds();
  await chain.run();
  const sent = { 'NGN in_flight': -amountMinor, 'NGNC@Polygon sent': tokens };
  const part = async () => {
    const {
      'NGN in_flight': a,
      'NGNC@Polygon sent': b,
      'NGN owed': c,
      'NGNC@Polygon reserved': d,
    } = await rig.books(id);
    return Object.fromEntries(
      Object.entries({
        'NGN in_flight': a,
        'NGNC@Polygon sent': b,
        'NGN owed': c,
        'NGNC@Polygon reserved': d,
      }).filter(([, v]) => v),
    );
  };
  assert.equal((await rig.find(id)).state, 'confirming');
  assert.deepEqual(await part(), sent);
  rig.pass(300);
  await chain.run();
  assert.deepEqual([(await rig.find(id)).state, await part()], ['confirming', sent], 'in a block, not final');
  rig.pass(1_000);
  await chain.run();
  assert.equal((await rig.find(id)).state, 'sending');
  assert.deepEqual(await part(), { 'NGN owed': -amountMinor, 'NGNC@Polygon reserved': tokens });
  assert.deepEqual((await movementOf(id)).reason, 'reorganised');
  leaseEnds();
  await rig.until(id, 'completed');
  assert.deepEqual(await part(), {});
  assert.equal(await rig.network('Polygon').paidTimes((await movementOf(id)).id), 1);
});

test('threat 42: a status of a dead attempt says nothing about the live attempt, and one payment is made', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  rig.meets('broadcast', '*', 'dropped');
  await rig.depositFor(sell, sell.amountMinor + 10_000n);
  const { store } = rig.deps;
  const refundWith = async (attempts: number) => {
    for (let turn = 0; turn < 400; turn++) {
      const refund = (await store.movementsOf([sell.id])).find(({ kind }) => kind === 'refund');
      if (refund?.attempts === attempts && refund.state === 'sending') return refund;
      await rig.passing(50, 50);
    }
    return assert.fail(`no attempt ${attempts}`);
  };
  const before = await refundWith(1);
  const attempt = (await store.lastAttempts([before.id])).get(before.id)!;
  const known = { movement: before, attempt, transaction: await rig.find(sell.id) };
  await refundWith(2);
  await followMovements(rig.deps, [known]);
  leaseEnds();
  await rig.passing(20_000);
  const done = (await store.movementById(before.id))!;
  assert.deepEqual([done.state, await rig.network('Polygon').paidTimes(done.id)], ['done', 1]);
});

test('a process that paused while another process ended a send changes nothing and reports nothing', async () => {
  const { id } = await paidBuy();
  await rig.until(id, 'confirming');
  leaseEnds();
  const asleep = rig.another({ network: () => ({ ask: async () => ({ kind: 'dead', death: DEATH }) }) });
  const held = await rig.deps.store.leaseMovements(['sending'], makeLeaseRequest(asleep.deps, 50));
  leaseEnds();
  const done = await rig.until(id, 'completed');
  await followMovements(
    asleep.deps,
    held.map((movement) => ({ movement })),
  );
  assert.deepEqual(await rig.find(id), done);
  assert.equal(await rig.network('Polygon').paidTimes((await movementOf(id)).id), 1);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
