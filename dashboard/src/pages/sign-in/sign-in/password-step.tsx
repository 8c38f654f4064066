// Step 1 of a sign-in: the e-mail address and the password, or the identity provider of the operator if one is configured.
import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { post } from '../../../api/calls.ts';
import type { GetSignInOptionsAnswer, SignInAnswer } from '../../../api/console-types.ts';
import { EmailField } from '../../../components/fields.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/page.tsx';
import { EntryForm } from '../entry-form.tsx';
import styles from '../layout.module.css';

interface PasswordStepProps {
  readonly options: GetSignInOptionsAnswer | undefined;
  readonly problem: string | null;
  readonly onPending: (pending: SignInAnswer) => void;
}

export function PasswordStep({ options, problem, onPending }: PasswordStepProps) {
  const form = useForm({ initialValues: { email: '', password: '' } });
  const { email, password } = form.values;
  const send = () => post('/sign-in', { body: { email: email.trim(), password } });
  return (
    <EntryForm
      submit="Continue"
      run={send}
      onDone={onPending}
      problem={problem}
      below={<Below options={options} />}
    >
      <EmailField {...form.getInputProps('email')} size="md" autoFocus />
      <PasswordInput
        {...form.getInputProps('password')}
        size="md"
        label="Password"
        autoComplete="current-password"
        maxLength={1000}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        required
      />
    </EntryForm>
  );
}

function Below({ options }: { readonly options: GetSignInOptionsAnswer | undefined }) {
  return (
    <>
      <p>
        <TextLink to="/app/reset-password">Forgot your password?</TextLink>
      </p>
      {options?.provider_url != null && (
        <>
          <div className={styles.or}>or</div>
          <Button variant="default" size="md" fullWidth component="a" href={options.provider_url}>
            Sign in with your identity provider
          </Button>
        </>
      )}
      {options?.sandbox === true && (
        <Notice>
          This is a sandbox. Its sign-in details are in{' '}
          <a className="text-link" href="/#credentials">
            sandbox.json
          </a>
          .
        </Notice>
      )}
    </>
  );
}

export function SignUpHint() {
  return (
    <p>
      No account yet? <TextLink to="/app/sign-up">Sign up a business</TextLink>
    </p>
  );
}
