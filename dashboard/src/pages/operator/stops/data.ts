// What stands still, and how it is stopped and resumed.
import { post } from '../../../api/client.ts';
import { useAction, useList, useRead } from '../../../api/query.ts';

interface Movements {
  readonly paused: boolean;
  readonly last: {
    readonly paused: boolean;
    readonly actor: string;
    readonly reason: string;
    readonly at: string;
  } | null;
}

export interface Halt {
  readonly mode: string;
  readonly asset: string;
  readonly reason: string;
  readonly at: string;
}

export interface Freeze {
  readonly business_id: string;
  readonly mode: string;
  readonly reason: string;
  readonly at: string;
}

export interface StopEvent {
  readonly no: number;
  readonly action: string;
  readonly at: string;
  readonly actor: string;
  readonly name: string | null;
  readonly reason: string | null;
  readonly mode: string | null;
  readonly asset: string | null;
  readonly business_id: string | null;
}

const MOVEMENTS = '/operator/movements';
const HISTORY = '/operator/stops/history';

export const useMovements = () => useRead<Movements>(MOVEMENTS);
export const useHalts = () => useRead<{ readonly halts: readonly Halt[] }>('/operator/halts');
export const useFreezes = () => useRead<{ readonly freezes: readonly Freeze[] }>('/operator/freezes');
export const useHistory = () => useList<StopEvent>(HISTORY, 'events');

/** What stands still changes rarely, so these reads follow hints. */
export const STOPS = [MOVEMENTS, HISTORY, '/operator/halts', '/operator/freezes'];
const PROPOSED = 'Proposed. It takes effect when another person approves it under Proposals.';

export type StopChange =
  | { readonly kind: 'pause' | 'resume'; readonly reason: string }
  | { readonly kind: 'resume_asset'; readonly halt: Halt }
  | { readonly kind: 'lift'; readonly freeze: Freeze; readonly reason: string };

function change(given: StopChange): Promise<{ readonly done?: boolean }> {
  switch (given.kind) {
    case 'pause':
      return post(`${MOVEMENTS}/pause`, { reason: given.reason });
    case 'resume':
      return post('/operator/settings/movements/resume', { reason: given.reason });
    case 'resume_asset': {
      const { mode, asset } = given.halt;
      return post('/operator/proposals/reviews', { action: 'resume', mode, asset });
    }
    case 'lift': {
      const { business_id, mode } = given.freeze;
      return post('/operator/settings/freezes/lift', { business_id, mode, reason: given.reason });
    }
  }
}

export function useStopChange(onDone: () => void) {
  return useAction<StopChange, { readonly done?: boolean }>(change, {
    refreshes: [...STOPS, '/operator/proposals'],
    done: ({ done }, { kind }) =>
      kind === 'pause' ? 'All movements are paused.' : done === true ? 'Done.' : PROPOSED,
    onDone,
    quiet: true,
  });
}
