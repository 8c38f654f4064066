// Another role for a person.
import { useState } from 'react';
import { put } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { ConfirmDialog } from '../../parts/dialogs.tsx';
import { RoleInput } from './role-input.tsx';
import type { RoleChoice } from './roles.ts';

interface ChangeRoleProps<Role extends string> {
  readonly name: string;
  readonly now: Role;
  readonly roles: readonly RoleChoice<Role>[];
  /** Where the role is put. */
  readonly path: string;
  readonly refreshes: readonly string[];
  readonly onClose: () => void;
}

/** Shown as long as it is rendered. */
export function ChangeRole<Role extends string>(props: ChangeRoleProps<Role>) {
  const { name, now, roles, path, refreshes, onClose } = props;
  const [role, setRole] = useState<Role>(now);
  const change = useAction(() => put(path, { role }), {
    quiet: true,
    refreshes,
    done: `${name} has another role now.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Change role of ${name}`}
      confirm="Change role"
      disabled={role === now}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
    >
      <p>It holds from their next request on, also in sessions that are open.</p>
      <RoleInput roles={roles} value={role} onValue={setRole} />
    </ConfirmDialog>
  );
}
