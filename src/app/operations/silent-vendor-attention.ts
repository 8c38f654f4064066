// Attention items about vendor accounts in which the bank stopped crediting incoming payments.
import { lagosDate } from '../../domain/values/calendar.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { SilentVendors } from '../../ports/reconciliation.ts';
import type { Severity } from './attention-words.ts';

export interface SilentVendorAttentionDeps {
  readonly silentVendors: Pick<SilentVendors, 'list'>;
}

export interface SilentVendorAttention {
  readonly kind: 'silent_vendor';
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  readonly sinceMs: number;
}

export async function listSilentVendorAttention(
  { silentVendors }: SilentVendorAttentionDeps,
  mode: Mode,
): Promise<readonly SilentVendorAttention[]> {
  const silences = await silentVendors.list(mode);
  return silences.map(({ name, takenOff, claims, lastCreditAtMs, atMs }) => {
    const last = `Its last credit was on ${lagosDate(lastCreditAtMs)}; ${claims} buys since then were not paid.`;
    return {
      ...{ kind: 'silent_vendor', sinceMs: atMs },
      severity: takenOff ? 'warning' : 'critical',
      title: takenOff
        ? `The account of ${name} stopped receiving credits and was taken off the list`
        : `The account of ${name} stopped receiving credits, and it is the last vendor`,
      what: takenOff
        ? `${last} Ask the bank. When a payment reaches the account again, enable it.`
        : `${last} Buyers are still asked to pay into it. Add another account, and disable this one.`,
    } as const;
  });
}
