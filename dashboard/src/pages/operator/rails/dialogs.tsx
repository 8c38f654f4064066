// Dialogs that pause a rail at once, resume it, trust it again, and set its cap. Each says whether a second person must approve it.
import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Rail } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useOperatorPlace } from '../../../frame/place.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { amountOf, useRailChange } from './data.ts';

export function Approval({ needsTwo }: { readonly needsTwo: boolean }) {
  return (
    <p>
      {needsTwo
        ? 'A second person must approve it with their second factor. Nothing changes before that.'
        : 'It takes effect at once.'}
    </p>
  );
}

interface DialogProps {
  readonly rail: Rail;
  readonly needsTwo: boolean;
  readonly onClose: () => void;
}

interface ReasonProps extends DialogProps {
  readonly kind: 'pause' | 'resume' | 'trust';
  readonly title: string;
  readonly confirm: string;
  readonly children: ReactNode;
}

/** A pause is there to be read until it is lifted; what lifts it is read by who approves it. */
function keptWhere(kind: ReasonProps['kind'], needsTwo: boolean): string {
  if (kind === 'pause') return 'It is shown with the rail, and the audit log keeps it.';
  return needsTwo ? 'It is shown with the proposal, and the audit log keeps it.' : 'The audit log keeps it.';
}

function ReasonDialog({ kind, rail: { rail }, needsTwo, title, confirm, onClose, children }: ReasonProps) {
  const { mode } = useOperatorPlace();
  const [reason, setReason] = useState('');
  const change = useRailChange(mode, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={title}
      confirm={confirm}
      danger={kind === 'pause'}
      busy={change.isPending}
      error={change.error}
      disabled={reason.trim() === ''}
      onConfirm={() => change.mutate({ what: kind, rail, reason: reason.trim() })}
    >
      {children}
      <Textarea
        label="Why"
        description={keptWhere(kind, needsTwo)}
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

export function PauseRail(props: DialogProps) {
  const { rail, needsTwo } = props;
  return (
    <ReasonDialog {...props} kind="pause" title={`Pause ${rail.rail}`} confirm="Pause rail">
      <p>
        At once, it gets no new payouts. What is under way on it goes on there.{' '}
        {needsTwo ? 'Two people are needed to resume it.' : 'It stays paused until people resume it.'}
      </p>
    </ReasonDialog>
  );
}

export function ResumeRail(props: DialogProps) {
  const { rail, needsTwo } = props;
  const sick = rail.pauses.some((pause) => pause.by_health);
  return (
    <ReasonDialog
      {...props}
      kind="resume"
      title={`Resume ${rail.rail}`}
      confirm={needsTwo ? 'Propose to resume' : 'Resume rail'}
    >
      <p>
        It gets new payouts again.
        {sick && ' The health check paused it: make sure that the bank works.'}
      </p>
      <Approval needsTwo={needsTwo} />
    </ReasonDialog>
  );
}

export function TrustRail(props: DialogProps) {
  const { rail, needsTwo } = props;
  return (
    <ReasonDialog
      {...props}
      kind="trust"
      title={`Trust ${rail.rail} again`}
      confirm={needsTwo ? 'Propose to trust' : 'Trust rail'}
    >
      <p>
        Its refusals count again: once we are sure of one, the payout is made another way, or the tokens go
        back. So it is with payouts that wait for people now because it refused them. Ask the bank first why
        it paid what it had refused.
      </p>
      <Approval needsTwo={needsTwo} />
    </ReasonDialog>
  );
}

export function CapDialog({ rail: { rail, cap }, needsTwo, onClose }: DialogProps) {
  const { mode } = useOperatorPlace();
  const [text, setText] = useState(cap ?? '');
  const change = useRailChange(mode, onClose);
  const isEmpty = text.trim() === '';
  const perDay = isEmpty ? null : amountOf(text);
  const verb = needsTwo ? 'Propose cap' : isEmpty ? 'Take cap away' : 'Set cap';
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Cap of ${rail}`}
      confirm={verb}
      busy={change.isPending}
      error={change.error}
      disabled={isEmpty ? cap === null : perDay === null}
      onConfirm={() => change.mutate({ what: 'cap', rail, perDay })}
    >
      <TextInput
        label="Most per day, in naira"
        description="What new payouts on it add up to, from midnight in Lagos. Left empty: no cap."
        leftSection="₦"
        inputMode="decimal"
        placeholder="50000000.00"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={
          !isEmpty && perDay === null ? 'An amount such as 50000000.00' : mistakeOf(change.error, 'per_day')
        }
        data-autofocus
      />
      <Approval needsTwo={needsTwo} />
    </ConfirmDialog>
  );
}
