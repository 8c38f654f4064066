// Invitations that were not accepted yet, and their withdrawal.
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../api/console-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/dialogs.tsx';
import { Empty } from '../../parts/message.tsx';
import { Section } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { Ago, useNow } from '../../parts/time.tsx';
import { labelOf } from './roles.ts';

interface InvitationsProps {
  readonly list: Pick<
    UseQueryResult<{ readonly invitations: readonly Invitation[] }>,
    'data' | 'error' | 'refetch'
  >;
  /** Of the list. */
  readonly path: string;
  readonly withdraw: (invitationId: string) => Promise<unknown>;
}

export function Invitations({ list: { data, error, refetch }, path, withdraw }: InvitationsProps) {
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const nowMs = useNow();
  const columns: readonly Column<Invitation>[] = [
    { title: 'Address', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => labelOf(role), from: 'sm' },
    { title: 'Invited', cell: ({ created_at }) => <Ago at={created_at} />, from: 'md' },
    {
      title: 'Ends',
      cell: ({ expires_at }) =>
        Date.parse(expires_at) < nowMs ? <State state="expired" /> : <Ago at={expires_at} />,
    },
    {
      title: 'Change',
      align: 'right',
      cell: (invitation) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          c="var(--state-failed)"
          onClick={() => setWithdrawing(invitation)}
        >
          Withdraw
        </Button>
      ),
    },
  ];
  return (
    <Section bare title="Open invitations">
      <DataTable
        caption="Open invitations"
        columns={columns}
        rows={data?.invitations}
        rowKey={({ invitation_id }) => invitation_id}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="mail" title="No open invitation">
            Invite a person by e-mail. The link in the mail works once, for 7 days.
          </Empty>
        }
      />
      <FormDialog
        opened={withdrawing !== null}
        onClose={() => setWithdrawing(null)}
        title="Withdraw invitation"
        danger
        run={async () => withdrawing && withdraw(withdrawing.invitation_id)}
        refreshes={[path]}
        done="The invitation is withdrawn."
      >
        <p>The link that was sent to {withdrawing?.email} is of no use any more.</p>
      </FormDialog>
    </Section>
  );
}
