// The person's own security: password, second factors, recovery codes and sessions.
import { useSignedIn } from '../../../api/session.ts';
import { Failure } from '../../../parts/message.tsx';
import { Columns, Loading, Page, Section } from '../../../parts/page.tsx';
import { AuthenticatorSection } from './authenticator.tsx';
import { useSecondFactors } from './data.ts';
import { PasskeysSection } from './passkeys.tsx';
import { PasswordSection } from './password.tsx';
import { RecoverySection } from './recovery.tsx';
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
        <>
          <AuthenticatorSection {...data} />
          <PasskeysSection {...data} />
          <RecoverySection {...data} />
        </>
      )}
    </Section>
  );
}
