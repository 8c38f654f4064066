// Makes a buy or a sell in test mode with example values: nothing has to be typed. A scenario then plays it by itself.
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

/** Empty: any network, and no scenario. */
type Wanted = {
  readonly [Name in keyof MakeTestTransactionBody]-?: NonNullable<MakeTestTransactionBody[Name]>;
};

function bodyOf({ kind, amount, network, scenario }: Wanted): MakeTestTransactionBody {
  return {
    ...{ kind, amount: amount.replaceAll(',', '').trim() },
    ...(network !== '' && { network }),
    ...(scenario !== '' && { scenario }),
  };
}

interface MakeDialogProps {
  readonly location: BusinessLocation;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function MakeDialog({ location, opened, onClose }: MakeDialogProps) {
  const { base, params } = location;
  const go = useGo();
  const form = useForm<Wanted>({
    initialValues: { kind: 'buy', amount: '15000.00', network: '', scenario: '' },
    onValuesChange: () => {
      setKey(idempotencyKey());
      make.reset();
    },
  });
  const wanted = form.values;
  // The key stays until something else is asked for: a second click on the same button makes no second transaction.
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
      title="Make a test transaction"
      confirm={wanted.kind === 'buy' ? 'Make a test buy' : 'Make a test sell'}
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
  readonly form: UseFormReturnType<Wanted>;
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
        onChange={(value) => form.setValues({ kind: value as Wanted['kind'], scenario: '' })}
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
        label="What happens"
        data={[
          { value: '', label: 'Nothing yet: you play each step' },
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
  { name: 'paid', label: 'Everything goes well', kinds: BOTH },
  { name: 'underpaid', label: 'Too little arrives', kinds: BOTH },
  { name: 'overpaid', label: 'Too much arrives', kinds: BOTH },
  { name: 'late', label: 'It arrives after the expiry', kinds: ['buy'] },
  { name: 'deposit_late', label: 'The tokens arrive after the expiry', kinds: ['sell'] },
  { name: 'duplicate', label: 'The same payment is reported twice', kinds: BOTH },
  { name: 'name_mismatch', label: 'Another person pays', kinds: ['buy'] },
  { name: 'reversed', label: 'The bank takes the payment back', kinds: ['buy'] },
  { name: 'send_fails', label: 'The network refuses the tokens', kinds: ['buy'] },
  { name: 'send_unknown', label: 'The network does not say what happened', kinds: ['buy'] },
  { name: 'send_dropped', label: 'The network forgets the transfer', kinds: ['buy'] },
  { name: 'send_reorganised', label: 'The network reorganises', kinds: ['buy'] },
  { name: 'no_trustline', label: 'The wallet cannot take the token yet', kinds: ['buy'] },
  { name: 'deposit_split', label: 'The tokens arrive in two parts', kinds: ['sell'] },
  { name: 'payout_fails', label: 'The bank refuses the payout', kinds: ['sell'] },
  { name: 'payout_unknown', label: 'The bank does not say what happened', kinds: ['sell'] },
  { name: 'payout_name_mismatch', label: 'The account has another name', kinds: ['sell'] },
  { name: 'payout_returned', label: 'The bank returns the payout', kinds: ['sell'] },
];
