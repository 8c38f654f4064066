// Two people let sends of an asset go on after it was halted. What left the treasury without an order is booked as lost
// with their decision, so that the books and the chain say the same again; each finding once.
import { type Entry, entryOf } from '../ledger/ledger.ts';
import type { SignedSend, UnexplainedOutflow } from '../movements/outflows.ts';
import type { Mode } from '../values/mode.ts';
import { tokenToKobo } from '../values/money.ts';
import type { Decider, Plan } from './proposal.ts';

/** An asset whose sends stand still, and why. */
export interface HaltedAsset {
  readonly mode: Mode;
  readonly asset: string;
  /** Null for an asset that has no network: nothing can have left it. */
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

/** An attempt that was wrongly declared dead may have been found to have paid its order meanwhile: then nothing is lost. */
function computeLoss({ problem, amountMinor }: UnexplainedOutflow, send: SignedSend | undefined): bigint {
  if (problem !== 'declared_dead') return amountMinor;
  const paid = send?.orders.filter(({ state }) => state === 'landed') ?? [];
  const explained = paid.reduce((sum, order) => sum + order.amountMinor, 0n);
  return amountMinor > explained ? amountMinor - explained : 0n;
}
