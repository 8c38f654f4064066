// Before anything is signed for a treasury: whatever left it is compared with what was signed. What nothing explains stops
// all sends of the asset, durably and in every process, until two people have looked. When the chain cannot be read,
// nothing is signed either.
import {
  describeFinding,
  findEndContradiction,
  judgeOutflows,
  landedFinding,
  shortageFinding,
  sumOutflowsByHash,
  unreadableFinding,
} from '../../domain/movements/outflows.ts';
import type { Attempt } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { Outflow } from '../../ports/networks/network-watch.ts';
import type { TreasuryWatch } from '../../ports/treasury.ts';
import { makeBalanceJudge } from './judge-balance.ts';
import { makeStopSends, type StopSends } from './stop-sends.ts';

export interface TreasuryGuardDeps {
  readonly treasuryWatch: TreasuryWatch;
  readonly clock: Clock;
  /** The amount by which a treasury holds less than it must. */
  readonly shortageOf: (mode: Mode, network: Network) => Promise<bigint>;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

export interface TreasuryGuard {
  /** Null: everything that left is explained. Otherwise why nothing may be signed now. Throws when it cannot be read. */
  check(mode: Mode, network: Network): Promise<string | null>;
  /**
   * Whether an attempt may end unpaid: nothing is known to have left under its hash that the other orders in the same bytes do not
   * explain, or two people have accepted it. Otherwise the sends of the asset are stopped.
   */
  mayEnd(network: Network, attempt: EndingAttempt): Promise<boolean>;
  /** Stops the sends of the asset because bytes that were declared dead are shown in a block. */
  stopLanded(mode: Mode, network: Network, hashes: readonly string[]): Promise<void>;
  /** Stops the sends of the asset, unless two people have accepted all of it. Answers what stopped them. */
  readonly stop: StopSends;
  /** Writes down how far this process has compared, so that the next one goes on from there. */
  keepPositions(): Promise<void>;
}

type EndingAttempt = Pick<Attempt, 'mode' | 'movementId' | 'reference'>;

/** The number of recorded hashes that are remembered. */
const REMEMBERED = 10_000;

interface ComparedPosition {
  readonly mode: Mode;
  readonly network: string;
  readonly position: string;
  kept: boolean;
}

export function makeTreasuryGuard({
  treasuryWatch,
  clock,
  shortageOf,
  onTrouble,
}: TreasuryGuardDeps): TreasuryGuard {
  /** The position of this process; after a restart it continues from the database's. */
  const reached = new Map<string, ComparedPosition>();

  const positionOf = async (mode: Mode, network: Network): Promise<string> => {
    const known = reached.get(`${mode} ${network.name}`)?.position;
    const stored = known ?? (await treasuryWatch.position(mode, network.name));
    if (stored !== null) return stored;
    // The beginning is written down at once: nothing that leaves from now on may be passed over.
    const { position } = await network.outflows(null);
    await treasuryWatch.keepPosition(mode, network.name, position);
    return position;
  };

  const judge = makeOutflowJudge(treasuryWatch);
  const stop = makeStopSends({ treasuryWatch, clock, onTrouble });
  const judgeBalance = makeBalanceJudge({ treasuryWatch, clock, stop });

  return {
    check: async (mode, network) => {
      const from = await positionOf(mode, network);
      const { outflows, unreadable, position, unlistedMinor, incomplete } = await network.outflows(from);
      const findings = [
        ...(await judge(mode, network, outflows)),
        ...unreadable.map(({ raw }) => unreadableFinding(raw)),
      ];
      const [first] = await stop(mode, network, findings);
      if (first !== undefined) return describeFinding(first);
      // What is not explained to the unit is not passed: it is compared again from the same position.
      const different = await judgeBalance(mode, network, from, unlistedMinor ?? 0n);
      if (different !== null) return different;
      const name = `${mode} ${network.name}`;
      if (reached.get(name)?.position !== position)
        reached.set(name, { mode, network: network.name, position, kept: false });
      if (incomplete === true) return 'some transfers out of the treasury could not be read yet';
      // The balance comes another way than the transfers, and one of the two may be behind: sends wait until both fit.
      const shortMinor = await shortageOf(mode, network);
      return shortMinor > 0n ? describeFinding(shortageFinding(shortMinor)) : null;
    },
    mayEnd: async (network, { mode, movementId, reference }) => {
      const send = (await treasuryWatch.sendsByHash(mode, network.name, [reference])).get(reference);
      const finding = findEndContradiction(reference, movementId, send);
      return finding === undefined || (await stop(mode, network, [finding])).length === 0;
    },
    stopLanded: async (mode, network, hashes) => {
      const sends = await treasuryWatch.sendsByHash(mode, network.name, hashes);
      await stop(
        mode,
        network,
        hashes.map((hash) => landedFinding(hash, sends.get(hash))),
      );
    },
    stop,
    keepPositions: async () => {
      for (const each of reached.values()) {
        if (each.kept) continue;
        await treasuryWatch.keepPosition(each.mode, each.network, each.position);
        each.kept = true;
      }
    },
  };
}

/** Writes down what left under which hash, and says what of it nothing explains. */
function makeOutflowJudge(treasuryWatch: TreasuryWatch) {
  const noted = new Map<string, bigint>();

  return async (mode: Mode, network: Network, outflows: readonly Outflow[]) => {
    if (outflows.length === 0) return [];
    const left = sumOutflowsByHash(outflows);
    const nameOf = (hash: string) => `${mode} ${network.name} ${hash}`;
    const fresh = new Map([...left].filter(([hash, amount]) => noted.get(nameOf(hash)) !== amount));
    // Written down before states are read: whoever ends an attempt now reads this, or is read here.
    await treasuryWatch.noteLeft(mode, network.name, fresh);
    if (noted.size > REMEMBERED) noted.clear();
    for (const [hash, amount] of fresh) noted.set(nameOf(hash), amount);
    // Read after the chain: bytes are stored before any network has them.
    return judgeOutflows(outflows, await treasuryWatch.sendsByHash(mode, network.name, [...left.keys()]));
  };
}
