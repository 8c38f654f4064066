// Another role for a person.
import { useState } from 'react';
import { FormDialog } from '../../parts/dialogs.tsx';
import { RoleInput } from './role-input.tsx';
import type { RoleChoice } from './roles.ts';

interface ChangeRoleProps<Role extends string> {
  readonly name: string;
  /** Null: none. */
  readonly now: Role | null;
  readonly roles: readonly RoleChoice<Role>[];
  readonly give: (role: Role) => Promise<unknown>;
  readonly refreshes: readonly string[];
  readonly onClose: () => void;
}

/** Shown as long as it is rendered. */
export function ChangeRole<Role extends string>(props: ChangeRoleProps<Role>) {
  const { name, now, roles, give, refreshes, onClose } = props;
  const [role, setRole] = useState<Role | null>(now);
  return (
    <FormDialog
      onClose={onClose}
      title={`Change role of ${name}`}
      confirm="Change role"
      disabled={role === null || role === now}
      run={async () => role && give(role)}
      refreshes={refreshes}
      done={`${name} has another role now.`}
    >
      <p>It holds from their next request on, also in sessions that are open.</p>
      <RoleInput roles={roles} value={role} onValue={setRole} />
    </FormDialog>
  );
}
