// Two people resume the sends of a halted asset. The same decision books tokens that left the treasury without an order as
// lost. Each finding is booked once, so that the books and the chain agree again.
import { type Entry, entryOf } from '../ledger/ledger.ts';
import type { SignedSend, UnexplainedOutflow } from '../movements/outflows.ts';
import type { Mode } from '../values/mode.ts';
import { tokenToKobo } from '../values/money.ts';
import type { Decider, Plan } from './proposal.ts';

export interface HaltedAsset {
  readonly mode: Mode;
  readonly asset: string;
  /** Null: the asset has no network, so no tokens can have left a treasury. */
  readonly decimals: number | null;
  readonly findings: readonly (UnexplainedOutflow & { readonly network: string })[];
}

export function resumeSends(
  { mode, asset, decimals, findings }: HaltedAsset,
  subjectId: string,
  sends: ReadonlyMap<string, SignedSend>,
  { atMs }: Decider,
): Plan {
  const lost = findings.reduce((sum, finding) => sum + computeLoss(finding, sends.get(finding.txHash)), 0n);
  const entries: Entry[] =
    lost === 0n ? [] : [entryOf('outflow_lost', { mode, subjectId, asset, amounts: { tokens: lost } })];
  const accepted = findings.map(({ network, txHash }) => ({ network, txHash }));
  return {
    mode,
    amountMinor: decimals === null ? 0n : tokenToKobo(lost, decimals).kobo,
    change: { atMs, entries, resume: { mode, asset, accepted } },
  };
}

/** If an attempt was wrongly declared dead and has since paid its order, nothing is lost. */
function computeLoss({ problem, amountMinor }: UnexplainedOutflow, send: SignedSend | undefined): bigint {
  if (problem !== 'declared_dead') return amountMinor;
  const paid = send?.orders.filter(({ state }) => state === 'landed') ?? [];
  const explained = paid.reduce((sum, order) => sum + order.amountMinor, 0n);
  return amountMinor > explained ? amountMinor - explained : 0n;
}
