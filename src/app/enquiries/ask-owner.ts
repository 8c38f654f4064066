// Asks who owns an account: the rails of a mode that pay, the preferred one first, until one of them knows.
import type { Mode } from '../../domain/values/mode.ts';
import type { NameEnquiry, NameQuestion } from '../../ports/bank/payouts.ts';
import type { Banks } from '../../ports/bank/rail.ts';

export type Owner =
  | (Exclude<NameEnquiry, { kind: 'unknown' }> & { readonly rail: string })
  /** `none`: no rail of this mode pays; `silent`: none of them can say now. */
  | { readonly kind: 'unknown'; readonly why: 'none' | 'silent' };

export async function askOwner(banks: Banks, mode: Mode, question: NameQuestion): Promise<Owner> {
  let why: 'none' | 'silent' = 'none';
  for (const { name: rail, payouts } of banks.enabled(mode)) {
    if (payouts === null) continue;
    why = 'silent';
    const answer = await payouts.enquireName(question);
    if (answer.kind !== 'unknown') return { ...answer, rail };
  }
  return { kind: 'unknown', why };
}
