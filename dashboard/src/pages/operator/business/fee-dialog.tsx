// The fee of one business for one product: a flat part, a part of the amount, and a cap.
import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { mistakeOf } from '../../../api/failure.ts';
import { useAction } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import type { Business, Fee } from '../businesses/data.ts';
import { changeSetting, saidOf } from './data.ts';

interface FeeDialogProps {
  readonly business: Business;
  readonly mode: 'test' | 'live';
  readonly fee: Fee;
  readonly onClose: () => void;
}

const MAX_BPS = 5_000;

export function FeeDialog({ business: { business_id, name }, mode, fee, onClose }: FeeDialogProps) {
  const [flat, setFlat] = useState(fee.flat);
  const [bps, setBps] = useState(fee.fee_bps);
  const [cap, setCap] = useState(fee.cap ?? '');
  const { product } = fee;
  const save = useAction(
    () =>
      changeSetting('/fees', { mode, business_id, product, flat, fee_bps: bps, ...(cap !== '' && { cap }) }),
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
