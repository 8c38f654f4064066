// Before anything is signed for a treasury: whatever left it is compared with what was signed. What nothing explains stops
// all sends of the asset, durably and in every process, until two people have looked. When the chain cannot be read,
// nothing is signed either.

import {
  describeFinding,
  judgeOutflows,
  type OutflowFinding,
  shortageFinding,
  unreadableFinding,
} from '../../domain/movements/outflows.ts';
import { tokenAsset } from '../../domain/values/assets.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Network } from '../../ports/network/network.ts';
import type { Outflow } from '../../ports/network/watches.ts';
import type { TreasuryWatch } from '../../ports/treasury-watch.ts';

export interface GuardDeps {
  readonly treasuryWatch: TreasuryWatch;
  readonly clock: Clock;
  /** By how much a treasury holds less than what must lie in it. */
  readonly shortageOf: (mode: Mode, network: Network) => Promise<bigint>;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

export interface TreasuryGuard {
  /** Null: everything that left is explained. Otherwise why nothing may be signed now. Throws when it cannot be read. */
  check(mode: Mode, network: Network): Promise<string | null>;
  /** Stops the sends of the asset, unless two people have accepted all of it. Answers what stopped them. */
  stop(mode: Mode, network: Network, findings: readonly OutflowFinding[]): Promise<readonly OutflowFinding[]>;
  /** Writes down how far this process has compared, so that the next one goes on from there. */
  keepPositions(): Promise<void>;
}

interface Reached {
  readonly mode: Mode;
  readonly network: string;
  readonly position: string;
  kept: boolean;
}

export function makeTreasuryGuard({ treasuryWatch, clock, shortageOf, onTrouble }: GuardDeps): TreasuryGuard {
  /** How far this process has come; after a restart it goes on where the database says. */
  const reached = new Map<string, Reached>();

  const positionOf = async (mode: Mode, network: Network): Promise<string> => {
    const known = reached.get(`${mode} ${network.name}`)?.position;
    const stored = known ?? (await treasuryWatch.position(mode, network.name));
    if (stored !== null) return stored;
    // The beginning is written down at once: nothing that leaves from now on may be passed over.
    const { position } = await network.outflows(null);
    await treasuryWatch.keepPosition(mode, network.name, position);
    return position;
  };

  const judge = async (mode: Mode, network: Network, outflows: readonly Outflow[]) => {
    if (outflows.length === 0) return [];
    const hashes = new Set(
      outflows.flatMap(({ txHash, innerHash }) => [txHash, ...(innerHash ? [innerHash] : [])]),
    );
    // Read after the chain: bytes are stored before any network has them.
    return judgeOutflows(outflows, await treasuryWatch.sendsByHash(mode, network.name, [...hashes]));
  };

  const stop: TreasuryGuard['stop'] = async (mode, network, found) => {
    const findings = await withoutAccepted(treasuryWatch, mode, network, found);
    const asset = tokenAsset(network.asset.code, network.name);
    const of = { mode, network: network.name, asset, atMs: clock.now() };
    for (const finding of await treasuryWatch.stop(of, findings)) {
      const { txHash, problem, amountMinor, to, movementIds } = finding;
      onTrouble('SENDS STOPPED: tokens left a treasury without a known payment', {
        ...{ mode, network: network.name, asset, problem, tx_hash: txHash, amount_minor: `${amountMinor}` },
        ...{ to, movements: movementIds, why: describeFinding(finding) },
      });
    }
    return findings;
  };

  return {
    check: async (mode, network) => {
      const { outflows, unreadable, position, incomplete } = await network.outflows(
        await positionOf(mode, network),
      );
      const findings = [
        ...(await judge(mode, network, outflows)),
        ...unreadable.map(({ raw }) => unreadableFinding(raw)),
      ];
      const [first] = await stop(mode, network, findings);
      if (first !== undefined) return describeFinding(first);
      const name = `${mode} ${network.name}`;
      if (reached.get(name)?.position !== position)
        reached.set(name, { mode, network: network.name, position, kept: false });
      if (incomplete === true) return 'not every transfer out of the treasury could be read yet';
      // The balance comes another way than the transfers, and one of the two may be behind: sends wait until both fit.
      const shortMinor = await shortageOf(mode, network);
      return shortMinor > 0n ? describeFinding(shortageFinding(shortMinor)) : null;
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

async function withoutAccepted(
  treasuryWatch: TreasuryWatch,
  mode: Mode,
  network: Network,
  findings: readonly OutflowFinding[],
): Promise<readonly OutflowFinding[]> {
  if (findings.length === 0) return findings;
  const hashes = findings.map(({ txHash }) => txHash);
  const accepted = await treasuryWatch.accepted(mode, network.name, hashes);
  return findings.filter(({ txHash }) => !accepted.has(txHash));
}
