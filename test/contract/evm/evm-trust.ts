// Tests how an EVM network treats a provider that serves another chain, and a token with a fee that its events do not show.
import assert from 'node:assert/strict';
import { eventually, passSome, payment } from '../network/case.ts';
import { makePayer } from '../network/payer.ts';
import { arriving, untilConfirmed, watcherOf } from '../network/watcher.ts';
import type { EvmCase } from './evm-lags.ts';
import type { EvmHarness } from './evm-network.ts';

const ELSEWHERE = { kind: 'lie', lie: { about: 'chain', chainId: 778 } } as const;
const AWAY = { kind: 'cut-before' } as const;
const TEN_MINUTES_MS = 10 * 60_000;

async function landedBoth(harness: EvmHarness) {
  const watcher = await watcherOf(harness);
  const { id, deposit } = arriving(harness);
  const [sighting] = await watcher.until([await harness.deposit(id, deposit)]);
  const payer = makePayer(harness);
  const [send] = await payer.signAll([payment(harness, { to: await harness.wallet() })]);
  await payer.broadcast(send!);
  await passSome(harness);
  return { sighting: sighting!, send: send!, watcher, payer };
}

/** Only a provider of another chain responds. The network must not believe any of its responses, for any kind of request. */
async function assertNotBelieved(
  harness: EvmHarness,
  { sighting, send, payer }: Awaited<ReturnType<typeof landedBoth>>,
) {
  const { network } = harness;
  assert.equal(await network.confirm(sighting), 'unknown');
  assert.equal((await network.ask(send)).kind, 'unknown');
  await assert.rejects(network.observe(null, harness.watch));
  await assert.rejects(network.outflows(null));
  await assert.rejects(network.treasury());
  const { waiting } = await payer.sign([payment(harness, { to: await harness.wallet() })]);
  assert.deepEqual(
    waiting.map(({ obstacle }) => obstacle),
    ['network_unreachable'],
  );
}

export const EVM_TRUST_CASES: readonly EvmCase[] = [
  {
    title:
      'threat 101: a provider that begins to serve another chain is believed in nothing, from its next answer on',
    run: async (harness) => {
      const { faults } = harness.stage.local;
      const stage = await landedBoth(harness);
      const away = faults.add(AWAY, { on: 1 });
      assert.equal(await harness.network.confirm(stage.sighting), 'final', 'it is the right chain so far');
      const elsewhere = faults.add(ELSEWHERE, { on: 0 });
      await assertNotBelieved(harness, stage);
      harness.stage.clock.pass(TEN_MINUTES_MS);
      await assertNotBelieved(harness, stage);
      const problems = (await harness.network.providers()).flatMap(({ problem }) => problem ?? []);
      assert.ok(problems.some((problem) => /on the chain 778, but the settings say 31337/.test(problem)));
      away.clear();
      assert.equal((await untilConfirmed(harness, stage.sighting)).at(-1), 'final', 'by the other one');
      const byTwo = () => harness.network.confirm(stage.sighting, { byTwo: true });
      assert.equal(await byTwo(), 'unknown', 'two are needed');
      elsewhere.clear();
      assert.equal(await byTwo(), 'final', 'it names the right one');
    },
  },
  {
    title:
      'threat 101: a provider of another chain stops the start, and one that was away at the start is not asked later',
    run: async (harness) => {
      const { faults } = harness.stage.local;
      const stage = await landedBoth(harness);
      const elsewhere = faults.add(ELSEWHERE, { on: 1 });
      await assert.rejects(
        harness.restarted(),
        /is not usable: it is on the chain 778, but the settings say 31337/,
      );
      const away = faults.add(AWAY, { on: 1 });
      const network = await harness.restarted();
      away.clear();
      faults.add(AWAY, { on: 0 });
      await assertNotBelieved({ ...harness, network }, stage);
      elsewhere.clear();
      harness.stage.clock.pass(60_000);
      assert.equal(await network.confirm(stage.sighting), 'final');
    },
  },
  {
    title:
      'a token that begins to keep a fee its events hide: deposits do not count, and a sweep of less is held',
    run: async (harness) => {
      const { chain } = harness.stage.local;
      const { token } = harness.stage;
      const watcher = await watcherOf(harness);
      const payer = makePayer(harness);
      const honest = arriving(harness);
      const [before] = await watcher.until([await harness.deposit(honest.id, honest.deposit)]);
      await chain.setHiddenFee(token, 100);
      const cheated = arriving(harness);
      const [after] = await watcher.until([await harness.deposit(cheated.id, cheated.deposit)]);
      assert.equal(after!.amountMinor, cheated.deposit.amountMinor, 'its event hides it');
      await passSome(harness);
      assert.equal(await harness.network.confirm(before!), 'final');
      const short = { missingMinor: cheated.deposit.amountMinor / 100n };
      assert.deepEqual(await harness.network.confirm(after!), short);
      assert.deepEqual(await harness.network.confirm(after!, { byTwo: true }), short);
      const { transactionId, deposit } = cheated;
      const sweep = payment(harness, {
        to: deposit.address,
        from: transactionId,
        amountMinor: deposit.amountMinor,
        about: transactionId,
      });
      const [send] = await payer.signAll([sweep]);
      await payer.broadcast(send!);
      const status = await eventually(
        harness,
        () => harness.network.ask(send!),
        ({ kind }) => kind === 'held' || kind === 'final',
      );
      assert.equal(status.kind, 'held');
    },
  },
  {
    title: 'a deposit that a stranger swept before it was final counts all the same',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const payer = makePayer(harness);
      const { id, deposit, transactionId } = arriving(harness);
      const more = arriving(harness, transactionId);
      const hashes = [await harness.deposit(id, deposit), await harness.deposit(more.id, more.deposit)];
      const [first, second] = await watcher.until(hashes);
      const sweep = payment(harness, {
        to: deposit.address,
        from: transactionId,
        amountMinor: deposit.amountMinor,
        about: transactionId,
      });
      assert.equal((await payer.pay([sweep])).paid.length, 1);
      assert.equal(await harness.received(deposit.address), 0n);
      const beside = [{ txHash: first!.txHash, amountMinor: first!.amountMinor }];
      assert.equal(await harness.network.confirm({ ...second!, beside }), 'final');
    },
  },
];
