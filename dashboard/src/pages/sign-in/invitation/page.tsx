// The page of an invitation. A new person enters a name and a password and sets up a second factor. A person who already has an
// account signs in.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSecrets } from '../../../api/address.ts';
import { post } from '../../../api/calls.ts';
import type { ReadInvitationAnswer } from '../../../api/console-types.ts';
import { useSession } from '../../../api/session.ts';
import { TextLink } from '../../../components/link.tsx';
import { Loading } from '../../../components/page.tsx';
import { useEnterSession } from '../data.ts';
import { Refusal } from '../entry-form.tsx';
import { FirstFactor } from '../factors/first-factor.tsx';
import styles from '../layout.module.css';
import { EntryLayout } from '../layout.tsx';
import { HERE, inviterOf, Join, NewPerson, toBusiness } from './join.tsx';

export default function InvitationPage() {
  const token = useSecrets(HERE).get('token');
  if (token === null)
    return (
      <EntryLayout title="Invitation" lead="This link has no invitation.">
        <div className={styles.form}>
          <p>Open the link in your e-mail again. It must end with #token= and a code.</p>
        </div>
      </EntryLayout>
    );
  return <WithToken key={token} token={token} />;
}

function WithToken({ token }: { readonly token: string }) {
  const session = useSession();
  const [pending, setPending] = useState<{
    readonly pending: string;
    readonly of: ReadInvitationAnswer;
  } | null>(null);
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => post('/invitations/read', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (pending !== null) return <Enrol {...pending} />;
  if (error !== null) return <Refused error={error} />;
  if (data === undefined || session.isPending)
    return (
      <EntryLayout title="Invitation">
        <div className={styles.form}>
          <Loading lines={6} label="Loading invitation" />
        </div>
      </EntryLayout>
    );
  if (data.known) return <Join token={token} invitation={data} session={session.data ?? null} />;
  return (
    <NewPerson
      token={token}
      invitation={data}
      onPending={(next) => setPending({ pending: next, of: data })}
    />
  );
}

function Enrol({ pending, of }: { readonly pending: string; readonly of: ReadInvitationAnswer }) {
  const opened = useEnterSession();
  const [over, setOver] = useState<string | null>(null);
  if (over !== null)
    return (
      <EntryLayout title="Welcome" lead={over}>
        <div className={styles.form}>
          <TextLink to="/app/sign-in">Sign in with your password</TextLink>
        </div>
      </EntryLayout>
    );
  return (
    <FirstFactor
      pending={pending}
      lead={`Invitation to ${inviterOf(of)} accepted.`}
      onOpened={() => opened((session) => toBusiness(session, of))}
      onOver={setOver}
    />
  );
}

function Refused({ error }: { readonly error: unknown }) {
  return (
    <EntryLayout title="Invitation">
      <div className={styles.form}>
        <Refusal error={error} />
        <TextLink to="/app/sign-in">Go to sign-in</TextLink>
      </div>
    </EntryLayout>
  );
}
