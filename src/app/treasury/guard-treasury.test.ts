// The last line of defence on a real database: whatever leaves a treasury without an order that explains it stops the sends
// of its asset before the next signature, and two people let them go on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEATH } from '../../../test/support/networks/deaths.ts';
import { openScriptedRig, WALLET } from '../../../test/support/networks/scripted-network.ts';
import { loadBankDirectory } from '../../adapters/banks/directory.ts';
import type { SimulatedNetwork } from '../../adapters/networks/simulated/network.ts';
import { makeReviewDesk } from '../../adapters/postgres/review/review-desk.ts';
import type { Network } from '../../ports/network/network.ts';
import type { Outflow } from '../../ports/network/watches.ts';
import { watchDeadSends } from '../movements/watch-dead-sends.ts';
import { decideReview } from '../review/decide-review.ts';
import { proposeReview } from '../review/propose-review.ts';
import type { ReviewDeps } from '../review/review-deps.ts';
import { makeTreasuryGuard } from './guard-treasury.ts';
import { makeShortageWatch, SHORT_FOR_MS } from './watch-shortage.ts';

const { rig, paidBuys, untilAll, attemptsOf } = await openScriptedRig();
const ASSET = 'NGNC@Polygon';
const RESUME = {
  action: 'resume',
  subjectId: `halt test ${ASSET}`,
  detail: { mode: 'test', asset: ASSET },
} as const;
const review: ReviewDeps = {
  ...rig.deps,
  treasuryWatch: rig.treasuryWatch,
  reviewDesk: makeReviewDesk(rig.database),
  banks: loadBankDirectory(),
};
const halts = () => rig.rows<{ asset: string; reason: string }>('select asset, reason from halts');
const stolen = (changes: Partial<Outflow> = {}): Outflow => ({
  txHash: '0xstolen',
  innerHash: null,
  index: 0,
  to: WALLET,
  amountMinor: 777n,
  ...changes,
});
/** Polygon as it is, with more outflows than there were. */
const withOutflows =
  (more: () => readonly Outflow[]) =>
  (real: SimulatedNetwork): Partial<Network> => ({
    outflows: async (position) => {
      const { outflows, ...rest } = await real.outflows(position);
      return { ...rest, outflows: real.name === 'Polygon' ? [...outflows, ...more()] : outflows };
    },
  });
const lift = async () => {
  const proposed = await proposeReview(review, { ...RESUME, actor: 'cli:ada' });
  assert.ok(proposed.ok, proposed.ok ? '' : proposed.error.message);
  const decision = { proposalId: proposed.value.id, approve: true, reason: 'looked at' };
  const decided = await decideReview(review, { ...decision, actor: 'cli:obi' });
  assert.ok(decided.ok, decided.ok ? '' : decided.error.message);
  return proposed.value;
};
const rounds = async (process: { run(): Promise<void> }, count: number, stepMs = 300) => {
  for (let round = 0; round < count; round++) {
    await process.run();
    rig.pass(stepMs);
  }
};

test('threat 49: what was not signed here stops sends before the next signature, in every process; two people lift it', async () => {
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
  // Another process that sees nothing of it does not send either.
  await rounds(rig, 3);
  for (const id of ids) assert.deepEqual(await attemptsOf(id), []);
  assert.deepEqual(
    (await halts()).map(({ asset }) => asset),
    [ASSET],
  );
  // Naira and the other networks go on.
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

test('threat 49: a finding that comes after the proposal keeps the asset halted, and changes what is proposed', async () => {
  const theft: Outflow[] = [stolen({ txHash: '0xone' })];
  const guard = rig.another({ network: withOutflows(() => theft) }).guard;
  const polygon = { ...rig.network('Polygon'), ...withOutflows(() => theft)(rig.network('Polygon')) };
  assert.notEqual(await guard.check('test', polygon), null);
  const early = await proposeReview(review, { ...RESUME, actor: 'cli:ada' });
  assert.ok(early.ok);
  theft.push(stolen({ txHash: '0xtwo', amountMinor: 10n ** 12n }));
  assert.notEqual(await guard.check('test', polygon), null);
  const late = await decideReview(review, {
    ...{ proposalId: early.value.id, approve: true, reason: 'looked at', actor: 'cli:obi' },
  });
  assert.equal(late.ok ? '' : late.error.code, 'changed');
  assert.equal((await halts()).length, 1);
  // Two proposals of the same, approved at once: what was lost is booked once.
  const [one, two] = await Promise.all(
    ['cli:ada', 'cli:uche'].map((actor) => proposeReview(review, { ...RESUME, actor })),
  );
  assert.ok(one?.ok && two?.ok);
  const before = await rig.books(RESUME.subjectId);
  const ends = await Promise.all(
    [one.value, two.value].map(({ id }) =>
      decideReview(review, { proposalId: id, approve: true, reason: 'looked at', actor: 'cli:obi' }),
    ),
  );
  assert.deepEqual(ends.map(({ ok }) => ok).toSorted(), [false, true]);
  const lost = (await rig.books(RESUME.subjectId))[`${ASSET} lost`]! - before[`${ASSET} lost`]!;
  assert.equal(lost, 777n + 10n ** 12n);
  assert.deepEqual(await halts(), []);
});

test('threat 42: with a wrong rule of death and a chain that shows outflows late, the loss is at most one envelope', async () => {
  // Everything that landed is called dead as soon as it is asked about, and the newest outflow is always hidden.
  let wrong = true;
  const order: string[] = [];
  const process = rig.another({
    network: (real) => ({
      ask: async (envelope) => (wrong ? { kind: 'dead', death: DEATH } : real.ask(envelope)),
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
  // It stays so, however long it goes on.
  await rounds(process, 50, 10_000);
  assert.equal(await rig.network('Polygon').paidTimes(movement.id), 2);
  // The rule is mended, two people look: the order is settled by what landed last, what landed before is lost.
  wrong = false;
  rig.pass(16_000);
  await rounds(process, 20);
  const { amountMinor } = await lift();
  assert.equal(amountMinor, movement.nairaMinor);
  await untilAll(process, [id!], 'completed');
  assert.equal(await rig.network('Polygon').paidTimes(movement.id), 2);
  assert.deepEqual(await halts(), []);
});

test('threat 42: bytes that were declared dead and landed settle their order: it is not signed again', async () => {
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

test('threat 42: bytes that a network said it refused, and that landed, settle their order: it is not signed again', async () => {
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
  const landing = { ...real, ask: async () => ({ kind: 'included', confirmations: 1 }) as const };
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

test('a chain that cannot be read, or shows what makes no sense, lets nothing be signed', async () => {
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

test('F2: a treasury that stays short of what the books explain stops sends; one short reading does not', async () => {
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

test('F2: while a treasury holds less than must lie in it nothing is signed; it goes on by itself', async () => {
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

test('where the comparison has come is kept, and begins with the first look', async () => {
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
  // What was not kept is read again: nothing is passed over.
  await guard().check('test', network);
  assert.equal(positions.at(-1), '1');
  await first.keepPositions();
  await guard().check('test', network);
  assert.equal(positions.at(-1), '3');
});
