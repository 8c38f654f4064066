// The sign-in page. The person uses a password or the identity provider. Then the person gives a second factor, or sets up the
// first one.
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { forgetSecrets, useSecrets } from '../../../api/address.ts';
import type { SignInAnswer } from '../../../api/console-types.ts';
import { homePathOf, useSession } from '../../../api/session.ts';
import { hasSecondFactor, safeNextPath, useEnterSession, useSignInOptions } from '../data.ts';
import { FirstFactor } from '../factors/first-factor.tsx';
import { SecondFactor } from '../factors/second-factor.tsx';
import { EntryLayout } from '../layout.tsx';
import { PasswordStep, SignUpHint } from './password-step.tsx';
import { problemOf } from './problems.ts';

const HERE = '/app/sign-in';
/** After a sign-in at the identity provider, the page does not know which second factors the person has. */
const ANY = { totp: true, passkey: true, recovery_code: true };

export default function SignInPage() {
  const given = useSecrets(HERE);
  const [step, setStep] = useState<SignInAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const next = useNext();
  const options = useSignInOptions();
  const opened = useEnterSession();
  const fromProvider = given.get('pending');
  const pending = step ?? (fromProvider === null ? null : { pending: fromProvider, factors: ANY });
  const providerProblem = given.get('problem');
  useSkipWhenSignedIn(pending === null && providerProblem === null, next);
  const over = (message: string | null) => {
    forgetSecrets(HERE);
    setStep(null);
    setProblem(message);
  };
  const open = async () => {
    await opened(next);
    forgetSecrets(HERE);
  };
  if (pending === null)
    return (
      <EntryLayout title="Sign in" aside={<SignUpHint />}>
        <PasswordStep
          options={options}
          problem={problem ?? (providerProblem === null ? null : problemOf(providerProblem))}
          onPending={setStep}
        />
      </EntryLayout>
    );
  const again = <StartAgain onAgain={() => over(null)} />;
  if (!hasSecondFactor(pending.factors))
    return (
      <FirstFactor
        pending={pending.pending}
        lead="A password alone is not enough to sign in."
        aside={again}
        onOpened={open}
        onOver={over}
      />
    );
  return (
    <EntryLayout title="Enter your second factor" aside={again}>
      <SecondFactor {...pending} onOpened={open} onOver={over} />
    </EntryLayout>
  );
}

/** The value from when the page was opened. The URL already changes before the next page is shown. */
function useNext(): string | null {
  const { searchStr } = useLocation();
  const [next] = useState(() => safeNextPath(new URLSearchParams(searchStr).get('next') ?? undefined));
  return next;
}

function useSkipWhenSignedIn(maySkip: boolean, next: string | null): void {
  const { history } = useRouter();
  const { data: session } = useSession();
  useEffect(() => {
    if (maySkip && session) history.replace(next ?? homePathOf(session));
  }, [maySkip, session, next, history]);
}

function StartAgain({ onAgain }: { readonly onAgain: () => void }) {
  return (
    <p>
      Not you?{' '}
      <a
        className="text-link"
        href={HERE}
        onClick={(event) => {
          event.preventDefault();
          onAgain();
        }}
      >
        Start again
      </a>
    </p>
  );
}
