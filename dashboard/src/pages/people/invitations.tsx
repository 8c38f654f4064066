// Invites a person by e-mail to a business or to the operator. It also lists and withdraws open invitations.
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../api/console-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FormDialog } from '../../components/dialogs.tsx';
import { Empty, Section } from '../../components/page.tsx';
import { Ago, State, useNow } from '../../components/values.tsx';
import { labelOf, type RoleChoice, RoleInput } from './roles.tsx';

interface InvitationsProps {
  readonly list: Pick<
    UseQueryResult<{ readonly invitations: readonly Invitation[] }>,
    'data' | 'error' | 'refetch'
  >;
  readonly path: string;
  readonly withdraw: (invitationId: string) => Promise<unknown>;
}

export function Invitations({ list: { data, error, refetch }, path, withdraw }: InvitationsProps) {
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const nowMs = useNow();
  const columns: readonly Column<Invitation>[] = [
    { title: 'E-mail address', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => labelOf(role), from: 'sm' },
    { title: 'Invited', cell: ({ created_at }) => <Ago at={created_at} />, from: 'md' },
    {
      title: 'Expires',
      cell: ({ expires_at }) =>
        Date.parse(expires_at) < nowMs ? <State state="expired" /> : <Ago at={expires_at} />,
    },
    {
      title: 'Actions',
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
          <Empty icon="mail" title="No open invitations">
            Invite a person by e-mail. The link works once and expires after 7 days.
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
        done="Invitation withdrawn."
      >
        <p>The link sent to {withdrawing?.email} stops working.</p>
      </FormDialog>
    </Section>
  );
}

interface InviteProps<Role extends string> {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The name for the texts, such as "Kola Trade" or "the operator". */
  readonly organisation: string;
  readonly path: string;
  readonly send: (body: { readonly email: string; readonly role: Role }) => Promise<unknown>;
  readonly roles: readonly RoleChoice<Role>[];
  readonly first: Role;
}

export function Invite<Role extends string>({
  opened,
  onClose,
  organisation,
  path,
  send,
  roles,
  first,
}: InviteProps<Role>) {
  const form = useForm({ initialValues: { email: '', role: first } });
  const { role } = form.values;
  const email = form.values.email.trim();
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Invite person to ${organisation}`}
      confirm="Invite person"
      form={form}
      run={() => send({ email, role })}
      refreshes={[path]}
      done={`Invitation sent to ${email}. The link works for 7 days.`}
    >
      <TextInput
        {...form.getInputProps('email')}
        type="email"
        label="E-mail address"
        maxLength={254}
        required
        data-autofocus
      />
      <RoleInput roles={roles} value={role} onValue={(given) => form.setValues({ role: given })} />
    </FormDialog>
  );
}
