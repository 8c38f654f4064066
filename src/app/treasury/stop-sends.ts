// Stops the sends of an asset because of findings about its treasury. The stop is stored and applies in every process.
import { describeFinding, type UnexplainedOutflow } from '../../domain/movements/outflows.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { TreasuryWatch } from '../../ports/treasury.ts';

export interface StopSendsDeps {
  readonly treasuryWatch: TreasuryWatch;
  readonly clock: Clock;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

/** Returns the findings that stopped the sends. These are the findings that two people have not accepted. */
export type StopSends = (
  mode: Mode,
  network: Network,
  findings: readonly UnexplainedOutflow[],
) => Promise<readonly UnexplainedOutflow[]>;

export function makeStopSends({ treasuryWatch, clock, onTrouble }: StopSendsDeps): StopSends {
  return async (mode, network, found) => {
    const findings = await omitAcceptedFindings(treasuryWatch, mode, network, found);
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
}

export async function omitAcceptedFindings(
  treasuryWatch: TreasuryWatch,
  mode: Mode,
  network: Network,
  findings: readonly UnexplainedOutflow[],
): Promise<readonly UnexplainedOutflow[]> {
  if (findings.length === 0) return findings;
  const hashes = findings.map(({ txHash }) => txHash);
  const accepted = await treasuryWatch.accepted(mode, network.name, hashes);
  return findings.filter(({ txHash }) => !accepted.has(txHash));
}
