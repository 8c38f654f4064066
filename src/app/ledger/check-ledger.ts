// Checks the books against their own rules. If the books do not add up, the service halts the sends of the affected mode and
// assets. The halt applies in every process until two people lift it.
import type { Mode } from '../../domain/values/mode.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LedgerAudit, LedgerReading } from '../../ports/ledger.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import { judgeLedger, type LedgerFinding, type LedgerJudgement, type TokenDecimals } from './judge-ledger.ts';

export interface CheckLedgerDeps {
  readonly ledgerAudit: LedgerAudit;
  readonly networks: DescribedNetworks;
  readonly clock: Clock;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

export interface LedgerVerdict extends LedgerJudgement, LedgerReading {}

export async function checkLedger(
  deps: CheckLedgerDeps,
  onProgress: () => void = () => undefined,
): Promise<LedgerVerdict> {
  return judgeReading(deps, await deps.ledgerAudit.check(onProgress));
}

export async function recountLedger(
  deps: CheckLedgerDeps,
  onProgress: (postings: number) => void,
): Promise<LedgerVerdict> {
  return judgeReading(deps, await deps.ledgerAudit.recount(onProgress));
}

async function judgeReading(deps: CheckLedgerDeps, reading: LedgerReading): Promise<LedgerVerdict> {
  const judgement = judgeLedger(reading.accounts, checkableAssets(deps.networks));
  for (const finding of judgement.findings) await haltAssets(deps, finding);
  return { ...reading, ...judgement };
}

/** The service reports each drift once. The metrics continue to show the drift, and the list of halts shows the halt. */
async function haltAssets(
  { ledgerAudit, clock, onTrouble }: CheckLedgerDeps,
  finding: LedgerFinding,
): Promise<void> {
  const { mode, rule, driftMinor, text } = finding;
  const halted: string[] = [];
  for (const asset of finding.assets) {
    if (await ledgerAudit.halt({ mode, asset, reason: text, atMs: clock.now() })) halted.push(asset);
  }
  if (halted.length > 0) {
    onTrouble('the ledger does not balance', {
      mode,
      rule,
      drift_minor: driftMinor.toString(),
      text,
      halted,
    });
  }
}

/**
 * Returns the assets of the networks with their decimals. A disabled network counts only if its settings were compared with the
 * chain before. Wrong decimals would look like drift and cause a halt.
 */
export function checkableAssets(networks: DescribedNetworks): TokenDecimals {
  const of = (mode: Mode) => {
    const disabled = networks
      .disabled(mode)
      .flatMap(({ name, described }) => (described === null ? [] : [{ name, ...described }]));
    return new Map(
      [...networks.enabled(mode), ...disabled].flatMap(({ name, asset, native }) => [
        [tokenAsset(asset.code, name), asset.decimals] as const,
        ...(native === null ? [] : [[tokenAsset(native.asset, name), native.decimals] as const]),
      ]),
    );
  };
  return { live: of('live'), test: of('test') };
}
