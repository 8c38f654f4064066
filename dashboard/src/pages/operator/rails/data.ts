// What operators read and change about rails.
import { del, post, put } from '../../../api/calls.ts';
import type { AddRouteBody, Rail } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';

const RAILS = '/operator/rails';
const REFRESH_MS = 15_000;

export function useRails(mode: Mode) {
  return useRead('/operator/rails/{mode}', { params: { mode }, everyMs: REFRESH_MS });
}

/** What a person wants to do with a rail. */
export type Asked = { readonly what: 'pause' | 'resume' | 'trust' | 'cap'; readonly rail: Rail } | null;

export type RailChange =
  | { readonly what: 'pause' | 'resume' | 'trust'; readonly rail: string; readonly reason: string }
  /** Null: no cap. */
  | { readonly what: 'cap'; readonly rail: string; readonly perDay: string | null }
  /** Null: a new one. */
  | { readonly what: 'route'; readonly id: number | null; readonly route: AddRouteBody }
  | { readonly what: 'remove'; readonly id: number };

function change(mode: Mode, given: RailChange) {
  switch (given.what) {
    case 'pause':
    case 'resume':
    case 'trust': {
      const { rail, reason } = given;
      return post(`/operator/rails/{mode}/{rail}/${given.what}`, {
        params: { mode, rail },
        body: { reason },
      });
    }
    case 'cap': {
      const { rail, perDay } = given;
      const body = perDay === null ? {} : { per_day: perDay };
      return put('/operator/rails/{mode}/{rail}/cap', { params: { mode, rail }, body });
    }
    case 'route': {
      const { id, route: body } = given;
      if (id === null) return post('/operator/rail-routes/{mode}', { params: { mode }, body });
      const params = { mode, route_id: String(id) };
      return put('/operator/rail-routes/{mode}/{route_id}', { params, body });
    }
    case 'remove':
      return del('/operator/rail-routes/{mode}/{route_id}', { params: { mode, route_id: String(given.id) } });
  }
}

export function useRailChange(mode: Mode, onDone: () => void) {
  return useAction((given: RailChange) => change(mode, given), {
    refreshes: [RAILS, '/operator/proposals', '/operator/attention'],
    done: ({ done }, { what }) => {
      if (!done) return 'Proposed. It takes effect when another person approves it under Proposals.';
      return what === 'trust'
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
