// The dialogs for the actions on a secret key. Each dialog describes the effect on requests with this key.
import { NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { del, pathTo, post, put } from '../../../api/calls.ts';
import type { IssueKeyAnswer, Key } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import { KEYS, KeyHint } from './table.tsx';

const NAME_MAX = 60;

function NameInput(given: object) {
  return (
    <TextInput
      {...given}
      label="Name"
      description="Where it is used, for example “Shop server”. Only your team sees it."
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
  const { mode, params } = useBusinessLocation();
  const form = useForm<Pick<Key, 'name' | 'scope'>>({ initialValues: { name: '', scope: 'full' } });
  return (
    <FormDialog
      onClose={onClose}
      title={`Create ${mode} key`}
      confirm="Create key"
      form={form}
      errorFields={['name']}
      run={() => post(KEYS, { params, body: { ...form.values, mode } })}
      refreshes={[pathTo(KEYS, { params })]}
      onDone={onIssued}
    >
      <NameInput {...form.getInputProps('name')} />
      <Radio.Group {...form.getInputProps('scope')} label="Scope">
        <Stack gap={8} mt={8}>
          <Radio value="full" label="Full" description="Reads and writes transactions and webhooks." />
          <Radio
            value="read"
            label="Read only"
            description="GET requests only, for reports and dashboards. Cannot move money."
          />
        </Stack>
      </Radio.Group>
      {mode === 'live' && (
        <p>Requests with this key move real money. Its secret is shown once, in the next step.</p>
      )}
    </FormDialog>
  );
}

interface KeyDialogProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

function useKeyParams({ key_id }: Key) {
  const { params } = useBusinessLocation();
  return { params: { ...params, key_id }, refreshes: [pathTo(KEYS, { params })] };
}

export function RenameKey({ apiKey: key, onClose }: KeyDialogProps) {
  const { params, refreshes } = useKeyParams(key);
  const form = useForm({ initialValues: { name: key.name } });
  return (
    <FormDialog
      onClose={onClose}
      title="Rename key"
      form={form}
      errorFields={['name']}
      run={() => put(`${KEYS}/{key_id}/name`, { params, body: form.values })}
      refreshes={refreshes}
    >
      <p>
        <KeyHint apiKey={key} /> keeps working.
      </p>
      <NameInput {...form.getInputProps('name')} />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'No overlap' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
];

export function RollKey({ apiKey: key, onClose, onIssued }: KeyDialogProps & Pick<CreateProps, 'onIssued'>) {
  const { params, refreshes } = useKeyParams(key);
  const form = useForm({ initialValues: { hours: '24' } });
  const { hours } = form.values;
  const until = OVERLAPS.find(({ value }) => value === hours)!.label;
  return (
    <FormDialog
      onClose={onClose}
      title="Roll key"
      run={() => post(`${KEYS}/{key_id}/roll`, { params, body: { overlap_hours: Number(hours) } })}
      refreshes={refreshes}
      onDone={onIssued}
    >
      <p>
        Creates a new key with the same name and scope, shown once.{' '}
        {hours === '0' ? (
          <>
            <KeyHint apiKey={key} /> stops working immediately: requests with it get 401.
          </>
        ) : (
          <>
            <KeyHint apiKey={key} /> keeps working for {until}: update your servers in that time.
          </>
        )}
      </p>
      <NativeSelect {...form.getInputProps('hours')} label="Keep the old key for" data={OVERLAPS} />
    </FormDialog>
  );
}

export function RevokeKey({ apiKey: key, onClose }: KeyDialogProps) {
  const { params, refreshes } = useKeyParams(key);
  return (
    <FormDialog
      onClose={onClose}
      title="Revoke key"
      danger
      run={() => del(`${KEYS}/{key_id}`, { params })}
      refreshes={refreshes}
      done="Key revoked. Requests with it are now refused."
    >
      <p>
        <KeyHint apiKey={key} /> {key.name !== '' && `(${key.name}) `}stops working immediately. Its open
        requests and event streams end. This cannot be undone.
      </p>
      <p>Transactions already accepted continue. To replace the key without downtime, roll it instead.</p>
    </FormDialog>
  );
}
