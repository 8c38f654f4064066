// Tests bytes that were declared dead or refused, but landed in the network. They settle their order and stop the sends of
// their asset, and at most one envelope is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEATH } from '../../../test/support/networks/scripted-network.ts';
import { openHaltStage } from '../../../test/support/stages/halts.ts';
import { watchDeadSends } from '../movements/sends/watch-dead-sends.ts';

const { attemptsOf, halts, lift, paidBuys, rig, rounds, untilAll } = await openHaltStage();

test('threat 42: even if landed transactions are wrongly reported as dead and the chain shows outflows late, at most one envelope is lost', async () => {
  // In this test, the first query reports every landed transaction as dead, and the newest outflow is always hidden.
  let wrong = true;
  const order: string[] = [];
  const process = rig.another({
    network: (real) => ({
      ask: async (envelope) => (wrong ? { kind: 'dead', death: DEATH } : real.ask(envelope)),
      shows: async (envelope) => !wrong && real.shows(envelope),
      outflows: async (position) => {
        const { outflows, ...rest } = await real.outflows(position);
        for (const { txHash } of outflows) if (!order.includes(txHash)) order.push(txHash);
        const shown = outflows.filter(({ txHash }) => !wrong || txHash !== order.at(-1));
        return { ...rest, position: wrong ? (position ?? rest.position) : rest.position, outflows: shown };
      },
    }),
  });
  const [id] = await paidBuys(1);
  await rounds(process, 100);
  const movement = (await rig.deps.store.movementsOf([id!]))[0]!;
  assert.equal(await rig.network('Polygon').paidTimes(movement.id), 2, 'paid once too often, and not again');
  const [halt] = await halts();
  assert.match(halt!.reason, /declared dead or failed/);
  await rounds(process, 50, 10_000);
  assert.equal(await rig.network('Polygon').paidTimes(movement.id), 2);
  // The wrong reports end, and two people review the halt. The bytes that landed last settle the order, and the earlier bytes
  // are a loss.
  wrong = false;
  rig.pass(16_000);
  await rounds(process, 20);
  const { amountMinor } = await lift();
  assert.equal(amountMinor, movement.nairaMinor);
  await untilAll(process, [id!], 'completed');
  assert.equal(await rig.network('Polygon').paidTimes(movement.id), 2);
  assert.deepEqual(await halts(), []);
});

test('threat 42: if a transaction was declared dead but landed, its order is settled and not signed again', async () => {
  let wrong = true;
  const process = rig.another({
    network: (real) => ({
      ask: async (envelope) => (wrong ? { kind: 'dead', death: DEATH } : real.ask(envelope)),
    }),
  });
  const [id] = await paidBuys(1);
  for (let round = 0; round < 40; round++) {
    await process.run();
    if ((await attemptsOf(id!)).some(({ state }) => state === 'dead')) break;
    rig.pass(300);
  }
  wrong = false;
  rig.pass(16_000);
  await untilAll(process, [id!], 'completed');
  const attempts = await attemptsOf(id!);
  assert.deepEqual(
    attempts.map(({ state }) => state),
    ['landed'],
  );
  const movement = (await rig.deps.store.movementsOf([id!]))[0]!;
  assert.equal(await rig.network('Polygon').paidTimes(movement.id), 1);
  if ((await halts()).length > 0) await lift();
});

test('threat 42: if a network reported a transaction as refused but it landed, its order is settled and not signed again', async () => {
  let wrong = true;
  const process = rig.another({
    network: (real) => ({
      broadcast: async (prepared) => {
        const outcome = await real.broadcast(prepared);
        return wrong ? { kind: 'rejected', reason: 'refused', death: DEATH } : outcome;
      },
    }),
  });
  const [id] = await paidBuys(1);
  for (let round = 0; round < 40; round++) {
    await process.run();
    if ((await attemptsOf(id!)).some(({ state }) => state === 'rejected')) break;
    rig.pass(300);
  }
  wrong = false;
  rig.pass(16_000);
  await untilAll(process, [id!], 'completed');
  assert.deepEqual(
    (await attemptsOf(id!)).map(({ state }) => state),
    ['landed'],
  );
  const movement = (await rig.deps.store.movementsOf([id!]))[0]!;
  assert.equal(await rig.network('Polygon').paidTimes(movement.id), 1);
  if ((await halts()).length > 0) await lift();
});

