// The password reset. The person requests a link, sets a new password, and then gives the second factor.
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { forgetSecrets, useSecrets } from '../../../api/address.ts';
import { post } from '../../../api/calls.ts';
import type { SignInAnswer } from '../../../api/console-types.ts';
import { EmailField, NewPasswordField } from '../../../components/fields.tsx';
import { TextLink } from '../../../components/link.tsx';
import { hasSecondFactor, useEnterSession, useSignInOptions } from '../data.ts';
import { EntryForm } from '../entry-form.tsx';
import { FirstFactor } from '../factors/first-factor.tsx';
import { SecondFactor } from '../factors/second-factor.tsx';
import styles from '../layout.module.css';
import { EntryLayout } from '../layout.tsx';

const HERE = '/app/reset-password';

export default function ResetPasswordPage() {
  const token = useSecrets(HERE).get('token');
  const [pending, setPending] = useState<SignInAnswer | null>(null);
  if (pending !== null) return <Onward {...pending} />;
  return token === null ? <Ask /> : <SetPassword token={token} onPending={setPending} />;
}

function Ask() {
  const form = useForm({ initialValues: { email: '' } });
  const [asked, setAsked] = useState(false);
  if (asked) return <Asked />;
  const send = () => post('/password-resets', { body: { email: form.values.email.trim() } });
  return (
    <EntryLayout
      title="Reset your password"
      lead="You get a link by e-mail. You still need your second factor."
    >
      <EntryForm submit="Send link" run={send} onDone={() => setAsked(true)}>
        <EmailField {...form.getInputProps('email')} size="md" autoFocus />
      </EntryForm>
    </EntryLayout>
  );
}

function Asked() {
  const sandbox = useSignInOptions()?.sandbox === true;
  return (
    <EntryLayout title="Check your e-mail">
      <div className={styles.form} role="status">
        <p>
          If this address has an account, the link is on its way. It works once and expires after one hour.
        </p>
        {sandbox && (
          <p>
            The sandbox sends no e-mail. Its operator finds the message under{' '}
            <TextLink to="/app/mails">sandbox e-mails</TextLink>.
          </p>
        )}
        <p>
          <TextLink to="/app/sign-in">Go to sign-in</TextLink>
        </p>
      </div>
    </EntryLayout>
  );
}

function SetPassword(props: { readonly token: string; readonly onPending: (pending: SignInAnswer) => void }) {
  const { token, onPending } = props;
  const form = useForm({ initialValues: { password: '' } });
  const send = () => post('/password-resets/complete', { body: { token, ...form.values } });
  const done = (pending: SignInAnswer) => {
    onPending(pending);
    forgetSecrets(HERE);
  };
  const another = (
    <p>
      Link expired?{' '}
      <TextLink to={HERE} onClick={() => forgetSecrets(HERE)}>
        Request a new one
      </TextLink>
    </p>
  );
  return (
    <EntryLayout title="Set a new password" lead="This ends all your sessions." aside={another}>
      <EntryForm submit="Set password" run={send} onDone={done}>
        <NewPasswordField {...form.getInputProps('password')} size="md" label="New password" />
      </EntryForm>
    </EntryLayout>
  );
}

function Onward({ pending, factors }: SignInAnswer) {
  const opened = useEnterSession();
  const [over, setOver] = useState<string | null>(null);
  if (over !== null)
    return (
      <EntryLayout title="Your password is set" lead={over}>
        <div className={styles.form}>
          <TextLink to="/app/sign-in">Sign in with the new password</TextLink>
        </div>
      </EntryLayout>
    );
  const lead = 'Your password is set. All your sessions have ended.';
  if (!hasSecondFactor(factors))
    return <FirstFactor pending={pending} lead={lead} onOpened={() => opened()} onOver={setOver} />;
  return (
    <EntryLayout title="Enter your second factor" lead={lead}>
      <SecondFactor pending={pending} factors={factors} onOpened={() => opened()} onOver={setOver} />
    </EntryLayout>
  );
}
