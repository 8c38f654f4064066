// Reads the stops of money, and contains their dialogs. One dialog stops money immediately, the other requests a proposal to
// resume it.
import { post } from '../../../api/calls.ts';
import type { Freeze, Halt } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { FormDialog, ReasonDialog } from '../../../components/dialogs.tsx';
import { doneOrProposed } from '../rules.tsx';

export const useMovements = () => useRead('/operator/movements');
export const useHalts = () => useRead('/operator/halts');
export const useFreezes = () => useRead('/operator/freezes');
export const useHistory = () => useList('/operator/stops/history', 'events');

/** Stops change rarely, so the page refreshes these reads only after a hint of the service. */
export const STOPS = [
  '/operator/movements',
  '/operator/stops/history',
  '/operator/halts',
  '/operator/freezes',
];

const SECOND = 'A second person must approve it with their second factor.';

const CHANGE = { refreshes: [...STOPS, '/operator/proposals'], done: doneOrProposed('Done.') };
const REASON = { description: 'Kept in the history and the audit log.' };

export function PauseDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ReasonDialog
      {...CHANGE}
      {...REASON}
      title="Pause all movements"
      danger
      onClose={onClose}
      run={(reason) => post('/operator/movements/pause', { body: { reason } })}
      done="All movements are paused."
    >
      <p>
        This stops all sends, payouts and refunds immediately, in both modes. Requests are still accepted and
        queued. Resuming needs two people.
      </p>
    </ReasonDialog>
  );
}

export function ResumeDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ReasonDialog
      {...CHANGE}
      {...REASON}
      title="Propose to resume movements"
      confirm="Propose to resume"
      onClose={onClose}
      run={(reason) => post('/operator/settings/movements/resume', { body: { reason } })}
    >
      <p>Once approved, everything that waits is sent, paid out or refunded. {SECOND}</p>
    </ReasonDialog>
  );
}

export function LiftDialog({ freeze, onClose }: { readonly freeze: Freeze; readonly onClose: () => void }) {
  const { business_id, mode } = freeze;
  return (
    <ReasonDialog
      {...CHANGE}
      {...REASON}
      title="Lift freeze"
      onClose={onClose}
      run={(reason) => post('/operator/settings/freezes/lift', { body: { business_id, mode, reason } })}
    >
      <p>
        Money of <span className="mono">{business_id}</span> moves again in {mode} mode.{' '}
        {mode === 'live' ? SECOND : 'In test mode, it takes effect immediately.'}
      </p>
    </ReasonDialog>
  );
}

export function ResumeAssetDialog({ halt, onClose }: { readonly halt: Halt; readonly onClose: () => void }) {
  const { mode, asset, reason } = halt;
  // To resume an asset always needs a proposal, so it never takes effect immediately.
  const propose = async () => {
    await post('/operator/proposals/reviews', { body: { action: 'resume', mode, asset } });
    return { done: false };
  };
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title={`Propose to resume ${asset}`}
      confirm="Propose to resume"
      run={propose}
    >
      <p>
        Sends of {asset} in {mode} mode were halted: {reason}.
      </p>
      <p>
        Find the cause first. Tokens that left the treasury without an order are booked as a loss. {SECOND}
      </p>
    </FormDialog>
  );
}
