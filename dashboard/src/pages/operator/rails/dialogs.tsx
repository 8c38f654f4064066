// Reads the rails. Its dialogs pause a rail immediately, resume it, trust it again, and set its cap. Each dialog says whether a
// second person must approve.
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { post, put } from '../../../api/calls.ts';
import type { Rail } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { FormDialog, ReasonDialog } from '../../../components/dialogs.tsx';
import { type Mode, useOperatorLocation } from '../../../layout/location.ts';
import { ApprovalHint, doneOrProposed } from '../rules.tsx';

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

/** The reason for a pause is shown while the rail is paused; the reason to resume is shown to the approver. */ function reasonHint(
  kind: ReasonProps['kind'],
  needsTwo: boolean,
): string {
  if (kind === 'pause') return 'Shown with the rail and kept in the audit log.';
  return needsTwo ? 'Shown with the proposal and kept in the audit log.' : 'Kept in the audit log.';
}

function RailDialog({ kind, rail: { rail }, needsTwo, ...dialog }: ReasonProps) {
  const { mode } = useOperatorLocation();
  return (
    <ReasonDialog
      {...CHANGE}
      {...dialog}
      danger={kind === 'pause'}
      description={reasonHint(kind, needsTwo)}
      run={(reason) =>
        post(`/operator/rails/{mode}/{rail}/${kind}`, { params: { mode, rail }, body: { reason } })
      }
      {...(kind === 'trust' && {
        done: doneOrProposed('Done. Its refusals count again within a second.'),
      })}
    />
  );
}

export function PauseRail(props: DialogProps) {
  const { rail, needsTwo } = props;
  return (
    <RailDialog {...props} kind="pause" title={`Pause ${rail.rail}`} confirm="Pause rail">
      <p>
        It gets no new payouts, effective immediately. Payouts in progress continue.{' '}
        {needsTwo ? 'Two people are needed to resume it.' : 'It stays paused until someone resumes it.'}
      </p>
    </RailDialog>
  );
}

export function ResumeRail(props: DialogProps) {
  const { rail, needsTwo } = props;
  const sick = rail.pauses.some((pause) => pause.by_health);
  return (
    <RailDialog
      {...props}
      kind="resume"
      title={`Resume ${rail.rail}`}
      confirm={needsTwo ? 'Propose to resume' : 'Resume rail'}
    >
      <p>
        It gets new payouts again.
        {sick && ' The health check paused it: first check that the bank works.'}
      </p>
      <ApprovalHint needsTwo={needsTwo} />
    </RailDialog>
  );
}

export function TrustRail(props: DialogProps) {
  const { rail, needsTwo } = props;
  return (
    <RailDialog
      {...props}
      kind="trust"
      title={`Trust ${rail.rail} again`}
      confirm={needsTwo ? 'Propose to trust' : 'Trust rail'}
    >
      <p>
        Its refusals count again: once a refusal is confirmed, the payout goes to another rail or the tokens
        are returned. This includes payouts that need review because this rail refused them. First ask the
        bank why it paid after refusing.
      </p>
      <ApprovalHint needsTwo={needsTwo} />
    </RailDialog>
  );
}

export function CapDialog({ rail: { rail, cap }, needsTwo, onClose }: DialogProps) {
  const { mode } = useOperatorLocation();
  const form = useForm({ initialValues: { per_day: cap ?? '' } });
  const isEmpty = form.values.per_day.trim() === '';
  const perDay = isEmpty ? null : parseAmount(form.values.per_day);
  const body = perDay === null ? {} : { per_day: perDay };
  const verb = needsTwo ? 'Propose cap' : isEmpty ? 'Remove cap' : 'Set cap';
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title={`Daily cap of ${rail}`}
      confirm={verb}
      form={form}
      disabled={isEmpty ? cap === null : perDay === null}
      run={() => put('/operator/rails/{mode}/{rail}/cap', { params: { mode, rail }, body })}
    >
      <TextInput
        {...form.getInputProps('per_day')}
        label="Maximum per day (naira)"
        description="Total of new payouts per day (Lagos time). Leave empty for no cap."
        leftSection="₦"
        inputMode="decimal"
        placeholder="50000000.00"
        {...(!isEmpty && perDay === null && { error: 'Enter an amount such as 50000000.00' })}
        data-autofocus
      />
      <ApprovalHint needsTwo={needsTwo} />
    </FormDialog>
  );
}

const REFRESH_MS = 15_000;

export function useRails(mode: Mode) {
  return useRead('/operator/rails/{mode}', { params: { mode }, refetchMs: REFRESH_MS });
}

export type RailAction = { readonly what: 'pause' | 'resume' | 'trust' | 'cap'; readonly rail: Rail } | null;

export const CHANGE = {
  refreshes: ['/operator/rails', '/operator/proposals', '/operator/attention'],
  done: doneOrProposed('Done. Applies to new payouts within a second.'),
};

/**
 * Parses an amount that a person typed. Null means that the text is not an amount. An empty field means that no limit applies.
 */
export function parseAmount(text: string): string | null {
  const bare = text.replaceAll(',', '').trim();
  return /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/.test(bare) ? bare : null;
}
