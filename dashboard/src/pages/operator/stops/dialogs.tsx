// What stands still, and the dialogs that stop money at once and propose to let it move again.
import { post } from '../../../api/calls.ts';
import type { Freeze, Halt } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { FormDialog, ReasonDialog } from '../../../components/dialogs.tsx';
import { doneOrProposed } from '../rules.tsx';

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

const SECOND = 'A second person must approve it with their second factor.';

/** Of each change. */
const CHANGE = { refreshes: [...STOPS, '/operator/proposals'], done: doneOrProposed('Done.') };
const WHY = { label: 'Why', description: 'The history and the audit log keep it.' };

export function PauseDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ReasonDialog
      {...CHANGE}
      {...WHY}
      title="Pause all movements"
      danger
      onClose={onClose}
      run={(reason) => post('/operator/movements/pause', { body: { reason } })}
      done="All movements are paused."
    >
      <p>
        At once and in both modes, nothing is sent, paid out or refunded. Requests are still accepted and
        wait. Two people are needed to resume.
      </p>
    </ReasonDialog>
  );
}

export function ResumeDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ReasonDialog
      {...CHANGE}
      {...WHY}
      title="Propose to resume movements"
      confirm="Propose to resume"
      onClose={onClose}
      run={(reason) => post('/operator/settings/movements/resume', { body: { reason } })}
    >
      <p>Everything that waits is sent, paid out and refunded when it is approved. {SECOND}</p>
    </ReasonDialog>
  );
}

export function LiftDialog({ freeze, onClose }: { readonly freeze: Freeze; readonly onClose: () => void }) {
  const { business_id, mode } = freeze;
  return (
    <ReasonDialog
      {...CHANGE}
      {...WHY}
      title="Lift freeze"
      onClose={onClose}
      run={(reason) => post('/operator/settings/freezes/lift', { body: { business_id, mode, reason } })}
    >
      <p>
        Money of <span className="mono">{business_id}</span> moves again in {mode} mode.{' '}
        {mode === 'live' ? SECOND : 'In test mode it takes effect at once.'}
      </p>
    </ReasonDialog>
  );
}

export function ResumeAssetDialog({ halt, onClose }: { readonly halt: Halt; readonly onClose: () => void }) {
  const { mode, asset, reason } = halt;
  // What is about an asset is a proposal at once: it is never done.
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
      <p>Find the cause first. What left the treasury without an order is booked as lost. {SECOND}</p>
    </FormDialog>
  );
}
