// The limits of one business. A field left empty is no limit.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { Business, SetLimitsBody } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useAction } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { saidOf } from './data.ts';

interface LimitsDialogProps {
  readonly business: Business;
  readonly mode: 'test' | 'live';
  readonly onClose: () => void;
}

const FIELDS = [
  ['per_transaction', 'Per transaction'],
  ['per_day', 'Per day'],
  ['per_month', 'Per month'],
] as const satisfies readonly (readonly [keyof SetLimitsBody, string])[];

export function LimitsDialog({ business, mode, onClose }: LimitsDialogProps) {
  const { limits, name, business_id } = business;
  const [given, setGiven] = useState({
    per_transaction: limits.per_transaction ?? '',
    per_day: limits.per_day ?? '',
    per_month: limits.per_month ?? '',
  });
  const filled = Object.entries(given).filter(([, value]) => value !== '');
  const save = useAction(
    () => post('/operator/settings/limits', { body: { mode, business_id, ...Object.fromEntries(filled) } }),
    { refreshes: ['/operator'], done: saidOf, onDone: onClose, quiet: true },
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Change limits"
      confirm={mode === 'live' ? 'Propose limits' : 'Set limits'}
      busy={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate()}
    >
      <p>
        A transaction of {name} over a limit in {mode} mode is held for review and never refused. An empty
        field is no limit. {mode === 'live' && 'Another person approves it.'}
      </p>
      {FIELDS.map(([field, label]) => (
        <TextInput
          key={field}
          label={label}
          leftSection="₦"
          inputMode="decimal"
          value={given[field]}
          onChange={(event) => setGiven({ ...given, [field]: event.currentTarget.value.replaceAll(',', '') })}
          error={mistakeOf(save.error, field)}
        />
      ))}
    </ConfirmDialog>
  );
}
