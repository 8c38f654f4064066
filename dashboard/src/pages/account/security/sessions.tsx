// The sessions of the person. The person can end one session or all sessions.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { del, post } from '../../../api/calls.ts';
import type { OpenSession } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, State } from '../../../components/values.tsx';
import { useLeaveSession } from '../../sign-in/data.ts';
import { browserName } from './browser-name.ts';
import { SESSIONS, useSessions } from './factor-row.tsx';
import styles from './security.module.css';

export function SessionsSection() {
  const { data, error, refetch } = useSessions();
  const ended = useLeaveSession();
  const end = useAction(
    ({ session_id }: OpenSession) => del('/sessions/{session_id}', { params: { session_id } }),
    {
      refreshes: [SESSIONS],
      done: 'Session ended.',
      onDone: (_answer, { current }) => {
        if (current) ended();
      },
    },
  );
  const columns: readonly Column<OpenSession>[] = [
    { title: 'Device', cell: (session) => <Device {...session} /> },
    { title: 'IP address', cell: ({ address }) => <span className="mono">{address}</span>, from: 'md' },
    { title: 'Signed in', cell: ({ created_at }) => <Ago at={created_at} />, from: 'sm' },
    { title: 'Last seen', cell: ({ seen_at }) => <Ago at={seen_at} />, from: 'sm' },
    {
      title: 'Actions',
      align: 'right',
      cell: (session) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          c="var(--state-failed)"
          loading={end.isPending && end.variables?.session_id === session.session_id}
          onClick={() => end.mutate(session)}
        >
          End session
        </Button>
      ),
    },
  ];
  return (
    <Section
      bare
      title="Sessions"
      lead="Sessions expire after 30 minutes of inactivity, and 12 hours after sign-in."
      actions={<SignOutEverywhere />}
    >
      <DataTable
        caption="Your sessions"
        columns={columns}
        rows={data?.sessions}
        rowKey={({ session_id }) => session_id}
        error={error}
        retry={() => void refetch()}
        empty={<Empty title="No sessions" />}
      />
    </Section>
  );
}

function Device({ surface, user_agent, current }: OpenSession) {
  return (
    <span className={styles.where}>
      <span title={user_agent}>{surface === 'browser' ? browserName(user_agent) : 'Command line'}</span>
      {current && <State state="active" label="This session" />}
    </span>
  );
}

function SignOutEverywhere() {
  const [asking, setAsking] = useState(false);
  const ended = useLeaveSession();
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        End all sessions
      </Button>
      <FormDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="End all sessions"
        danger
        run={() => post('/sign-out-everywhere')}
        done="All your sessions have ended."
        onDone={() => ended()}
      >
        <p>This signs you out of every browser and command line, including this one.</p>
      </FormDialog>
    </>
  );
}
