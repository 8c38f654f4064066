// What stands still, and how it is stopped and resumed.
import { post } from '../../../api/calls.ts';
import type { Freeze, Halt } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useList, useRead } from '../../../api/reads.ts';

export const useMovements = () => useRead('/operator/movements');
export const useHalts = () => useRead('/operator/halts');
export const useFreezes = () => useRead('/operator/freezes');
export const useHistory = () => useList('/operator/stops/history', 'events');

/** What stands still changes rarely, so these reads follow hints. */
export const STOPS = [
  '/operator/movements',
  '/operator/stops/history',
  '/operator/halts',
  '/operator/freezes',
];
const PROPOSED = 'Proposed. It takes effect when another person approves it under Proposals.';

export type StopChange =
  | { readonly kind: 'pause' | 'resume'; readonly reason: string }
  | { readonly kind: 'resume_asset'; readonly halt: Halt }
  | { readonly kind: 'lift'; readonly freeze: Freeze; readonly reason: string };

/** What is about an asset is a proposal at once: it has no `done`. */
async function change(given: StopChange): Promise<boolean> {
  switch (given.kind) {
    case 'pause':
      return (await post('/operator/movements/pause', { body: { reason: given.reason } })).done;
    case 'resume':
      return (await post('/operator/settings/movements/resume', { body: { reason: given.reason } })).done;
    case 'resume_asset': {
      const { mode, asset } = given.halt;
      await post('/operator/proposals/reviews', { body: { action: 'resume', mode, asset } });
      return false;
    }
    case 'lift': {
      const { business_id, mode } = given.freeze;
      const body = { business_id, mode, reason: given.reason };
      return (await post('/operator/settings/freezes/lift', { body })).done;
    }
  }
}

export function useStopChange(onDone: () => void) {
  return useAction(change, {
    refreshes: [...STOPS, '/operator/proposals'],
    done: (done, { kind }) => (kind === 'pause' ? 'All movements are paused.' : done ? 'Done.' : PROPOSED),
    onDone,
    quiet: true,
  });
}
