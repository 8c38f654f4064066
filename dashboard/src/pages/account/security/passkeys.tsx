// The passkeys of the person: the list, the form that adds a passkey with a name, and the action that removes one.
import { Button, Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { del, post } from '../../../api/calls.ts';
import type { ListSecondFactorsAnswer, Passkey } from '../../../api/console-types.ts';
import { createPasskey } from '../../../api/passkeys.ts';
import { useRefresh } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../components/dialogs.tsx';
import { PasskeyNameField } from '../../../components/fields.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Ago, State } from '../../../components/values.tsx';
import { EntryForm } from '../../sign-in/entry-form.tsx';
import { PasskeyAddressNotice } from '../../sign-in/factors/set-up.tsx';
import { FACTORS, FactorRow, useWithStepUp } from './factor-row.tsx';
import styles from './security.module.css';

export function PasskeysSection({ passkeys }: ListSecondFactorsAnswer) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const count = passkeys.length;
  return (
    <FactorRow
      title="Passkeys"
      state={
        <State state={count > 0 ? 'active' : 'waiting'} label={count > 0 ? `${count} set up` : 'None yet'} />
      }
      text="Stored on your device or a security key. No code to type."
      action={
        <Button variant="default" onClick={() => setAdding(true)}>
          Add passkey
        </Button>
      }
    >
      {count > 0 && (
        <ul className={styles.passkeys} aria-label="Your passkeys">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.credential_id}
              passkey={passkey}
              onRemove={() => setRemoving(passkey)}
            />
          ))}
        </ul>
      )}
      <AddPasskey opened={adding} onClose={() => setAdding(false)} />
      <RemovePasskey passkey={removing} onClose={() => setRemoving(null)} />
    </FactorRow>
  );
}

function PasskeyItem({ passkey, onRemove }: { readonly passkey: Passkey; readonly onRemove: () => void }) {
  const name = passkey.name || 'Passkey';
  return (
    <li>
      <Icon name="passkey" />
      <span className={styles.passkey}>
        {name}
        <span className="quiet">
          Added <Ago at={passkey.created_at} />,{' '}
          {passkey.used_at === null ? (
            'never used'
          ) : (
            <>
              used <Ago at={passkey.used_at} />
            </>
          )}
        </span>
      </span>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        c="var(--state-failed)"
        aria-label={`Remove ${name}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </li>
  );
}

interface RemoveProps {
  readonly passkey: Passkey | null;
  readonly onClose: () => void;
}

function RemovePasskey({ passkey, onClose }: RemoveProps) {
  const { attempt, busy, dialog } = useWithStepUp();
  const refresh = useRefresh();
  const remove = ({ credential_id }: Passkey) =>
    attempt('Remove passkey', async () => {
      await del('/second-factors/passkeys/{credential_id}', { params: { credential_id } });
      await refresh(FACTORS);
    });
  return (
    <>
      <ConfirmDialog
        opened={passkey !== null}
        onClose={onClose}
        title="Remove passkey"
        danger
        busy={busy}
        onConfirm={() => {
          if (passkey === null) return;
          onClose();
          void remove(passkey);
        }}
      >
        <p>
          “{passkey?.name || 'Passkey'}” will no longer sign you in. Delete it in your device settings as
          well.
        </p>
      </ConfirmDialog>
      {dialog}
    </>
  );
}

interface AddPasskeyProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

function AddPasskey({ opened, onClose }: AddPasskeyProps) {
  const form = useForm({ initialValues: { name: '' } });
  const { attempt, busy, dialog } = useWithStepUp();
  const refresh = useRefresh();
  const add = () =>
    attempt('Add passkey', async () => {
      const { options } = await post('/second-factors/passkeys/options');
      const answer = await createPasskey(options);
      await post('/second-factors/passkeys', { body: { answer, name: form.values.name.trim() } });
      form.reset();
      onClose();
      await refresh(FACTORS);
    });
  return (
    <>
      <Modal opened={opened} onClose={onClose} title="Add passkey">
        <EntryForm within="dialog" submit="Add passkey" run={add} busy={busy}>
          <PasskeyAddressNotice />
          <PasskeyNameField {...form.getInputProps('name')} data-autofocus />
        </EntryForm>
      </Modal>
      {dialog}
    </>
  );
}
