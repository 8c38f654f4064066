// Inviting a person by e-mail, to a business or to the operator.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../api/query.ts';
import { ConfirmDialog } from '../../parts/dialogs.tsx';
import { RoleInput } from './role-input.tsx';
import type { RoleChoice } from './roles.ts';

interface InviteProps<Role extends string> {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** "Kola Trade", "the operator". */
  readonly place: string;
  /** Of the list that it is in then. */
  readonly path: string;
  readonly send: (body: { readonly email: string; readonly role: Role }) => Promise<unknown>;
  readonly roles: readonly RoleChoice<Role>[];
  readonly first: Role;
}

export function Invite<Role extends string>({
  opened,
  onClose,
  place,
  path,
  send,
  roles,
  first,
}: InviteProps<Role>) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(first);
  const invite = useAction(() => send({ email: email.trim(), role }), {
    quiet: true,
    refreshes: [path],
    done: () => `${email.trim()} is invited. The link goes there by mail and works for 7 days.`,
    onDone: () => {
      setEmail('');
      setRole(first);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Invite person to ${place}`}
      confirm="Invite person"
      busy={invite.isPending}
      error={invite.error}
      onConfirm={() => invite.mutate()}
    >
      <TextInput
        type="email"
        label="E-mail address"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        maxLength={254}
        required
        data-autofocus
      />
      <RoleInput roles={roles} value={role} onValue={setRole} />
    </ConfirmDialog>
  );
}
