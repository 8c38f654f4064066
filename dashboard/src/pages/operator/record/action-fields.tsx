// The fields that an action needs. Depending on the action, they are a buy, the parts of a split, an account or an address.
import { Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { PossibleAction, Subject } from '../../../api/console-types.ts';
import { digits, naira } from '../../../components/format.ts';
import { BankSelect, OwnAccountSelect } from '../decisions/account-fields.tsx';
import { fieldOf } from '../decisions/labels.ts';
import { type ActionValues, remainderOf } from './data.ts';
import styles from './record.module.css';

interface ActionFieldsProps {
  readonly action: PossibleAction;
  readonly subject: Subject;
  readonly form: UseFormReturnType<ActionValues>;
}

export function ActionFields({ action: { needs, may_name }, subject, form }: ActionFieldsProps) {
  if (needs === 'transaction')
    return (
      <TextInput
        {...form.getInputProps('transactionId')}
        label="Transaction"
        description="The buy that this payment is for."
        placeholder="txn_…"
        required
        data-autofocus
      />
    );
  if (needs === 'parts') return <Parts subject={subject} form={form} />;
  if (needs === 'address')
    return (
      <TextInput
        {...form.getInputProps('address')}
        label="Destination address"
        description={`On ${String(fieldOf(subject, 'network'))}. Do not assume the sender’s address: exchanges share addresses.`}
        required
        data-autofocus
      />
    );
  if (needs === 'own_account') return <OwnAccount form={form} />;
  if (needs === 'account' || may_name === 'account')
    return <Account required={needs === 'account'} form={form} />;
  return null;
}

type FieldsProps = Pick<ActionFieldsProps, 'form'>;

function Account({ required, form }: FieldsProps & { readonly required: boolean }) {
  return (
    <>
      {!required && (
        <p className="quiet">
          Leave empty to use the account that the bank reported. If there is none, the refund waits for one.
        </p>
      )}
      <BankSelect
        value={form.values.bank}
        onChange={(bank) => form.setValues({ bank })}
        required={required}
      />
      <TextInput
        {...form.getInputProps('account')}
        label="Account number"
        onChange={(event) => form.setValues({ account: event.currentTarget.value.trim() })}
        inputMode="numeric"
        maxLength={10}
        required={required}
      />
      <TextInput {...form.getInputProps('name')} label="Account name" maxLength={140} required={required} />
    </>
  );
}

function OwnAccount({ form }: FieldsProps) {
  return (
    <OwnAccountSelect
      label="Our bank account"
      description="The account that received the money."
      value={form.values.ownAccount}
      onChange={(ownAccount) => form.setValues({ ownAccount })}
      kind="payout"
    />
  );
}

const MOST = 20;

function Parts({ subject, form }: FieldsProps & { readonly subject: Subject }) {
  const { parts } = form.values;
  const rest = remainderOf(subject.amount ?? '0', parts);
  const set = (given: readonly string[]) => form.setValues({ parts: given });
  return (
    <div className={styles.parts}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place
        <div key={index} className={styles.part}>
          <TextInput
            label={`Part ${index + 1}`}
            leftSection="₦"
            inputMode="decimal"
            value={part}
            onChange={(event) => set(parts.with(index, event.currentTarget.value.replaceAll(',', '')))}
            required
          />
          {parts.length > 2 && (
            <Button variant="default" onClick={() => set(parts.toSpliced(index, 1))}>
              Remove part
            </Button>
          )}
        </div>
      ))}
      <p className="quiet" aria-live="polite">
        {rest === null
          ? `The parts must add up to ${naira(subject.amount ?? '0')}.`
          : rest === '0.00'
            ? 'The parts add up.'
            : `₦${digits(rest)} left to allocate.`}
      </p>
      {parts.length < MOST && (
        <Button variant="default" onClick={() => set([...parts, ''])}>
          Add part
        </Button>
      )}
    </div>
  );
}
