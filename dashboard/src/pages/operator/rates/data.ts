// The rates of one mode as the operator's session API answers them, and how people change them.
import { post, put } from '../../../api/client.ts';
import { useAction, useRead } from '../../../api/query.ts';

export interface Candidate {
  readonly source: string;
  readonly value: string;
  readonly as_of: string;
  readonly crossed: boolean;
  readonly verdict: string;
  readonly why: string;
}

/** What a tier of businesses is quoted; null: nothing, for the reason. */
export interface Quoted {
  readonly tier: string;
  readonly spread_bps: number | null;
  readonly rate: string | null;
  readonly missing: string | null;
}

export interface DecidedValue {
  readonly currency: string;
  /** Before the spread. */
  readonly value: string | null;
  readonly valid_until: string | null;
  readonly gap: string | null;
  /** From the service itself, in test mode. */
  readonly sample: boolean;
  readonly candidates: readonly Candidate[];
}

export interface BookLine extends DecidedValue {
  /** The last value that was accepted, however old. */
  readonly last_value: string | null;
  readonly quoted: readonly Quoted[];
}

export interface Book {
  readonly product: string;
  /** Of the standard tier: all nine, or none at all. */
  readonly served: boolean;
  readonly missing: readonly { readonly currency: string; readonly why: string }[];
  readonly plan: { readonly sources: readonly string[]; readonly minimum: number };
  readonly decision_id: string | null;
  readonly decided_at: string | null;
  readonly currencies: readonly BookLine[];
}

export interface RateProposal {
  readonly proposal_id: string;
  readonly what: string;
  readonly why: string | null;
  readonly proposed_by: string;
  readonly proposed_at: string;
}

export interface Rates {
  readonly as_of: string;
  readonly tiers: readonly string[];
  readonly books: readonly Book[];
  readonly proposals: readonly RateProposal[];
}

export interface Source {
  readonly name: string;
  readonly kind: string;
  readonly products: readonly string[];
  readonly state: 'working' | 'stale' | 'failing' | 'stopped' | 'not_read';
  readonly failures: number;
  readonly last_read_at: string | null;
  readonly last_failure: { readonly code: string; readonly message: string; readonly at: string } | null;
  readonly next_read_at: string | null;
  readonly open_until: string | null;
  readonly age_limit_seconds: number;
  readonly rates: readonly { readonly currency: string; readonly value: string; readonly as_of: string }[];
}

export interface Decision {
  readonly decision_id: string;
  readonly at: string;
  readonly values: readonly DecidedValue[];
}

interface Named {
  readonly actor: string;
  readonly name: string | null;
}

export interface DeskPrice {
  readonly currency: string;
  readonly value: string;
  readonly set_at: string;
  readonly valid_until: string | null;
  readonly override: boolean;
  readonly sample: boolean;
  /** Whether it is the price of its currency now. */
  readonly in_force: boolean;
  readonly set_by: Named;
  readonly approved_by: Named | null;
}

export interface Spread {
  readonly product: string;
  readonly currency: string | null;
  readonly tier: string | null;
  readonly spread_bps: number;
  readonly from: string;
  readonly set_by: Named;
}

const RATES = '/operator/rates';
/** The book shows how long its values hold, so it is read again although nothing was changed. */
const EVERY_MS = 5_000;

export const useRates = (mode: string) => useRead<Rates>(`${RATES}/${mode}`, { everyMs: EVERY_MS });
export const useSources = (mode: string) =>
  useRead<{ readonly sources: readonly Source[] }>(`${RATES}/${mode}/sources`, { everyMs: EVERY_MS });
export const useSpreads = (mode: string) =>
  useRead<{ readonly spreads: readonly Spread[]; readonly needs_two: boolean }>(`${RATES}/${mode}/spreads`);
export const useDecisions = (mode: string, product: string) =>
  useRead<{ readonly decisions: readonly Decision[] }>(`${RATES}/${mode}/${product}/decisions`);
export const useDeskPrices = (mode: string, product: string) =>
  useRead<{ readonly prices: readonly DeskPrice[] }>(`${RATES}/${mode}/${product}/desk-prices`);

export const historyPath = (mode: string, product: string) => `${RATES}/${mode}/${product}/history`;

export interface Changed {
  readonly done: boolean;
}

const PROPOSED = 'Proposed. It takes effect when another person approves it under Proposals.';

/** What a change makes old, and what is said about it. */
function about(done: string, onDone: () => void) {
  return {
    refreshes: [RATES, '/operator/proposals'],
    done: (answer: Changed) => (answer.done ? done : PROPOSED),
    onDone,
    quiet: true,
  };
}

export interface NewPrices {
  readonly prices: Readonly<Record<string, string>>;
  readonly valid_for_hours: number;
  readonly override: boolean;
}

export function useSetPrices(mode: string, product: string, onDone: () => void) {
  return useAction(
    (given: NewPrices) => put<Changed>(`${RATES}/${mode}/${product}`, given),
    about('The desk prices are set. The book follows in a moment.', onDone),
  );
}

export function useWithdrawPrices(mode: string, product: string, onDone: () => void) {
  return useAction(
    (currencies: readonly string[]) => post<Changed>(`${RATES}/${mode}/${product}/withdraw`, { currencies }),
    about('The desk price has ended. The book follows in a moment.', onDone),
  );
}

/** Whether prices take a second person, by the rule of the service. Null: nothing is asked yet. */
export function useJudged(mode: string, product: string, prices: Readonly<Record<string, string>> | null) {
  const path = `${RATES}/${mode}/${product}/judged?${new URLSearchParams(prices ?? {})}`;
  return useRead<{ readonly needs_two: boolean; readonly why: string | null }>(prices && path, {
    keepPrevious: true,
  });
}

export interface NewSpread {
  /** Left out: of all without a rule of their own. */
  readonly currency?: string;
  readonly tier?: string;
  readonly spread_bps: number;
}

export function useSetSpread(mode: string, product: string, onDone: () => void) {
  return useAction(
    (given: NewSpread) => put<Changed>('/operator/spreads', { mode, product, ...given }),
    about('The spread is set. It holds from now on.', onDone),
  );
}
