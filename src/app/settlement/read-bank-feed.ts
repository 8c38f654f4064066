// Reads what a rail reports and stores it before anything else is done with it. The position in the statement is stored with the
// lines, so nothing is skipped.

import type { BankCredit } from '../../domain/records/credit.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { ReportingRail } from '../../ports/bank/rail.ts';
import type { SettlementDeps } from '../engine/deps.ts';
import { type FeedMemory, newFeedMemory, withFeed } from './feed-hold.ts';
import { recordLines } from './record-lines.ts';

/** The name under which a rail's statement is read, by one process at a time. */
export function bankFeed(mode: Mode, rail: string): string {
  return `bank ${mode} ${rail}`;
}

/** Returns the new credits, leased to the caller; undefined when another process reads this feed. */
export function readBankFeed(
  deps: SettlementDeps,
  mode: Mode,
  rail: ReportingRail,
  memory: FeedMemory = newFeedMemory(),
): Promise<{ readonly credits: readonly BankCredit[]; readonly lines: number } | undefined> {
  return withFeed(deps, bankFeed(mode, rail.name), memory, async (hold) => {
    const { lines, position } = await rail.statement.read(hold.position);
    if (lines.length === 0 && position === hold.position)
      return { position, found: { credits: [], lines: 0 } };
    const credits = await recordLines(deps, { mode, name: rail.name }, lines, { hold, position });
    return { position, found: { credits, lines: lines.length } };
  });
}
