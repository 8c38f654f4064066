// Accepts an invitation. A person who already has an account must be signed in with the invited address. A new person
// registers.
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { forgetSecrets } from '../../../api/address.ts';
import { post } from '../../../api/calls.ts';
import type { ReadInvitationAnswer } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { homePathOf, type Session } from '../../../api/session.ts';
import { NewPasswordField } from '../../../components/fields.tsx';
import { useGo } from '../../../components/link.tsx';
import { useEnterSession, useLeaveSession } from '../data.ts';
import { EntryForm } from '../entry-form.tsx';
import styles from '../layout.module.css';
import { EntryLayout } from '../layout.tsx';

interface JoinProps {
  readonly token: string;
  readonly invitation: ReadInvitationAnswer;
  readonly session: Session | null;
}

export function Join({ token, invitation, session }: JoinProps) {
  const title = `Join ${inviterOf(invitation)}`;
  const lead = `${invitation.email} is invited as ${invitation.role}.`;
  const opened = useEnterSession();
  if (session?.person.email !== invitation.email)
    return (
      <EntryLayout title={title} lead={lead}>
        <SignInFirst email={invitation.email} session={session} />
      </EntryLayout>
    );
  const accept = async () => {
    await post('/invitations/accept-signed-in', { body: { token } });
    await opened((now) => toBusiness(now, invitation));
    forgetSecrets(HERE);
  };
  return (
    <EntryLayout title={title} lead={lead}>
      <EntryForm submit="Accept invitation" run={accept}>
        <p>You are signed in as {session.person.name}.</p>
      </EntryForm>
    </EntryLayout>
  );
}

/** The page keeps the invitation in memory while the person signs in. */
function SignInFirst({ email, session }: { readonly email: string; readonly session: Session | null }) {
  const go = useGo();
  const ended = useLeaveSession();
  const signIn = `/app/sign-in?next=${encodeURIComponent(HERE)}`;
  const leave = useAction(() => post('/sign-out'), { onDone: () => ended(signIn) });
  if (session === null)
    return (
      <div className={styles.form}>
        <p>This address already has an account. Sign in to accept the invitation.</p>
        <Button size="md" fullWidth onClick={() => go(signIn)}>
          Sign in to accept
        </Button>
      </div>
    );
  return (
    <div className={styles.form}>
      <p>
        You are signed in as {session.person.email}. The invitation is for {email}: sign in with that address
        to accept it.
      </p>
      <Button size="md" fullWidth loading={leave.isPending} onClick={() => leave.mutate()}>
        Sign out and sign in as {email}
      </Button>
    </div>
  );
}

export const HERE = '/app/invitation';

export function inviterOf({ business_name: business }: ReadInvitationAnswer): string {
  return business ?? 'the operator';
}

export function toBusiness(session: Session, { business_name: business }: ReadInvitationAnswer): string {
  const joined = session.memberships.find((each) => each.business_name === business);
  return joined === undefined ? homePathOf(session) : `/app/b/${joined.business_id}/test`;
}

interface NewPersonProps {
  readonly token: string;
  readonly invitation: ReadInvitationAnswer;
  readonly onPending: (pending: string) => void;
}

export function NewPerson({ token, invitation, onPending }: NewPersonProps) {
  const form = useForm({ initialValues: { name: '', password: '' } });
  const accept = () => post('/invitations/accept', { body: { token, ...form.values } });
  return (
    <EntryLayout title={`Join ${inviterOf(invitation)}`} lead={`You are invited as ${invitation.role}.`}>
      <EntryForm submit="Accept invitation" run={accept} onDone={({ pending }) => onPending(pending)}>
        <TextInput
          size="md"
          label="E-mail address"
          value={invitation.email}
          autoComplete="username"
          readOnly
          variant="filled"
        />
        <TextInput
          {...form.getInputProps('name')}
          size="md"
          label="Your name"
          autoComplete="name"
          maxLength={100}
          required
          autoFocus
        />
        <NewPasswordField {...form.getInputProps('password')} size="md" />
      </EntryForm>
    </EntryLayout>
  );
}
