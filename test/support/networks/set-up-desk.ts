// Sets up a network in tests. No other process wants the lease, and time passes only while the code waits. The output, the
// stored data and the postings are recorded.
import { type SetUpNetworkDeps, setUpNetwork } from '../../../src/app/networks/set-up-network.ts';
import type { Entry } from '../../../src/domain/ledger/ledger.ts';
import type { EndedSetUp, SignedSetUp } from '../../../src/domain/records/movement.ts';
import type { WalletTurn } from '../../../src/ports/networks/network-payer.ts';
import type { NetworkSetUp } from '../../../src/ports/networks/set-up.ts';

export const IDLE: WalletTurn = { lastSequence: null, live: 0, inFlightMinor: 0n };

export interface SetUpDesk {
  readonly deps: SetUpNetworkDeps;
  readonly printed: string[];
  readonly clock: { now(): number };
  /** The duration of each request for the lease, in order. 0 releases the lease. */
  readonly holds: number[];
  readonly signed: SignedSetUp[];
  readonly ended: EndedSetUp[];
  readonly entries: Entry[];
  run(setUp: NetworkSetUp): ReturnType<typeof setUpNetwork>;
}

/** `pass` lets the chain continue while the code waits. */
export function makeSetUpDesk(
  pass: (ms: number) => Promise<void> | void,
  changes: Partial<Omit<SetUpNetworkDeps, 'store'>> & {
    store?: Partial<SetUpNetworkDeps['store']>;
    turn?: WalletTurn;
    paused?: boolean;
    startMs?: number;
  } = {},
): SetUpDesk {
  const { turn = IDLE, paused = false, startMs = Date.now(), store = {}, ...rest } = changes;
  const printed: string[] = [];
  const holds: number[] = [];
  const signed: SignedSetUp[] = [];
  const ended: EndedSetUp[] = [];
  const entries: Entry[] = [];
  const isOpen = ({ hash }: SignedSetUp) => !ended.some((each) => each.hash === hash);
  let nowMs = startMs;
  const clock = { now: () => nowMs };
  const deps: SetUpNetworkDeps = {
    store: {
      holdFeed: async (name, _holder, _atMs, leaseMs) => {
        holds.push(leaseMs);
        return { name, fence: 1, position: null };
      },
      turnOf: async () => turn,
      commit: async (written) => {
        for (const change of written) {
          signed.push(...(change.setUps ?? []));
          ended.push(...(change.setUpEnds ?? []));
          entries.push(...(change.entries ?? []));
        }
        return written.map(() => ({ kind: 'committed' }));
      },
      ...store,
    },
    setUps: { open: async () => signed.filter(isOpen) },
    backOffice: { movementsPaused: async () => paused },
    clock,
    sleep: async (ms) => {
      nowMs += ms;
      await pass(ms);
    },
    holder: 'set-up of a test',
    leaseMs: 15_000,
    patienceMs: 60_000,
    print: (line) => void printed.push(line),
    coins: (amountMinor) => `${amountMinor} coins`,
    ...rest,
  };
  return {
    deps,
    printed,
    clock,
    holds,
    signed,
    ended,
    entries,
    run: (setUp) => setUpNetwork(deps, 'test', setUp),
  };
}
