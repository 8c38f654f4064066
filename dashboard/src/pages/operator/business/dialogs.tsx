// The dialogs with which operators change the limits, the fees and the freeze of a business. In live mode another person must
// approve each change. Only a freeze takes effect with one person.
import { Button, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { Business, Fee, SetFeeAnswer, SetLimitsBody } from '../../../api/console-types.ts';
import { useSignedIn } from '../../../api/session.ts';
import { FormDialog, ReasonDialog } from '../../../components/dialogs.tsx';

const CHANGE = {
  refreshes: ['/operator'],
  done: ({ done }: SetFeeAnswer) => (done ? 'Saved.' : 'Proposed. Another person must approve it.'),
};

const plain = (text: string) => text.replaceAll(',', '');

interface OfBusiness {
  readonly business: Business;
  readonly mode: 'test' | 'live';
}

interface LimitsDialogProps extends OfBusiness {
  readonly onClose: () => void;
}

const FIELDS = [
  ['per_transaction', 'Per transaction'],
  ['per_day', 'Per day'],
  ['per_month', 'Per month'],
] as const satisfies readonly (readonly [keyof SetLimitsBody, string])[];

/** An empty field means that the business has no such limit. */
export function LimitsDialog({ business: { limits, name, business_id }, mode, onClose }: LimitsDialogProps) {
  const form = useForm({
    initialValues: {
      per_transaction: limits.per_transaction ?? '',
      per_day: limits.per_day ?? '',
      per_month: limits.per_month ?? '',
    },
  });
  const filled = Object.entries(form.values).filter(([, value]) => value !== '');
  const body = { mode, business_id, ...Object.fromEntries(filled) };
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title="Change limits"
      confirm={mode === 'live' ? 'Propose limits' : 'Set limits'}
      form={form}
      run={() => post('/operator/settings/limits', { body })}
    >
      <p>
        Transactions of {name} above a limit in {mode} mode are held for review, not refused. Leave a field
        empty for no limit. {mode === 'live' && 'Another person must approve the change.'}
      </p>
      {FIELDS.map(([field, label]) => (
        <TextInput
          {...form.getInputProps(field)}
          key={field}
          label={label}
          leftSection="₦"
          inputMode="decimal"
          onChange={(event) => form.setFieldValue(field, plain(event.currentTarget.value))}
        />
      ))}
    </FormDialog>
  );
}

interface FeeDialogProps extends LimitsDialogProps {
  readonly now: Fee;
}

const MAX_BPS = 5_000;

export function FeeDialog({ business: { business_id, name }, mode, now, onClose }: FeeDialogProps) {
  const { product, flat, fee_bps, cap } = now;
  const form = useForm({ initialValues: { flat, fee_bps, cap: cap ?? '' } });
  const amount = (field: 'flat' | 'cap') => ({
    ...form.getInputProps(field),
    leftSection: '₦',
    inputMode: 'decimal' as const,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      form.setFieldValue(field, plain(event.currentTarget.value)),
  });
  const given = { ...form.values, cap: form.values.cap === '' ? undefined : form.values.cap };
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title={`Change ${product} fee`}
      confirm={mode === 'live' ? 'Propose fee' : 'Set fee'}
      form={form}
      disabled={given.flat === ''}
      run={() => post('/operator/settings/fees', { body: { mode, business_id, product, ...given } })}
    >
      <p>
        Applies to {product}s of {name} accepted in {mode} mode from then on.{' '}
        {mode === 'live' && 'Another person must approve the change.'}
      </p>
      <TextInput {...amount('flat')} label="Flat fee" required />
      <NumberInput
        {...form.getInputProps('fee_bps')}
        label="Percentage fee (bps)"
        description="100 basis points are 1 % of the amount."
        min={0}
        max={MAX_BPS}
        allowDecimal={false}
        onChange={(value) => form.setFieldValue('fee_bps', Number(value))}
      />
      <TextInput {...amount('cap')} label="Maximum fee" description="Leave empty for no maximum." />
    </FormDialog>
  );
}

/** In live mode, two people must lift a freeze. */
export function FreezeAction({ business: { business_id, name, frozen }, mode }: OfBusiness) {
  const { person } = useSignedIn();
  const [opened, setOpened] = useState(false);
  const isFrozen = frozen !== null;
  const role = person.operator_role;
  const may = role === 'admin' || role === 'reviewer' || (role === 'approver' && !isFrozen);
  if (!may) return null;
  const title = isFrozen ? 'Lift freeze' : 'Freeze business';
  const path = isFrozen ? '/operator/settings/freezes/lift' : '/operator/settings/freezes';
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {title}
      </Button>
      <ReasonDialog
        {...CHANGE}
        opened={opened}
        onClose={() => setOpened(false)}
        title={title}
        confirm={isFrozen && mode === 'live' ? 'Propose to lift freeze' : title}
        danger={!isFrozen}
        run={(reason) => post(path, { body: { business_id, mode, reason } })}
      >
        <p>
          {isFrozen
            ? `${name} can move money in ${mode} mode again. Held transactions stay on hold until each is released.`
            : `Transactions of ${name} in ${mode} mode are held for review from now on. Payments in progress continue.`}
        </p>
      </ReasonDialog>
    </>
  );
}