test('threat 42: a hash that was declared dead is watched for a week, and stops sends when it lands', async () => {
  const real = rig.network('Polygon');
  const process = rig.another({ network: () => ({ ask: async () => ({ kind: 'dead', death: DEATH }) }) });
  rig.meets('broadcast', '*', 'dropped');
  const [id] = await paidBuys(1);
  for (let round = 0; round < 40; round++) {
    await process.run();
    if ((await attemptsOf(id!)).some(({ state }) => state === 'dead')) break;
    rig.pass(300);
  }
  const [dead] = (await attemptsOf(id!)).filter(({ state }) => state === 'dead');
  assert.ok(dead !== undefined);
  const deps = { ...rig.deps, treasuryWatch: rig.treasuryWatch, guard: rig.guard };
  const landing = { ...real, shows: async () => true };
  await watchDeadSends(deps, 'test', real, '');
  assert.deepEqual(await halts(), [], 'one that is dead stops nothing');
  const { asked, after } = await watchDeadSends(deps, 'test', landing, '');
  assert.ok(asked >= 1 && after === null);
  assert.equal((await halts()).length, 1);
  const open = await rig.treasuryWatch.openFindings();
  assert.ok(open.some(({ txHash, problem }) => txHash === dead.reference && problem === 'declared_dead'));
  await lift();
  rig.pass(8 * 24 * 60 * 60_000);
  assert.deepEqual(
    (await watchDeadSends(deps, 'test', landing, '')).asked,
    0,
    'after a week it is forgotten',
  );
  assert.deepEqual(await halts(), []);
});

test('threats 42, 100: a transaction with an outflow under its hash is never declared dead, even much later; the attempt stops the sends', async () => {
  let said: 'nothing' | 'dead' | 'failed' = 'nothing';
  const real = rig.network('Polygon');
  const process = rig.another({
    network: () => ({
      ask: async (envelope) => {
        if (said === 'dead') return { kind: 'dead', death: DEATH };
        if (said === 'failed') return { kind: 'failed', reason: 'reverted', cost: null };
        const status = await real.ask(envelope);
        return status.kind === 'final' ? { kind: 'included', confirmations: 1 } : status;
      },
      shows: async () => false,
    }),
  });
  for (const lie of ['dead', 'failed'] as const) {
    said = 'nothing';
    const [id] = await paidBuys(1);
    await rounds(process, 20);
    const movement = (await rig.deps.store.movementsOf([id!]))[0]!;
    assert.equal(await real.paidTimes(movement.id), 1);
    assert.equal(await process.guard.check('test', real), null);
    await process.guard.check('test', real);
    const stored = await rig.rows<{ left: string }>(
      'select left_minor::text as left from movement_attempts where movement_id = $1',
      movement.id,
    );
    assert.deepEqual(stored, [{ left: `${movement.amountMinor}` }]);
    said = lie;
    await rounds(process, 60, 2_000);
    assert.equal((await attemptsOf(id!)).length, 1, `${lie}: it is not signed again`);
    assert.match((await halts())[0]!.reason, /declared dead or failed/);
    assert.equal(await real.paidTimes(movement.id), 1);
    // The database itself also refuses to end the attempt as dead, until two people have reviewed the outflow.
    const end = `update movement_attempts set state = 'dead' where movement_id = $1`;
    await assert.rejects(rig.rows(end, movement.id), /tokens left the treasury/);
    await lift();
    said = 'nothing';
    const landedAtLast = rig.another({});
    rig.pass(16_000);
    await untilAll(landedAtLast, [id!], 'completed');
    rig.pass(16_000);
  }
});
