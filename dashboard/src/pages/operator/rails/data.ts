// Rails as the service answers them, and what operators change about them.
import { del, post, put } from '../../../api/client.ts';
import { useAction, useRead } from '../../../api/query.ts';

export interface Pause {
  readonly by_health: boolean;
  readonly actor: string;
  readonly name: string | null;
  readonly reason: string;
  readonly since: string;
}

export interface Rail {
  readonly rail: string;
  readonly account: { readonly bank: string; readonly number: string } | null;
  readonly state:
    | 'in_use'
    | 'paused_by_people'
    | 'paused_by_guard'
    | 'paused_by_health'
    | 'without_route'
    | 'not_running';
  readonly what: string;
  readonly pauses: readonly Pause[];
  readonly doubt: { readonly payout_id: string; readonly since: string } | null;
  readonly guard: {
    readonly compared_to: string;
    readonly failure: string | null;
    readonly unexplained: readonly { readonly payment: string; readonly what: string }[];
  } | null;
  readonly success_percent: number | null;
  readonly attempts: {
    readonly landed: number;
    readonly refused: number;
    readonly failed: number;
    readonly unknown: number;
    readonly under_way: number;
  };
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly probed_at: string | null;
  readonly probe_failure: string | null;
  readonly resumes_not_before: string | null;
  readonly books: { readonly free: string; readonly reserved: string; readonly balance: string };
  readonly said: { readonly balance: string; readonly at: string } | null;
  readonly cap: string | null;
  readonly used_today: string;
}

export interface Route {
  readonly route_id: number;
  readonly rail: string;
  readonly priority: number;
  readonly weight: number;
  readonly min_amount: string | null;
  readonly max_amount: string | null;
  readonly banks: readonly { readonly code: string; readonly name: string }[] | null;
  readonly cost: string | null;
  readonly enabled: boolean;
}

export interface RailProposal {
  readonly proposal_id: string;
  readonly setting: string;
  readonly what: string;
  readonly proposed_by_name: string;
  readonly proposed_at: string;
  readonly rail: string | null;
  readonly route_id: number | null;
}

export interface Rails {
  readonly rails: readonly Rail[];
  readonly routes: readonly Route[];
  readonly proposals: readonly RailProposal[];
  /** Whether a change other than a pause takes two people. */
  readonly needs_two: boolean;
}

const RAILS = '/operator/rails';
const ROUTES = '/operator/rail-routes';
const REFRESH_MS = 15_000;

export function useRails(mode: string) {
  return useRead<Rails>(`${RAILS}/${mode}`, { everyMs: REFRESH_MS });
}

/** What a person wants to do with a rail. */
export type Asked = { readonly what: 'pause' | 'resume' | 'trust' | 'cap'; readonly rail: Rail } | null;

/** As the service takes it: what is left out has no bound. */
export interface GivenRoute {
  readonly rail: string;
  readonly priority: number;
  readonly weight: number;
  readonly min_amount?: string;
  readonly max_amount?: string;
  readonly banks?: readonly string[];
  readonly cost?: string;
  readonly enabled: boolean;
}

export type RailChange =
  | { readonly kind: 'pause' | 'resume' | 'trust'; readonly rail: string; readonly reason: string }
  /** Null: no cap. */
  | { readonly kind: 'cap'; readonly rail: string; readonly perDay: string | null }
  /** Null: a new one. */
  | { readonly kind: 'route'; readonly id: number | null; readonly route: GivenRoute }
  | { readonly kind: 'remove'; readonly id: number };

interface Changed {
  readonly done: boolean;
}

function change(mode: string, given: RailChange): Promise<Changed> {
  const at = `${RAILS}/${mode}`;
  switch (given.kind) {
    case 'pause':
    case 'resume':
    case 'trust':
      return post(`${at}/${encodeURIComponent(given.rail)}/${given.kind}`, { reason: given.reason });
    case 'cap': {
      const { perDay } = given;
      return put(`${at}/${encodeURIComponent(given.rail)}/cap`, perDay === null ? {} : { per_day: perDay });
    }
    case 'route':
      return given.id === null
        ? post(`${ROUTES}/${mode}`, given.route)
        : put(`${ROUTES}/${mode}/${given.id}`, given.route);
    case 'remove':
      return del(`${ROUTES}/${mode}/${given.id}`);
  }
}

export function useRailChange(mode: string, onDone: () => void) {
  return useAction<RailChange, Changed>((given) => change(mode, given), {
    refreshes: [RAILS, '/operator/proposals', '/operator/attention'],
    done: ({ done }, { kind }) => {
      if (!done) return 'Proposed. It takes effect when another person approves it under Proposals.';
      return kind === 'trust'
        ? 'Done. What it refuses counts again within a second.'
        : 'Done. New payouts follow it within a second.';
    },
    onDone,
    quiet: true,
  });
}

/** What a person typed as an amount; null: it is none. An empty field has no bound. */
export function amountOf(text: string): string | null {
  const bare = text.replaceAll(',', '').trim();
  return /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/.test(bare) ? bare : null;
}
