// How long personal data is kept: while what it is about is open, and from its end on for as long as the operator set.

export type KeptUntil =
  | { readonly kind: 'open' }
  /** No retention is set. */
  | { readonly kind: 'no_limit' }
  | { readonly kind: 'until'; readonly atMs: number };

/** What follows a transaction that has just ended, such as its Travel-Rule record, is written first. */
export const SETTLES_MS = 3_600_000;

/** `keepMs`: null when no retention is set. */
export function keptUntil(row: {
  readonly overSinceMs: number | null;
  readonly keepMs: number | null;
}): KeptUntil {
  const { overSinceMs, keepMs } = row;
  if (overSinceMs === null) return { kind: 'open' };
  return keepMs === null ? { kind: 'no_limit' } : { kind: 'until', atMs: overSinceMs + keepMs };
}
