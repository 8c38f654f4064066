// What operators read and change about rails.
import type { Rail } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';
import { doneOrProposed } from '../rules.tsx';

const REFRESH_MS = 15_000;

export function useRails(mode: Mode) {
  return useRead('/operator/rails/{mode}', { params: { mode }, everyMs: REFRESH_MS });
}

/** What a person wants to do with a rail. */
export type Asked = { readonly what: 'pause' | 'resume' | 'trust' | 'cap'; readonly rail: Rail } | null;

/** Of each change. */
export const CHANGE = {
  refreshes: ['/operator/rails', '/operator/proposals', '/operator/attention'],
  done: doneOrProposed('Done. New payouts follow it within a second.'),
};

/** What a person typed as an amount; null: it is none. An empty field has no bound. */
export function amountOf(text: string): string | null {
  const bare = text.replaceAll(',', '').trim();
  return /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/.test(bare) ? bare : null;
}
