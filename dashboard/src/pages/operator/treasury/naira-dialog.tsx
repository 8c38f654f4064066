// The dialog that books naira which people moved at a bank. It has the facts from the statement, a preview of the postings, and
// the proposal.
import { NativeSelect, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { post } from '../../../api/calls.ts';
import type { PreviewNairaBody } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { OwnAccountSelect } from '../decisions/account-fields.tsx';
import { PreviewPart, usePreview } from '../decisions/preview.tsx';
import styles from './treasury.module.css';

export function NairaDialog({ onClose }: { readonly onClose: () => void }) {
  const { mode } = useOperatorLocation();
  const form = useForm({ initialValues: NO_FIELDS });
  const body = bodyOf(mode, form.values);
  const preview = usePreview(body, (given) => post('/operator/naira/preview', { body: given }));
  return (
    <FormDialog
      onClose={onClose}
      title="Book naira"
      confirm="Propose booking"
      size="lg"
      form={form}
      disabled={!preview.isCurrent}
      run={() => post('/operator/proposals/naira', { body: body! })}
      refreshes={['/operator/proposals', '/operator/bank-accounts']}
      done="Proposed. Nothing is booked until another person approves it under Proposals."
    >
      <Fields form={form} />
      <PreviewPart title="Postings once approved" of={preview} />
    </FormDialog>
  );
}

function Fields({ form }: { readonly form: UseFormReturnType<NairaFields> }) {
  const fields = form.values;
  const kind = KINDS.find(({ value }) => value === fields.kind)!;
  return (
    <>
      <NativeSelect
        {...form.getInputProps('kind')}
        label="Kind of booking"
        data={KINDS.map(({ value, label }) => ({ value, label }))}
        data-autofocus
      />
      {kind.asksCharge && (
        <NativeSelect {...form.getInputProps('charge')} label="Charge or levy" data={[...CHARGES]} />
      )}
      <OwnAccountSelect
        label={kind.account}
        value={fields.account}
        onChange={(account) => form.setValues({ account })}
        {...(kind.value === 'put_in' && { kind: 'payout' as const })}
      />
      {kind.value === 'moved' && (
        <OwnAccountSelect
          label="To account"
          value={fields.to}
          onChange={(to) => form.setValues({ to })}
          without={fields.account}
        />
      )}
      <TextInput
        {...form.getInputProps('amount')}
        label="Amount"
        leftSection="₦"
        inputMode="decimal"
        placeholder="15000.00"
        required
      />
      <div className={styles.pair}>
        <TextInput {...form.getInputProps('day')} label="Statement date" type="date" required />
        <TextInput
          {...form.getInputProps('reference')}
          label="Statement reference"
          description="The session id or the bank’s reference."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={100}
          required
        />
      </div>
    </>
  );
}

type Charge = NonNullable<PreviewNairaBody['charge']>;

type NairaFields = Omit<Required<PreviewNairaBody>, 'mode' | 'to' | 'charge'> & {
  readonly to: string;
  readonly charge: Charge;
};

const NO_FIELDS: NairaFields = {
  ...{ kind: 'put_in', charge: 'transfer_fee', account: '', to: '', amount: '', day: '', reference: '' },
};

interface Kind {
  readonly value: NairaFields['kind'];
  readonly label: string;
  readonly account: string;
  readonly asksCharge: boolean;
}

const KINDS: readonly Kind[] = [
  { value: 'put_in', label: 'Deposit of our own funds', account: 'To account', asksCharge: false },
  { value: 'taken_out', label: 'Withdrawal of our own funds', account: 'From account', asksCharge: false },
  { value: 'moved', label: 'Transfer between our accounts', account: 'From account', asksCharge: false },
  {
    value: 'charge_seen',
    label: 'Bank charge or levy',
    account: 'Charged account',
    asksCharge: true,
  },
  {
    value: 'charge_returned',
    label: 'Refunded bank charge or levy',
    account: 'Refunded account',
    asksCharge: true,
  },
];

const CHARGES = [
  { value: 'transfer_fee', label: 'Transfer fee' },
  { value: 'vat', label: 'Value added tax' },
  { value: 'stamp_duty', label: 'Stamp duty' },
] as const satisfies readonly { readonly value: Charge; readonly label: string }[];

const AMOUNT = /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/;

/** Null means that a required field is still empty. */
function bodyOf(mode: PreviewNairaBody['mode'], fields: NairaFields): PreviewNairaBody | null {
  const { kind, charge, account, to, day, reference } = fields;
  const amount = fields.amount.replaceAll(',', '').trim();
  if (account === '' || day === '' || reference.trim() === '' || !AMOUNT.test(amount)) return null;
  if (kind === 'moved' && to === '') return null;
  const isCharge = kind === 'charge_seen' || kind === 'charge_returned';
  return {
    ...{ mode, kind, account, amount, day, reference: reference.trim() },
    ...(kind === 'moved' && { to }),
    ...(isCharge && { charge }),
  };
}
