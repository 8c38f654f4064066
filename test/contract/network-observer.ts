// The part of a network's contract that is about tokens coming in: seen once, under one identity, by an observer that may
// restart anywhere.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Sighting } from '../../src/ports/network.ts';
import type { NetworkHarness } from './network.ts';

type Contract = (title: string, run: (harness: NetworkHarness, t: TestContext) => Promise<void>) => void;

export function observerContract(contract: Contract): void {
  const arriving = (harness: NetworkHarness, amountMinor = 15_000_00n) => {
    const id = randomUUID();
    const { address, memo } = harness.network.depositTarget(id);
    return { id, deposit: { address, memo, amountMinor } };
  };
  const upToNow = async ({ network }: NetworkHarness): Promise<string> => {
    let { position, sightings } = await network.observe(null);
    while (sightings.length > 0) ({ position, sightings } = await network.observe(position));
    return position;
  };
  const identity = ({ txHash, txIndex }: Sighting) => `${txHash} ${txIndex}`;

  contract('a deposit is seen at once, and final only later', async (harness) => {
    const before = await upToNow(harness);
    const { id, deposit } = arriving(harness);
    const txHash = await harness.deposit(id, deposit);
    const { sightings } = await harness.network.observe(before);
    assert.equal(sightings.length, 1);
    const { sender, txIndex, ...sighting } = sightings[0]!;
    assert.deepEqual(sighting, { txHash, ...deposit, ourToken: true, final: false });
    const answers = new Set<string>();
    await harness.untilFinal(async () => {
      answers.add(await harness.network.confirm({ txHash, txIndex }));
    });
    assert.deepEqual([...answers], ['pending', 'final']);
    // Read again from before, it is the same one, by now final.
    const again = await harness.restarted().observe(before);
    assert.deepEqual(again.sightings, [{ ...sightings[0]!, final: true }]);
  });

  contract('threat 55: a deposit told twice has one identity', async (harness) => {
    const before = await upToNow(harness);
    const { id, deposit } = arriving(harness);
    const hash = await harness.deposit(id, deposit);
    const first = await harness.network.observe(before);
    assert.equal(await harness.deposit(id, deposit), hash);
    const second = await harness.network.observe(first.position);
    assert.deepEqual(second.sightings.map(identity), first.sightings.map(identity));
    const [one, other] = [arriving(harness), arriving(harness)];
    assert.notEqual(
      await harness.deposit(one.id, one.deposit),
      await harness.deposit(other.id, other.deposit),
    );
  });

  contract(
    'an observer that restarts at its stored position misses nothing and repeats nothing',
    async (harness) => {
      let position = await upToNow(harness);
      const sent: string[] = [];
      const seen: string[] = [];
      for (let round = 0; round < 4; round++) {
        const batch = Array.from({ length: 5 }, () => arriving(harness));
        sent.push(...(await Promise.all(batch.map(({ id, deposit }) => harness.deposit(id, deposit)))));
        if (round === 1) continue;
        const observed = await harness.restarted().observe(position);
        seen.push(...observed.sightings.map(({ txHash }) => txHash));
        position = observed.position;
      }
      assert.deepEqual(seen.toSorted(), sent.toSorted());
      assert.deepEqual(await harness.network.observe(position), { sightings: [], position });
    },
  );

  contract('threats 48 and 54: another token is flagged, whatever it calls itself', async (harness) => {
    const before = await upToNow(harness);
    const { id, deposit } = arriving(harness);
    await harness.deposit(id, { ...deposit, ourToken: false });
    const { sightings } = await harness.network.observe(before);
    assert.deepEqual(
      sightings.map(({ ourToken }) => ourToken),
      [false],
    );
  });

  contract(
    'threat 45: a deposit reorganised away for good is gone, and never was final',
    async (harness, t) => {
      if (harness.willBeGone === undefined) return t.skip('this network takes nothing back');
      const { id, deposit } = arriving(harness);
      harness.willBeGone(id);
      const txHash = await harness.deposit(id, deposit);
      const answers = new Set<string>();
      await harness.untilFinal(async () => {
        answers.add(await harness.network.confirm({ txHash, txIndex: 0 }));
      });
      assert.deepEqual([...answers], ['pending', 'gone']);
    },
  );

  contract('a transfer nobody has heard of is unknown, not gone', async (harness) => {
    const { hash } = await harness.network.prepare({
      orderId: `mov_${randomUUID()}`,
      about: null,
      to: harness.wallet,
      amountMinor: 1n,
    });
    assert.equal(await harness.network.confirm({ txHash: hash, txIndex: 0 }), 'unknown');
  });
}
