// The fields that an action needs: a buy, the parts of a split, an account or an address.
import { Button, TextInput } from '@mantine/core';
import type { PossibleAction, Subject } from '../../../api/console-types.ts';

import { digits, naira } from '../../../parts/format.ts';
import { BankSelect, OwnAccountSelect } from '../decisions/account-fields.tsx';
import { fieldOf } from '../decisions/types.ts';
import styles from './action-dialog.module.css';
import type { Given } from './data.ts';
import { restOf } from './data.ts';

interface ActionFieldsProps {
  readonly action: PossibleAction;
  readonly subject: Subject;
  readonly given: Given;
  readonly onChange: (changes: Partial<Given>) => void;
}

export function ActionFields({ action: { needs, may_name }, subject, given, onChange }: ActionFieldsProps) {
  if (needs === 'transaction')
    return (
      <TextInput
        label="Transaction"
        description="The buy that this payment is for."
        placeholder="txn_…"
        value={given.transactionId}
        onChange={(event) => onChange({ transactionId: event.currentTarget.value })}
        required
        data-autofocus
      />
    );
  if (needs === 'parts') return <Parts subject={subject} given={given} onChange={onChange} />;
  if (needs === 'address')
    return (
      <TextInput
        label="Address that gets the tokens"
        description={`On ${String(fieldOf(subject, 'network'))}. Never the sender by guess: exchanges share addresses.`}
        value={given.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
        required
        data-autofocus
      />
    );
  if (needs === 'own_account') return <OwnAccount given={given} onChange={onChange} />;
  if (needs === 'account' || may_name === 'account')
    return <Account required={needs === 'account'} given={given} onChange={onChange} />;
  return null;
}

type FieldsProps = Pick<ActionFieldsProps, 'given' | 'onChange'>;

function Account({ required, given, onChange }: FieldsProps & { readonly required: boolean }) {
  return (
    <>
      {!required && (
        <p className="quiet">
          Left empty, it goes to the account that the bank named; where the bank named none, it waits for one.
        </p>
      )}
      <BankSelect value={given.bank} onChange={(bank) => onChange({ bank })} required={required} />
      <TextInput
        label="Account number"
        value={given.account}
        onChange={(event) => onChange({ account: event.currentTarget.value.trim() })}
        inputMode="numeric"
        maxLength={10}
        required={required}
      />
      <TextInput
        label="Account name"
        value={given.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        maxLength={140}
        required={required}
      />
    </>
  );
}

function OwnAccount({ given, onChange }: FieldsProps) {
  return (
    <OwnAccountSelect
      label="Bank account of ours"
      description="The account that the money came into."
      value={given.ownAccount}
      onChange={(ownAccount) => onChange({ ownAccount })}
      kind="payout"
    />
  );
}

const MOST = 20;

function Parts({ subject, given, onChange }: FieldsProps & { readonly subject: Subject }) {
  const { parts } = given;
  const rest = restOf(subject.amount ?? '0', parts);
  const set = (at: number, text: string) =>
    onChange({ parts: parts.map((part, index) => (index === at ? text : part)) });
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
            onChange={(event) => set(index, event.currentTarget.value.replaceAll(',', ''))}
            required
          />
          {parts.length > 2 && (
            <Button
              variant="default"
              onClick={() => onChange({ parts: parts.filter((_, at) => at !== index) })}
            >
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
            : `₦${digits(rest)} are left to give.`}
      </p>
      {parts.length < MOST && (
        <Button variant="default" onClick={() => onChange({ parts: [...parts, ''] })}>
          Add part
        </Button>
      )}
    </div>
  );
}
