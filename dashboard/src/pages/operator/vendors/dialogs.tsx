// Dialogs that add, rename, enable and disable a vendor account. Each says whether a second person must approve it.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Vendor } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useOperatorPlace } from '../../../frame/place.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { naira } from '../../../parts/format.ts';
import { useVendorChange } from './data.ts';

export function Approval({ needsTwo }: { readonly needsTwo: boolean }) {
  return (
    <p>
      {needsTwo
        ? 'A second person must approve it with their second factor. Nothing changes before that.'
        : 'It takes effect at once.'}
    </p>
  );
}

interface AddProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly needsTwo: boolean;
}

export function AddVendor({ opened, onClose, needsTwo }: AddProps) {
  const { mode } = useOperatorPlace();
  const [fields, setFields] = useState({ name: '', number: '', bank: '' });
  const close = () => {
    setFields({ name: '', number: '', bank: '' });
    onClose();
  };
  const add = useVendorChange(close);
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
    error: mistakeOf(add.error, name),
    required: true,
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title="Add vendor account"
      confirm={needsTwo ? 'Propose vendor account' : 'Add vendor account'}
      busy={add.isPending}
      error={add.error}
      onConfirm={() => add.mutate({ kind: 'add', vendor: { mode, ...fields } })}
    >
      <TextInput label="Name of the account" {...field('name')} maxLength={140} data-autofocus />
      <TextInput label="Account number" {...field('number')} inputMode="numeric" maxLength={10} />
      <TextInput label="Bank" {...field('bank')} maxLength={140} placeholder="Providus Bank" />
      <p>Businesses show this account to buyers, who pay into it. Check it twice.</p>
      <Approval needsTwo={needsTwo} />
    </ConfirmDialog>
  );
}

interface ChangeProps {
  readonly vendor: Vendor;
  readonly onClose: () => void;
  readonly needsTwo: boolean;
}

export function RenameVendor({ vendor, onClose, needsTwo }: ChangeProps) {
  const [name, setName] = useState(vendor.name);
  const rename = useVendorChange(onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Rename vendor account"
      confirm={needsTwo ? 'Propose name' : 'Rename vendor account'}
      busy={rename.isPending}
      error={rename.error}
      disabled={name.trim() === '' || name === vendor.name}
      onConfirm={() => rename.mutate({ kind: 'rename', vendorId: vendor.vendor_id, name })}
    >
      <TextInput
        label={`New name of ${vendor.number}, ${vendor.bank}`}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={140}
        required
        data-autofocus
      />
      <p>Transactions that were accepted before keep the old name.</p>
      <Approval needsTwo={needsTwo} />
    </ConfirmDialog>
  );
}

/** Disabling takes one person: it stops something. */
export function SwitchVendor({ vendor, onClose, needsTwo }: ChangeProps) {
  const change = useVendorChange(onClose);
  const { enabled, name, number, bank, awaited } = vendor;
  const verb = enabled ? 'Disable' : 'Enable';
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`${verb} vendor account`}
      confirm={!enabled && needsTwo ? 'Propose to enable' : `${verb} vendor account`}
      danger={enabled}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ kind: 'enable', vendorId: vendor.vendor_id, enabled: !enabled })}
    >
      <p>
        {name}, {number}, {bank}
      </p>
      <p>
        {enabled
          ? 'New buys can no longer name this account. Payments of buys that were accepted before are still matched.'
          : 'Businesses see this account and new buys can name it.'}
      </p>
      {enabled && awaited.buys > 0 && (
        <p>
          {awaited.buys} buys still wait for payments of {naira(awaited.amount)} into it.
        </p>
      )}
      <Approval needsTwo={!enabled && needsTwo} />
    </ConfirmDialog>
  );
}
