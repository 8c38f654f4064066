// Dialogs that stop money at once, and that propose to let it move again.
import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Freeze, Halt } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { type StopChange, useStopChange } from './data.ts';

const SECOND = 'A second person must approve it with their second factor.';

interface ReasonProps {
  readonly title: string;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly onClose: () => void;
  readonly changeOf: (reason: string) => StopChange;
  readonly children: ReactNode;
}

function ReasonDialog({ title, confirm, danger = false, onClose, changeOf, children }: ReasonProps) {
  const [reason, setReason] = useState('');
  const change = useStopChange(onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={title}
      confirm={confirm}
      danger={danger}
      busy={change.isPending}
      error={change.error}
      disabled={reason.trim() === ''}
      onConfirm={() => change.mutate(changeOf(reason.trim()))}
    >
      {children}
      <Textarea
        label="Why"
        description="The history and the audit log keep it."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={mistakeOf(change.error, 'reason')}
        maxLength={500}
        autosize
        minRows={2}
        required
        data-autofocus
      />
    </ConfirmDialog>
  );
}

export function PauseDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ReasonDialog
      title="Pause all movements"
      confirm="Pause all movements"
      danger
      onClose={onClose}
      changeOf={(reason) => ({ kind: 'pause', reason })}
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
      title="Propose to resume movements"
      confirm="Propose to resume"
      onClose={onClose}
      changeOf={(reason) => ({ kind: 'resume', reason })}
    >
      <p>Everything that waits is sent, paid out and refunded when it is approved. {SECOND}</p>
    </ReasonDialog>
  );
}

export function LiftDialog({ freeze, onClose }: { readonly freeze: Freeze; readonly onClose: () => void }) {
  return (
    <ReasonDialog
      title="Lift freeze"
      confirm="Lift freeze"
      onClose={onClose}
      changeOf={(reason) => ({ kind: 'lift', freeze, reason })}
    >
      <p>
        Money of <span className="mono">{freeze.business_id}</span> moves again in {freeze.mode} mode.{' '}
        {freeze.mode === 'live' ? SECOND : 'In test mode it takes effect at once.'}
      </p>
    </ReasonDialog>
  );
}

export function ResumeAssetDialog({ halt, onClose }: { readonly halt: Halt; readonly onClose: () => void }) {
  const change = useStopChange(onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Propose to resume ${halt.asset}`}
      confirm="Propose to resume"
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ kind: 'resume_asset', halt })}
    >
      <p>
        Sends of {halt.asset} in {halt.mode} mode were halted: {halt.reason}.
      </p>
      <p>Find the cause first. What left the treasury without an order is booked as lost. {SECOND}</p>
    </ConfirmDialog>
  );
}
