// The fee of one business for one product: a flat part, a part of the amount, and a cap.
import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { Business, Fee } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useAction } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { saidOf } from './data.ts';

interface FeeDialogProps {
  readonly business: Business;
  readonly mode: 'test' | 'live';
  /** The fee as it is. */
  readonly now: Fee;
  readonly onClose: () => void;
}

const MAX_BPS = 5_000;

export function FeeDialog({ business: { business_id, name }, mode, now, onClose }: FeeDialogProps) {
  const [flat, setFlat] = useState(now.flat);
  const [bps, setBps] = useState(now.fee_bps);
  const [cap, setCap] = useState(now.cap ?? '');
  const { product } = now;
  const save = useAction(
    () => {
      const body = { mode, business_id, product, flat, fee_bps: bps, ...(cap !== '' && { cap }) };
      return post('/operator/settings/fees', { body });
    },
    { refreshes: ['/operator'], done: saidOf, onDone: onClose, quiet: true },
  );
  const plain = (text: string) => text.replaceAll(',', '');
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Change fee of ${product}s`}
      confirm={mode === 'live' ? 'Propose fee' : 'Set fee'}
      busy={save.isPending}
      error={save.error}
      disabled={flat === ''}
      onConfirm={() => save.mutate()}
    >
      <p>
        It holds for {product}s of {name} that are accepted in {mode} mode from then on.{' '}
        {mode === 'live' && 'Another person approves it.'}
      </p>
      <TextInput
        label="Flat part"
        leftSection="₦"
        inputMode="decimal"
        value={flat}
        onChange={(event) => setFlat(plain(event.currentTarget.value))}
        error={mistakeOf(save.error, 'flat')}
        required
      />
      <NumberInput
        label="Basis points"
        description="Hundredths of a per cent of the amount."
        min={0}
        max={MAX_BPS}
        allowDecimal={false}
        value={bps}
        onChange={(value) => setBps(Number(value))}
        error={mistakeOf(save.error, 'fee_bps')}
      />
      <TextInput
        label="At most"
        description="Left empty: no cap."
        leftSection="₦"
        inputMode="decimal"
        value={cap}
        onChange={(event) => setCap(plain(event.currentTarget.value))}
        error={mistakeOf(save.error, 'cap')}
      />
    </ConfirmDialog>
  );
}
