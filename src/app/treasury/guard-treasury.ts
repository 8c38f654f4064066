// Before the service signs for a treasury, the guard compares the treasury's outflows with the signed payments. An unexplained
// outflow stops all sends of the asset. The stop is stored and applies in every process, until two people have reviewed it. If
// the guard cannot read the chain, the service signs nothing either.
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
  /** The amount that a treasury holds less than it must hold. */
  readonly shortageOf: (mode: Mode, network: Network) => Promise<bigint>;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

export interface TreasuryGuard {
  /**
   * Returns null if every outflow is explained, or otherwise the reason why the service may sign nothing now. Throws an error
   * if the guard cannot read the chain.
   */
  check(mode: Mode, network: Network): Promise<string | null>;
  /**
   * Returns whether an attempt may end as unpaid. It may if no outflow with its hash is known, except for the other orders in
   * the same bytes. It also may if two people have accepted this outflow. Otherwise the sends of the asset are stopped.
   */
  mayEnd(network: Network, attempt: EndingAttempt): Promise<boolean>;
  /** Stops the sends of the asset because a block contains bytes that were declared dead. */
  stopLanded(mode: Mode, network: Network, hashes: readonly string[]): Promise<void>;
  /**
   * Stops the sends of the asset, unless two people have accepted all findings. Returns the findings that stopped the sends.
   */
  readonly stop: StopSends;
  keepPositions(): Promise<void>;
}

type EndingAttempt = Pick<Attempt, 'mode' | 'movementId' | 'reference'>;

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
  /** The position of this process. After a restart, the process continues from the stored position. */
  const reached = new Map<string, ComparedPosition>();

  const positionOf = async (mode: Mode, network: Network): Promise<string> => {
    const known = reached.get(`${mode} ${network.name}`)?.position;
    const stored = known ?? (await treasuryWatch.position(mode, network.name));
    if (stored !== null) return stored;
    // The start position is stored at once, so that the guard misses no later outflow.
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
      // The position does not advance past an unexplained amount. The guard repeats the comparison from the same position.
      const different = await judgeBalance(mode, network, from, unlistedMinor ?? 0n);
      if (different !== null) return different;
      const name = `${mode} ${network.name}`;
      if (reached.get(name)?.position !== position)
        reached.set(name, { mode, network: network.name, position, kept: false });
      if (incomplete === true) return 'some transfers out of the treasury could not be read yet';
      // The balance and the transfers come from different sources, and one of them may be out of date. So the sends wait until
      // both match.
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

/** Stores the outflows by hash, and returns the outflows that no payment explains. */
function makeOutflowJudge(treasuryWatch: TreasuryWatch) {
  const noted = new Map<string, bigint>();

  return async (mode: Mode, network: Network, outflows: readonly Outflow[]) => {
    if (outflows.length === 0) return [];
    const left = sumOutflowsByHash(outflows);
    const nameOf = (hash: string) => `${mode} ${network.name} ${hash}`;
    const fresh = new Map([...left].filter(([hash, amount]) => noted.get(nameOf(hash)) !== amount));
    // The outflows are stored before the states are read. So a process that ends an attempt now either sees this record, or
    // this process sees the ended attempt.
    await treasuryWatch.noteLeft(mode, network.name, fresh);
    if (noted.size > REMEMBERED) noted.clear();
    for (const [hash, amount] of fresh) noted.set(nameOf(hash), amount);
    // The payments are read after the chain, because the service stores bytes before any network gets them.
    return judgeOutflows(outflows, await treasuryWatch.sendsByHash(mode, network.name, [...left.keys()]));
  };
}
