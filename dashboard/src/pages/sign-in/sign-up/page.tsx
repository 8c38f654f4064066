// The sign-up page of a business. The business waits for the approval of the operator. In the sandbox it is approved
// immediately, and its owner continues.
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { passSecretTo } from '../../../api/address.ts';
import { post } from '../../../api/calls.ts';
import type { SignUpAnswer } from '../../../api/console-types.ts';
import { EmailField } from '../../../components/fields.tsx';
import { TextLink, useGo } from '../../../components/link.tsx';
import { Facts } from '../../../components/page.tsx';
import { State } from '../../../components/values.tsx';
import { useSignInOptions } from '../data.ts';
import { EntryForm } from '../entry-form.tsx';
import styles from '../layout.module.css';
import { EntryLayout } from '../layout.tsx';
import { linkTagFrom } from './link-tag.ts';

interface Draft {
  readonly businessName: string;
  readonly linkTag: string;
  readonly email: string;
}

export default function SignUpPage() {
  const [done, setDone] = useState<{ readonly answer: SignUpAnswer; readonly draft: Draft } | null>(null);
  const sandbox = useSignInOptions()?.sandbox === true;
  if (done !== null) return <Done {...done} />;
  const lead = sandbox
    ? 'In the sandbox, a business is approved immediately.'
    : 'The operator reviews each business first. You get an e-mail once it is approved.';
  return (
    <EntryLayout title="Sign up a business" lead={lead} aside={<SignInHint />}>
      <SignUpForm onDone={(answer, draft) => setDone({ answer, draft })} />
    </EntryLayout>
  );
}

function SignUpForm({ onDone }: { readonly onDone: (answer: SignUpAnswer, draft: Draft) => void }) {
  const form = useForm({ initialValues: { businessName: '', ownTag: null as string | null, email: '' } });
  const { businessName, ownTag } = form.values;
  const email = form.values.email.trim();
  const linkTag = ownTag ?? linkTagFrom(businessName);
  const send = () => post('/sign-ups', { body: { business_name: businessName, link_tag: linkTag, email } });
  return (
    <EntryForm
      submit="Sign up business"
      run={send}
      onDone={(answer) => onDone(answer, { businessName, linkTag, email })}
    >
      <TextInput
        {...form.getInputProps('businessName')}
        size="md"
        label="Business name"
        autoComplete="organization"
        maxLength={140}
        required
        autoFocus
      />
      <TextInput
        {...form.getInputProps('ownTag')}
        size="md"
        label="Link tag"
        description="Identifies your business in API requests: 3 to 40 characters (a-z, 0-9, hyphen). Cannot be changed later."
        value={linkTag}
        maxLength={40}
        spellCheck={false}
        required
      />
      <EmailField
        {...form.getInputProps('email')}
        size="md"
        label="Owner’s e-mail address"
        description="The owner sets up sign-in and invites the team."
        autoComplete="email"
      />
    </EntryForm>
  );
}

function Done({ answer, draft }: { readonly answer: SignUpAnswer; readonly draft: Draft }) {
  const approved = answer.state === 'approved';
  return (
    <EntryLayout
      title={approved ? 'Your business is approved' : 'Sign-up received'}
      lead={approved ? undefined : `The operator reviews it and then e-mails a link to ${draft.email}.`}
      aside={<SignInHint />}
    >
      <div className={styles.form} role="status">
        <Facts
          facts={[
            { label: 'Business', value: draft.businessName },
            { label: 'Link tag', value: <span className="mono">{draft.linkTag}</span> },
            { label: 'Owner', value: draft.email },
            {
              label: 'State',
              value: <State state={answer.state} label={approved ? 'Approved' : 'Waiting for approval'} />,
            },
          ]}
        />
        {approved && <GoOn token={answer.invitation_token} email={draft.email} />}
      </div>
    </EntryLayout>
  );
}

function GoOn({ token, email }: { readonly token: string | null; readonly email: string }) {
  const go = useGo();
  if (token === null) return <p>A link to set up your sign-in was e-mailed to {email}.</p>;
  const onward = () => {
    passSecretTo('/app/invitation', 'token', token);
    go('/app/invitation');
  };
  return (
    <Button size="md" fullWidth onClick={onward}>
      Set up your sign-in
    </Button>
  );
}

function SignInHint() {
  return (
    <p>
      Already have an account? <TextLink to="/app/sign-in">Sign in</TextLink>
    </p>
  );
}
