// Plays a minimal service that searches for deposits. It stores its position and its findings, and recognises a transfer by its
// identity.
import assert from 'node:assert/strict';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { DepositObservation, Sighting } from '../../../src/ports/networks/network-observer.ts';
import { type ContractHarness, eventually, naira, newId } from './case.ts';

const CATCH_UP_POLLS = 40;

export interface Watcher {
  readonly seen: ReadonlyMap<string, Sighting>;
  readonly unreadable: readonly DepositObservation['unreadable'][number][];
  poll(on?: Network): Promise<void>;
  /** Observes the network, and crashes before it stores anything. */
  pollInVain(on?: Network): Promise<void>;
  until(txHashes: readonly string[], on?: Network): Promise<Sighting[]>;
  of(txHash: string): Sighting[];
}

export function identityOf({ txHash, txIndex }: Sighting): string {
  return `${txHash} ${txIndex}`;
}

export async function watcherOf(harness: ContractHarness, network = harness.network): Promise<Watcher> {
  const watcher = watcherFrom(harness, network);
  await watcher.catchUp();
  return watcher;
}

function watcherFrom(harness: ContractHarness, network: Network) {
  const seen = new Map<string, Sighting>();
  const unreadable: DepositObservation['unreadable'][number][] = [];
  let position: string | null = null;
  const of = (txHash: string) => [...seen.values()].filter((each) => each.txHash === txHash);
  const poll = async (on = network) => {
    const observed = await on.observe(position, harness.watch);
    for (const sighting of observed.sightings) {
      const identity = identityOf(sighting);
      const known = seen.get(identity);
      // A repeated report is the same deposit, and a final deposit stays final.
      const { final, ...facts } = sighting;
      if (known !== undefined) assert.deepEqual({ ...known, final }, { ...facts, final });
      assert.ok(!known?.final || final);
      seen.set(identity, sighting);
    }
    for (const { reason, raw } of observed.unreadable) assert.ok(reason !== '' && typeof raw === 'string');
    unreadable.push(...observed.unreadable);
    position = observed.position;
  };
  return {
    seen,
    unreadable,
    poll,
    pollInVain: async (on = network) => {
      await on.observe(position, harness.watch);
    },
    until: async (txHashes: readonly string[], on = network) => {
      await eventually(
        harness,
        () => poll(on),
        () => txHashes.every((hash) => of(hash).length > 0),
      );
      return txHashes.flatMap(of);
    },
    of,
    catchUp: async () => {
      for (let polls = 0; polls < CATCH_UP_POLLS; polls++) {
        const before = position;
        await poll();
        if (position === before) return;
      }
    },
  };
}

export function arriving({ network }: ContractHarness, transactionId = newId('txn')) {
  const { address, memo } = network.depositTarget(transactionId);
  return { id: newId('dep'), transactionId, deposit: { address, memo, amountMinor: naira(network, 17n) } };
}

/** Queries until the network has decided. Returns every result that differs from the result before it. */
export async function untilConfirmed(
  harness: ContractHarness,
  sighting: Pick<Sighting, 'txHash' | 'txIndex' | 'address' | 'memo' | 'amountMinor'>,
): Promise<string[]> {
  const answers: string[] = [];
  await eventually(
    harness,
    async () => {
      const answer = String(await harness.network.confirm(sighting));
      if (answer !== answers.at(-1)) answers.push(answer);
      return answer;
    },
    (answer) => answer === 'final' || answer === 'gone',
  );
  return answers;
}
