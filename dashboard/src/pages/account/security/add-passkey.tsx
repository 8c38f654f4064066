// A new passkey: its name, then the browser makes it.
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import { makePasskey } from '../../../api/passkeys.ts';
import { useRefresh } from '../../../api/query.ts';
import { PasskeyPlace } from '../../sign-in/factors/passkey-place.tsx';
import { FACTORS } from './data.ts';
import styles from './security.module.css';
import { useWithStepUp } from './with-step-up.tsx';

interface AddPasskeyProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function AddPasskey({ opened, onClose }: AddPasskeyProps) {
  const [name, setName] = useState('');
  const { attempt, busy, dialog } = useWithStepUp();
  const refresh = useRefresh();
  const add = () =>
    attempt('Add passkey', async () => {
      const { options } = await post('/second-factors/passkeys/options');
      const answer = await makePasskey(options);
      await post('/second-factors/passkeys', { body: { answer, name: name.trim() } });
      setName('');
      onClose();
      await refresh(FACTORS);
    });
  return (
    <>
      <Modal opened={opened} onClose={onClose} title="Add passkey">
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void add();
          }}
        >
          <PasskeyPlace />
          <TextInput
            label="Name of the passkey"
            description="So that you know it among others."
            placeholder="Work laptop"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={60}
            required
            data-autofocus
          />
          <Button type="submit" loading={busy}>
            Add passkey
          </Button>
        </form>
      </Modal>
      {dialog}
    </>
  );
}
