// Tests the guard of the treasuries on a real database. If no order explains an outflow from a treasury, the sends of its asset
// stop before the next signature. Two people resume these sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WALLET } from '../../../test/support/networks/scripted-network.ts';
import { decideAs } from '../../../test/support/people/reviewers.ts';
import { ASSET, openHaltStage, RESUME } from '../../../test/support/stages/halts.ts';
import type { SimulatedNetwork } from '../../adapters/networks/simulated/network.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { Outflow } from '../../ports/networks/network-watch.ts';
import { proposeReview } from '../review/propose-review.ts';
import { makeTreasuryGuard } from './guard-treasury.ts';
import { SHORT_FOR_MS } from './judge-balance.ts';
import { makeShortageWatch } from './watch-shortage.ts';

const { attemptsOf, halts, lift, paidBuys, review, rig, rounds, untilAll } = await openHaltStage();
const stolen = (changes: Partial<Outflow> = {}): Outflow => ({
  txHash: '0xstolen',
  innerHash: null,
  index: 0,
  to: WALLET,
  amountMinor: 777n,
  ...changes,
});
const withOutflows =
  (more: () => readonly Outflow[]) =>
  (real: SimulatedNetwork): Partial<Network> => ({
    outflows: async (position) => {
      const { outflows, ...rest } = await real.outflows(position);
      return { ...rest, outflows: real.name === 'Polygon' ? [...outflows, ...more()] : outflows };
    },
  });

test('threats 49, 110: an outflow that we did not sign stops sends in every process before the next signature, and two people lift the stop', async () => {
  const theft: Outflow[] = [];
  const process = rig.another({ network: withOutflows(() => theft) });
  const [first] = await paidBuys(1);
  await untilAll(process, [first!], 'completed');
  theft.push(stolen());
  const ids = await paidBuys(2);
  await rounds(process, 10);
  for (const id of ids) assert.deepEqual(await attemptsOf(id), [], 'nothing was signed');
  const alerts = process.troubles.filter(({ message }) => message.startsWith('SENDS STOPPED'));
  assert.deepEqual(
    alerts.map(({ detail }) => [detail.tx_hash, detail.problem, detail.amount_minor]),
    [['0xstolen', 'not_signed_here', '777']],
    'said once',
  );
  await rounds(rig, 3);
  for (const id of ids) assert.deepEqual(await attemptsOf(id), []);
  assert.deepEqual(
    (await halts()).map(({ asset }) => asset),
    [ASSET],
  );
  const [other] = await paidBuys(1, { wallet: { network: 'Avalanche', address: WALLET } });
  await untilAll(process, [other!], 'completed');

  const before = await rig.treasuryWatch.haltOf('test', ASSET);
  assert.equal(before?.findings.length, 1);
  await lift();
  assert.deepEqual(await halts(), []);
  assert.deepEqual(await rig.books(RESUME.subjectId), {
    [`${ASSET} lost`]: 777n,
    [`${ASSET} treasury`]: -777n,
  });
  rig.pass(16_000);
  await untilAll(process, ids, 'completed');
  assert.deepEqual(await halts(), [], 'what two people accepted stops nothing again');
  theft.length = 0;
});

test('threat 49: a finding after the proposal keeps the asset halted, and makes the proposal stale', async () => {
  const theft: Outflow[] = [stolen({ txHash: '0xone' })];
  const guard = rig.another({ network: withOutflows(() => theft) }).guard;
  const polygon = { ...rig.network('Polygon'), ...withOutflows(() => theft)(rig.network('Polygon')) };
  assert.notEqual(await guard.check('test', polygon), null);
  const early = await proposeReview(review, { ...RESUME, actor: 'per_ada' });
  assert.ok(early.ok);
  theft.push(stolen({ txHash: '0xtwo', amountMinor: 10n ** 12n }));
  assert.notEqual(await guard.check('test', polygon), null);
  const late = await decideAs(rig.database, review, {
    ...{ proposalId: early.value.id, approve: true, reason: 'looked at', actor: 'per_obi' },
  });
  assert.equal(late.ok ? '' : late.error.code, 'changed');
  assert.equal((await halts()).length, 1);
  const [one, two] = await Promise.all(
    ['per_ada', 'per_uche'].map((actor) => proposeReview(review, { ...RESUME, actor })),
  );
  assert.ok(one?.ok && two?.ok);
  const before = await rig.books(RESUME.subjectId);
  const ends = await Promise.all(
    [one.value, two.value].map(({ id }) =>
      decideAs(rig.database, review, {
        proposalId: id,
        approve: true,
        reason: 'looked at',
        actor: 'per_obi',
      }),
    ),
  );
  assert.deepEqual(ends.map(({ ok }) => ok).toSorted(), [false, true]);
  const lost = (await rig.books(RESUME.subjectId))[`${ASSET} lost`]! - before[`${ASSET} lost`]!;
  assert.equal(lost, 777n + 10n ** 12n);
  assert.deepEqual(await halts(), []);
});

test('nothing is signed while a chain cannot be read or returns invalid data', async () => {
  let broken: 'throws' | 'incomplete' | 'unreadable' | 'well' = 'throws';
  const process = rig.another({
    network: (real) => ({
      outflows: async (position) => {
        if (broken === 'throws') throw new Error('no provider answers');
        const read = await real.outflows(position);
        if (broken === 'incomplete') return { ...read, incomplete: true };
        return broken === 'well' || real.name !== 'Polygon'
          ? read
          : { ...read, unreadable: [{ reason: 'of an unknown type', raw: 'operation 7' }] };
      },
    }),
  });
  const [id] = await paidBuys(1);
  await rounds(process, 6);
  assert.deepEqual([await attemptsOf(id!), await halts()], [[], []], 'it waits, and nothing is halted');
  broken = 'incomplete';
  await rounds(process, 10, 2_000);
  assert.deepEqual([await attemptsOf(id!), await halts()], [[], []], 'as well');
  broken = 'unreadable';
  await rounds(process, 10, 2_000);
  assert.deepEqual(await attemptsOf(id!), []);
  assert.match((await halts())[0]!.reason, /cannot be read/);
  const { amountMinor } = await lift();
  assert.equal(amountMinor, 0n);
  rig.pass(16_000);
  await untilAll(process, [id!], 'completed');
});

