// The mails of the sandbox for the operator, newest first. The sandbox sends no mail and shows it here instead.
import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Mail } from '../../../api/console-types.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { useRead } from '../../../api/reads.ts';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Failure, Loading, Section } from '../../../components/page.tsx';
import { State, Time } from '../../../components/values.tsx';
import styles from '../layout.module.css';
import { EntryLayout } from '../layout.tsx';
import { type MailPart, partsOf } from './links.ts';

const HERE = '/app/mails';

export default function MailsPage() {
  const { history } = useRouter();
  const { data, error, refetch, isFetching } = useRead('/operator/mails');
  const failure = error instanceof ApiFailure ? error : null;
  const signedOut = failure?.status === 401;
  useEffect(() => {
    if (signedOut) history.replace(`/app/sign-in?next=${encodeURIComponent(HERE)}`);
  }, [signedOut, history]);
  return (
    <EntryLayout
      wide
      title="Sandbox e-mails"
      lead="The sandbox sends no e-mail; these are the messages that it would send. Open links in a private window to stay signed in here."
    >
      <div className={styles.mails}>
        <div className={styles.mailActions}>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Refresh
          </Button>
          <TextLink to="/app">Go to dashboard</TextLink>
        </div>
        {failure?.status === 404 ? (
          <Empty icon="mail" title="E-mails are shown only in the sandbox">
            This service sends its e-mails, or stores them for the operator.
          </Empty>
        ) : error !== null && !signedOut ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <Mails mails={data?.mails} />
        )}
      </div>
    </EntryLayout>
  );
}

function Mails({ mails }: { readonly mails: readonly Mail[] | undefined }) {
  if (mails === undefined) return <Loading lines={8} label="Loading e-mails" />;
  if (mails.length === 0)
    return (
      <Empty icon="mail" title="No e-mails yet">
        Invitations, sign-ups and password resets appear here.
      </Empty>
    );
  return mails.map((mail) => <MailCard key={mail.id} {...mail} />);
}

function MailCard({ subject, recipient, created_at, state, body, problem }: Mail) {
  return (
    <Section title={subject} actions={<State state={state} />}>
      <p className={`quiet ${styles.mailLine}`}>
        To {recipient}, <Time at={created_at} />
      </p>
      {problem !== null && <p className={styles.mailLine}>{problem}</p>}
      <p className={styles.mailBody}>
        {body === null ? (
          <span className="quiet">Text deleted: its link was used or has expired.</span>
        ) : (
          partsOf(body, window.location).map((part) => <Part key={part.at} {...part} />)
        )}
      </p>
    </Section>
  );
}

/** The link opens in a new tab, where the page removes the token after the # from its URL. */
function Part({ text, href }: MailPart) {
  if (href === null) return text;
  return (
    <a className="text-link" href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}
