// The end of what a treasury signed once to make a network ready: its outcome and what it cost are one change, so the cost is
// posted once.
import type { Change } from '../records/change.ts';
import type { EndedSetUp, SignedSetUp } from '../records/set-up.ts';
import { type NetworkCost, networkEntries } from './entries.ts';

export function setUpEnded(
  signed: SignedSetUp,
  outcome: EndedSetUp['outcome'],
  cost: NetworkCost | null,
  atMs: number,
): Change {
  const { mode, network, hash } = signed;
  const of = { mode, network, subjectId: `setup_${hash}`, opened: 'treasury_account_opened' } as const;
  return { atMs, setUpEnds: [{ mode, network, hash, outcome }], entries: networkEntries(of, cost) };
}