test('F2: if a treasury stays below the amount that the books explain, sends stop; a single low reading does not stop them', async () => {
  const watch = makeShortageWatch({ networks: rig.deps.networks, guard: rig.guard, clock: rig.deps.clock });
  const reading = (unexplainedMinor: bigint) => [
    { mode: 'test', network: 'Polygon', unexplainedMinor } as never,
  ];
  await watch(reading(-5n));
  rig.pass(SHORT_FOR_MS + 1);
  await watch(reading(0n));
  await watch(reading(-5n));
  await watch([{ mode: 'test', network: 'Polygon', problem: 'away' }]);
  rig.pass(SHORT_FOR_MS / 2);
  await watch(reading(-900n));
  assert.deepEqual(await halts(), []);
  rig.pass(SHORT_FOR_MS / 2 + 1);
  await watch(reading(-900n));
  assert.match((await halts())[0]!.reason, /holds 5 minor units less/);
  const { amountMinor } = await lift();
  assert.equal(amountMinor, 0n, 'less than a kobo');
});

test('F2: nothing is signed while a treasury holds less than it must; signing then continues automatically', async () => {
  const polygon = rig.network('Polygon');
  const mark = { tokenMinor: 0n, nativeMinor: 0n };
  const native = { asset: 'POL', decimals: 18, amountMinor: 1n, lockedMinor: 0n };
  const free = async () =>
    (await rig.deps.store.balances([`test/${ASSET}/treasury`])).get(`test/${ASSET}/treasury`)!;
  let holds = (await free()) - 1n;
  const process = rig.another({
    network: (real) =>
      real.name === 'Polygon'
        ? { treasury: async () => ({ wallet: WALLET, tokenMinor: holds, native, marks: mark }) }
        : {},
  });
  const [id] = await paidBuys(1);
  await rounds(process, 6);
  assert.deepEqual([await attemptsOf(id!), await halts()], [[], []]);
  assert.ok(process.troubles.some(({ detail }) => /less than the books explain/.test(`${detail.detail}`)));
  rig.pass(60_000);
  holds = 10n ** 18n;
  await untilAll(process, [id!], 'completed');
  assert.equal(await polygon.paidTimes((await rig.deps.store.movementsOf([id!]))[0]!.id), 1);
});

test('threat 49: nothing is signed while the balance contradicts the listed transfers; if this lasts, the sends stop', async () => {
  let unlistedMinor = 0n;
  const positions: (string | null)[] = [];
  const process = rig.another({
    network: (real) =>
      real.name !== 'Polygon'
        ? {}
        : {
            outflows: async (position) => {
              positions.push(position);
              return { ...(await real.outflows(position)), unlistedMinor };
            },
          },
  });
  // The list of transfers and the balance come from different times. So the guard waits, and the position does not advance.
  unlistedMinor = -5n;
  const [id] = await paidBuys(1);
  await rounds(process, 8, 5_000);
  assert.deepEqual([await attemptsOf(id!), await halts()], [[], []]);
  const read = positions.filter((position) => position !== null);
  assert.ok(read.length >= 2 && new Set(read).size === 1, read.join());
  unlistedMinor = 0n;
  rig.pass(16_000);
  await untilAll(process, [id!], 'completed');
  // Transfers in flight do not hide a loss: the amount of the loss is exact.
  for (const [difference, lostMinor] of [
    [-777n, 777n],
    [3n, 0n],
  ] as const) {
    unlistedMinor = difference;
    const [next] = await paidBuys(1);
    await rounds(process, 3);
    assert.deepEqual(await halts(), []);
    rig.pass(SHORT_FOR_MS);
    await rounds(process, 10, 2_000);
    assert.deepEqual(await attemptsOf(next!), []);
    const before = (await rig.treasuryWatch.haltOf('test', ASSET))!;
    assert.deepEqual(
      before.findings.map(({ problem, amountMinor }) => [problem, amountMinor]),
      [['transfer_unlisted', lostMinor]],
    );
    await lift();
    rig.pass(16_000);
    await rounds(process, 1);
    unlistedMinor = 0n;
    rig.pass(16_000);
    await untilAll(process, [next!], 'completed');
  }
});

test('the position of the comparison is stored, starting with the first check', async () => {
  const positions: (string | null)[] = [];
  const network = {
    ...rig.network('Solana'),
    name: 'Elsewhere',
    outflows: async (position: string | null) => {
      positions.push(position);
      return { outflows: [], unreadable: [], position: `${Number(position ?? 0) + 1}` };
    },
  };
  const guard = () =>
    makeTreasuryGuard({ ...rig.deps, treasuryWatch: rig.treasuryWatch, shortageOf: async () => 0n });
  const first = guard();
  await first.check('test', network);
  await first.check('test', network);
  assert.deepEqual(positions, [null, '1', '2']);
  // If a position was not stored, the guard reads it again, so it misses nothing.
  await guard().check('test', network);
  assert.equal(positions.at(-1), '1');
  await first.keepPositions();
  await guard().check('test', network);
  assert.equal(positions.at(-1), '3');
});
