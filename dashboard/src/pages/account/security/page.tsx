// The person's own security: password, second factors, recovery codes and sessions.
import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import { useAction } from '../../../api/query.ts';
import { useSignedIn } from '../../../api/session.ts';
import { Columns, Failure, Loading, Page, Section } from '../../../parts/page.tsx';
import { useEnded } from '../../sign-in/data.ts';
import { NewPassword, Refusal } from '../../sign-in/entry-form.tsx';
import { AuthenticatorSection } from './authenticator.tsx';
import { useSecondFactors } from './factor-row.tsx';
import { PasskeysSection } from './passkeys.tsx';
import { RecoverySection } from './recovery.tsx';
import styles from './security.module.css';
import { SessionsSection } from './sessions.tsx';

export default function SecurityPage() {
  const { person } = useSignedIn();
  return (
    <Page
      title="Security"
      lead={`${person.name}, ${person.email}`}
      back={{ to: '/app', label: 'Back to the dashboard' }}
    >
      <Columns>
        <div>
          <SecondFactorsSection />
        </div>
        <div>
          <PasswordSection />
        </div>
      </Columns>
      <SessionsSection />
    </Page>
  );
}

function SecondFactorsSection() {
  const { data, error, refetch } = useSecondFactors();
  if (error !== null && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <Section title="Second factors" lead="You need one of them at every sign-in, beside the password.">
      {data === undefined ? (
        <Loading lines={8} label="Reading your second factors" />
      ) : (
        <div className="lines" data-gap="large">
          <AuthenticatorSection {...data} />
          <PasskeysSection {...data} />
          <RecoverySection {...data} />
        </div>
      )}
    </Section>
  );
}

function PasswordSection() {
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
        className={`column flush ${styles.form}`}
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
