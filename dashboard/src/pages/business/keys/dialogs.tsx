// What people do with a key. Each dialog says what will happen to requests that are sent with it.
import { NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { IssueKeyAnswer, Key } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useBusinessPlace } from '../../../frame/place.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { beyondFields } from '../form-error.ts';
import { type Scope, useIssue, useRename, useRevoke, useRoll } from './data.ts';
import { KeyHint } from './table.tsx';

const NAME_MAX = 60;

interface NameProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly error: unknown;
}

function NameInput({ value, onChange, error }: NameProps) {
  return (
    <TextInput
      label="Name"
      description="Where it is used, for example “Shop server”. Only your team sees it."
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={mistakeOf(error, 'name')}
      maxLength={NAME_MAX}
      data-autofocus
    />
  );
}

interface CreateProps {
  readonly onClose: () => void;
  readonly onIssued: (issued: IssueKeyAnswer) => void;
}

export function CreateKey({ onClose, onIssued }: CreateProps) {
  const { mode } = useBusinessPlace();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('full');
  const issue = useIssue(onIssued);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Create ${mode} key`}
      confirm="Create key"
      busy={issue.isPending}
      error={beyondFields(issue.error, 'name')}
      onConfirm={() => issue.mutate({ name, scope })}
    >
      <NameInput value={name} onChange={setName} error={issue.error} />
      <Radio.Group label="Scope" value={scope} onChange={(value) => setScope(value as Scope)}>
        <Stack gap={8} mt={8}>
          <Radio
            value="full"
            label="Full"
            description="Creates and changes transactions and webhooks, and reads."
          />
          <Radio
            value="read"
            label="Read only"
            description="Sends GET requests only. For reports and dashboards: it can move no money."
          />
        </Stack>
      </Radio.Group>
      {mode === 'live' && (
        <p>Requests with this key move real money. Its secret is shown once, in the next step.</p>
      )}
    </ConfirmDialog>
  );
}

interface OfKey {
  readonly keyOf: Key;
  readonly onClose: () => void;
}

export function RenameKey({ keyOf: key, onClose }: OfKey) {
  const [name, setName] = useState(key.name);
  const rename = useRename(onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Rename key"
      confirm="Rename key"
      busy={rename.isPending}
      error={beyondFields(rename.error, 'name')}
      onConfirm={() => rename.mutate({ key, name })}
    >
      <p>
        <KeyHint keyOf={key} /> goes on working as before.
      </p>
      <NameInput value={name} onChange={setName} error={rename.error} />
    </ConfirmDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'No overlap: it ends at once' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
];

export function RollKey({ keyOf: key, onClose, onIssued }: OfKey & Pick<CreateProps, 'onIssued'>) {
  const [hours, setHours] = useState('24');
  const roll = useRoll(onIssued);
  const until = OVERLAPS.find(({ value }) => value === hours)!.label;
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Roll key"
      confirm="Roll key"
      busy={roll.isPending}
      error={roll.error}
      onConfirm={() => roll.mutate({ key, overlapHours: Number(hours) })}
    >
      <p>
        A new key with the same name and scope is made and shown once.{' '}
        {hours === '0' ? (
          <>
            <KeyHint keyOf={key} /> stops working at once: programs that still use it get 401.
          </>
        ) : (
          <>
            <KeyHint keyOf={key} /> goes on working for {until}: change your programs in that time.
          </>
        )}
      </p>
      <NativeSelect
        label="The old key goes on working for"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={OVERLAPS}
      />
    </ConfirmDialog>
  );
}

export function RevokeKey({ keyOf: key, onClose }: OfKey) {
  const revoke = useRevoke(onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Revoke key"
      confirm="Revoke key"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(key)}
    >
      <p>
        <KeyHint keyOf={key} /> {key.name !== '' && `(${key.name}) `}stops working at once, everywhere.
        Requests and event streams with it end. This cannot be undone.
      </p>
      <p>Transactions that were accepted with it go on. To change keys without a gap, roll it instead.</p>
    </ConfirmDialog>
  );
}
