// Defines the part of a network's contract about incoming tokens. Each transfer has one identity, an observer may restart at
// any position, and unreadable records do not stop it.
import assert from 'node:assert/strict';
import { type Case, eventually, naira, payment } from './case.ts';
import { makePayer } from './payer.ts';
import { arriving, identityOf, untilConfirmed, watcherOf } from './watcher.ts';

export const OBSERVER: readonly Case[] = [
  {
    title: 'a deposit is seen with its data, and becomes final',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const { id, deposit } = arriving(harness);
      const txHash = await harness.deposit(id, deposit);
      const [sighting, ...others] = await watcher.until([txHash]);
      assert.deepEqual(others, []);
      const { sender, txIndex, final, chainAtMs, ...facts } = sighting!;
      assert.deepEqual(facts, { txHash, ...deposit, ourToken: true });
      assert.ok(Number.isSafeInteger(txIndex) && txIndex >= 0);
      assert.ok(chainAtMs !== null && Number.isSafeInteger(chainAtMs), 'when the network took it');
      assert.match((await untilConfirmed(harness, sighting!)).join(), /^((pending|unknown),)*final$/);
      if (final) assert.equal(await harness.network.confirm(sighting!), 'final');
      const again = await watcherOf(harness, await harness.restarted());
      assert.deepEqual(await again.until([txHash]), [{ ...sighting!, final: true }]);
    },
  },
  {
    title: 'threat 52: two transfers to one deposit address are two deposits',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const { transactionId, id, deposit } = arriving(harness);
      const other = arriving(harness, transactionId);
      assert.deepEqual(other.deposit, deposit, 'one transaction has one target');
      const hashes = [await harness.deposit(id, deposit), await harness.deposit(other.id, deposit)];
      assert.notEqual(hashes[0], hashes[1]);
      const sightings = await watcher.until(hashes);
      assert.equal(new Set(sightings.map(identityOf)).size, 2);
      for (const sighting of sightings) {
        assert.equal(sighting.amountMinor, deposit.amountMinor);
        assert.equal((await untilConfirmed(harness, sighting)).at(-1), 'final');
      }
    },
  },
  {
    title: 'threat 55: a deposit reported twice has one identity',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const { id, deposit } = arriving(harness);
      const txHash = await harness.deposit(id, deposit);
      await watcher.until([txHash]);
      assert.equal(await harness.deposit(id, deposit), txHash);
      for (let step = 0; step < 4; step++) {
        await harness.pass();
        await watcher.poll(await harness.restarted());
      }
      assert.equal(watcher.of(txHash).length, 1);
    },
  },
  {
    title: 'an observer that restarts at its stored position misses nothing and invents nothing',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const sent: string[] = [];
      const targets = new Set<string>();
      for (let round = 0; round < 4; round++) {
        for (let count = 0; count < 3; count++) {
          const { id, deposit } = arriving(harness);
          sent.push(await harness.deposit(id, deposit));
          targets.add(`${deposit.address} ${deposit.memo}`);
        }
        const restarted = await harness.restarted();
        if (round === 1) await watcher.pollInVain(restarted);
        if (round !== 2) await watcher.poll(restarted);
        await harness.pass();
      }
      await watcher.until(sent, await harness.restarted());
      for (const hash of sent) assert.equal(watcher.of(hash).length, 1);
      const ours = [...watcher.seen.values()].filter(({ address, memo }) =>
        targets.has(`${address} ${memo}`),
      );
      assert.equal(ours.length, sent.length);
    },
  },
  {
    title: 'an unreadable record is kept, and does not stop the observer',
    needs: ({ poison }) => poison !== undefined,
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const kept = watcher.unreadable.length;
      const first = arriving(harness);
      const hashes = [await harness.deposit(first.id, first.deposit)];
      await harness.poison!();
      const second = arriving(harness);
      hashes.push(await harness.deposit(second.id, second.deposit));
      await watcher.until(hashes);
      await eventually(
        harness,
        () => watcher.poll(),
        () => watcher.unreadable.length > kept,
      );
    },
  },
  {
    title: 'threats 48 and 54: another token is never taken for ours, whatever it calls itself',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const { id, deposit } = arriving(harness);
      const fake = await harness.deposit(id, { ...deposit, ourToken: false });
      const real = arriving(harness);
      await watcher.until([await harness.deposit(real.id, real.deposit)]);
      for (const sighting of watcher.of(fake)) assert.equal(sighting.ourToken, false);
    },
  },
  {
    title: 'threat 54: tokens sent directly to the treasury are seen',
    needs: ({ network }) => network.native !== null,
    run: async (harness) => {
      const treasury = (await harness.network.treasury())!;
      const watcher = await watcherOf(harness);
      const { id, deposit } = arriving(harness);
      const txHash = await harness.deposit(id, { ...deposit, address: treasury.wallet, memo: null });
      const [sighting] = await watcher.until([txHash]);
      assert.deepEqual([sighting!.address, sighting!.ourToken], [treasury.wallet, true]);
    },
  },
  {
    title: 'threat 45: a deposit that a reorganisation removed permanently is gone, and never was final',
    needs: ({ willBeGone }) => willBeGone !== undefined,
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const { id, deposit } = arriving(harness);
      harness.willBeGone!(id);
      const txHash = await harness.deposit(id, deposit);
      const answers = new Set<string>();
      await eventually(
        harness,
        async () => {
          await watcher.poll();
          const txIndex = watcher.of(txHash)[0]?.txIndex ?? 0;
          answers.add(String(await harness.network.confirm({ ...deposit, txHash, txIndex })));
        },
        () => answers.has('gone'),
      );
      assert.ok(!answers.has('final'));
      assert.ok(watcher.of(txHash).every(({ final }) => !final));
    },
  },
  {
    title: 'a transfer that no provider knows is reported as unknown, not as gone',
    run: async (harness) => {
      const order = payment(harness, { to: await harness.wallet() });
      const [send] = (await makePayer(harness).sign([order])).stored;
      const { to: address, amountMinor } = order;
      const sighting = { txHash: send!.versions[0]!.hash, txIndex: 0, address, memo: null, amountMinor };
      assert.match(String(await harness.network.confirm(sighting)), /^(unknown|pending)$/);
    },
  },
  {
    title: 'our own payments are not deposits',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const payer = makePayer(harness);
      const order = payment(harness, { to: await harness.wallet(), amountMinor: naira(harness.network, 5n) });
      const stored = await payer.signAll([order]);
      for (const send of stored) await payer.settle(send);
      const { id, deposit } = arriving(harness);
      await watcher.until([await harness.deposit(id, deposit)]);
      for (const { versions } of stored) assert.deepEqual(watcher.of(versions[0]!.hash), []);
    },
  },
];
