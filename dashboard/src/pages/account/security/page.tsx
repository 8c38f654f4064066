// The security page of the signed-in person: password, second factors, recovery codes and sessions.
import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { post } from '../../../api/calls.ts';
import { useSignedIn } from '../../../api/session.ts';
import { NewPasswordField } from '../../../components/fields.tsx';
import { Columns, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { useLeaveSession } from '../../sign-in/data.ts';
import { EntryForm } from '../../sign-in/entry-form.tsx';
import { AuthenticatorSection } from './authenticator.tsx';
import { useSecondFactors } from './factor-row.tsx';
import { PasskeysSection } from './passkeys.tsx';
import { RecoverySection } from './recovery.tsx';
import { SessionsSection } from './sessions.tsx';

export default function SecurityPage() {
  const { person } = useSignedIn();
  return (
    <Page title="Security" lead={`${person.name}, ${person.email}`} back={{ to: '/app', label: 'Dashboard' }}>
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
    <Section title="Second factors" lead="Every sign-in needs your password and one of these.">
      {data === undefined ? (
        <Loading lines={8} label="Loading second factors" />
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
  const form = useForm({ initialValues: { current: '', next: '' } });
  const ended = useLeaveSession();
  return (
    <Section title="Password" lead="Changing it ends all your sessions, including this one.">
      <EntryForm
        within="page"
        submit="Change password"
        run={() => post('/password', { body: form.values })}
        done="Password changed. All your sessions have ended; sign in with the new password."
        onDone={() => ended()}
      >
        <PasswordInput
          {...form.getInputProps('current')}
          label="Current password"
          autoComplete="current-password"
          maxLength={1000}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password' }}
          required
          withAsterisk={false}
        />
        <NewPasswordField {...form.getInputProps('next')} label="New password" />
      </EntryForm>
    </Section>
  );
}
