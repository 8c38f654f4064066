// Creates a buy or a sell in test mode with example values, so that the person can send the form without typing. A scenario
// then simulates the steps of the transaction.
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { idempotencyKey, post } from '../../../api/calls.ts';
import type { MakeTestTransactionBody } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useAction } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../components/dialogs.tsx';
import { useGo } from '../../../components/link.tsx';
import type { BusinessLocation } from '../../../layout/location.ts';
import { listPath, useNetworks } from './data.ts';

/** An empty network means any network. An empty scenario means that no scenario runs. */
type TransactionFields = {
  readonly [Name in keyof MakeTestTransactionBody]-?: NonNullable<MakeTestTransactionBody[Name]>;
};

function bodyOf({ kind, amount, network, scenario }: TransactionFields): MakeTestTransactionBody {
  return {
    ...{ kind, amount: amount.replaceAll(',', '').trim() },
    ...(network !== '' && { network }),
    ...(scenario !== '' && { scenario }),
  };
}

interface CreateDialogProps {
  readonly location: BusinessLocation;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function CreateDialog({ location, opened, onClose }: CreateDialogProps) {
  const { base, params } = location;
  const go = useGo();
  const form = useForm<TransactionFields>({
    initialValues: { kind: 'buy', amount: '15000.00', network: '', scenario: '' },
    onValuesChange: () => {
      setKey(idempotencyKey());
      make.reset();
    },
  });
  const wanted = form.values;
  // The idempotency key stays the same until the person changes the form, so a second click does not create a second
  // transaction.
  const [key, setKey] = useState(idempotencyKey);
  const make = useAction(
    () => post('/businesses/{business_id}/transactions/test', { params, body: bodyOf(wanted), headers: key }),
    {
      quiet: true,
      refreshes: [listPath(location)],
      onDone: ({ transaction }) => {
        setKey(idempotencyKey());
        onClose();
        go(`${base}/transactions/${transaction.transaction_id}`);
      },
    },
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Create test transaction"
      confirm={wanted.kind === 'buy' ? 'Create test buy' : 'Create test sell'}
      busy={make.isPending}
      error={make.error}
      onConfirm={() => make.mutate()}
    >
      <Fields location={location} form={form} error={make.error} />
    </ConfirmDialog>
  );
}

interface FieldsProps {
  readonly location: BusinessLocation;
  readonly form: UseFormReturnType<TransactionFields>;
  readonly error: unknown;
}

function Fields({ location, form, error }: FieldsProps) {
  const networks = useNetworks(location);
  const { kind } = form.values;
  const known = SCENARIOS.filter((each) => each.kinds.includes(kind));
  return (
    <>
      <SegmentedControl
        aria-label="Buy or sell"
        value={kind}
        onChange={(value) => form.setValues({ kind: value as TransactionFields['kind'], scenario: '' })}
        data={[
          { value: 'buy', label: 'Buy: naira to tokens' },
          { value: 'sell', label: 'Sell: tokens to naira' },
        ]}
      />
      <TextInput
        {...form.getInputProps('amount')}
        label="Amount in naira"
        error={mistakeOf(error, 'amount')}
      />
      <NativeSelect
        {...form.getInputProps('network')}
        label="Network"
        data={[{ value: '', label: 'Any network' }, ...networks]}
      />
      <NativeSelect
        {...form.getInputProps('scenario')}
        label="Scenario"
        data={[
          { value: '', label: 'None: play each step yourself' },
          ...known.map(({ name, label }) => ({ value: name, label })),
        ]}
      />
    </>
  );
}

interface Scenario {
  readonly name: string;
  readonly label: string;
  readonly kinds: readonly ('buy' | 'sell')[];
}

const BOTH = ['buy', 'sell'] as const;

const SCENARIOS: readonly Scenario[] = [
  { name: 'paid', label: 'Success', kinds: BOTH },
  { name: 'underpaid', label: 'Underpayment', kinds: BOTH },
  { name: 'overpaid', label: 'Overpayment', kinds: BOTH },
  { name: 'late', label: 'Late payment', kinds: ['buy'] },
  { name: 'deposit_late', label: 'Late deposit', kinds: ['sell'] },
  { name: 'duplicate', label: 'Duplicate report', kinds: BOTH },
  { name: 'name_mismatch', label: 'Payer name mismatch', kinds: ['buy'] },
  { name: 'reversed', label: 'Payment reversed', kinds: ['buy'] },
  { name: 'send_fails', label: 'Send rejected by the network', kinds: ['buy'] },
  { name: 'send_unknown', label: 'Send outcome unknown', kinds: ['buy'] },
  { name: 'send_dropped', label: 'Send dropped by the network', kinds: ['buy'] },
  { name: 'send_reorganised', label: 'Chain reorganisation', kinds: ['buy'] },
  { name: 'no_trustline', label: 'Trustline missing', kinds: ['buy'] },
  { name: 'deposit_split', label: 'Deposit in two parts', kinds: ['sell'] },
  { name: 'payout_fails', label: 'Payout refused', kinds: ['sell'] },
  { name: 'payout_unknown', label: 'Payout outcome unknown', kinds: ['sell'] },
  { name: 'payout_name_mismatch', label: 'Account name mismatch', kinds: ['sell'] },
  { name: 'payout_returned', label: 'Payout returned', kinds: ['sell'] },
];
