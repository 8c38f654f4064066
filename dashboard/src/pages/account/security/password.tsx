// A new password for the person who knows the current one. It ends every session, this one included.
import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import { useAction } from '../../../api/query.ts';
import { Section } from '../../../parts/page.tsx';
import { NewPassword } from '../../sign-in/new-password.tsx';
import { useEnded } from '../../sign-in/opened.ts';
import { Refusal } from '../../sign-in/refusal.tsx';
import styles from './security.module.css';

export function PasswordSection() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const ended = useEnded();
  const change = useAction(() => post('/password', { body: { current, next } }), {
    quiet: true,
    done: 'The password is changed, and all your sessions have ended. Sign in with the new one.',
    onDone: () => ended(),
  });
  return (
    <Section title="Password" lead="A new password ends all your sessions, this one included.">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate();
        }}
      >
        <PasswordInput
          label="Current password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          autoComplete="current-password"
          maxLength={1000}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password' }}
          required
          withAsterisk={false}
        />
        <NewPassword size="sm" label="New password" value={next} onValue={setNext} />
        {change.error !== null && <Refusal error={change.error} />}
        <div>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Section>
  );
}
