// Describes the permissions of each role in one line (docs/operate/people.md has the whole table). The file also has the
// selection and the change of a role, and the display of a person.

import { Radio } from '@mantine/core';
import { useState } from 'react';
import type { Member } from '../../api/console-types.ts';
import type { BusinessRole, OperatorRole } from '../../api/session.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { State } from '../../components/values.tsx';
import styles from './people.module.css';

export interface RoleChoice<Role extends string> {
  readonly role: Role;
  readonly label: string;
  readonly may: string;
}

export const BUSINESS_ROLES: readonly RoleChoice<BusinessRole>[] = [
  { role: 'owner', label: 'Owner', may: 'Full access: people, live keys and the business itself.' },
  {
    role: 'developer',
    label: 'Developer',
    may: 'Test keys, webhooks, transaction wallets and sandbox payments.',
  },
  { role: 'viewer', label: 'Viewer', may: 'Read-only access to transactions, webhooks and members.' },
];

export const OPERATOR_ROLES: readonly RoleChoice<OperatorRole>[] = [
  {
    role: 'admin',
    label: 'Admin',
    may: 'Full access, but cannot approve their own proposals. Assign it to two people.',
  },
  {
    role: 'reviewer',
    label: 'Reviewer',
    may: 'Proposes decisions about money and settings, and can stop money.',
  },
  {
    role: 'approver',
    label: 'Approver',
    may: 'Approves or declines the proposals of others, decides sign-ups, and can stop money.',
  },
  {
    role: 'auditor',
    label: 'Auditor',
    may: 'Read-only access to everything, including the audit log and people.',
  },
];

export function labelOf(role: string): string {
  return [...BUSINESS_ROLES, ...OPERATOR_ROLES].find((each) => each.role === role)?.label ?? role;
}

interface RoleInputProps<Role extends string> {
  readonly roles: readonly RoleChoice<Role>[];
  readonly value: Role | null;
  readonly onValue: (role: Role) => void;
}

export function RoleInput<Role extends string>({ roles, value, onValue }: RoleInputProps<Role>) {
  return (
    <Radio.Group label="Role" value={value} onChange={(role) => onValue(role as Role)}>
      <div className={styles.roles}>
        {roles.map(({ role, label, may }) => (
          <Radio key={role} value={role} label={label} description={may} />
        ))}
      </div>
    </Radio.Group>
  );
}

export function RoleList<Role extends string>({ roles }: { readonly roles: readonly RoleChoice<Role>[] }) {
  return (
    <dl className={styles.roleList}>
      {roles.map(({ role, label, may }) => (
        <div key={role}>
          <dt>{label}</dt>
          <dd>{may}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ChangeRoleProps<Role extends string> {
  readonly name: string;
  /** Null: none. */
  readonly now: Role | null;
  readonly roles: readonly RoleChoice<Role>[];
  readonly give: (role: Role) => Promise<unknown>;
  readonly refreshes: readonly string[];
  readonly onClose: () => void;
}

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
      done={`Role of ${name} changed.`}
    >
      <p>Takes effect with their next request, including in open sessions.</p>
      <RoleInput roles={roles} value={role} onValue={setRole} />
    </FormDialog>
  );
}

interface PersonCellProps extends Pick<Member, 'name' | 'email'>, Partial<Pick<Member, 'disabled'>> {
  /** True means that this person is the signed-in person. */
  readonly you?: boolean;
}

export function PersonCell({ name, email, disabled = false, you = false }: PersonCellProps) {
  return (
    <span className={styles.person}>
      <span className={styles.name}>
        {name}
        {you && <span className="quiet">(you)</span>}
        {disabled && <State state="disabled" />}
      </span>
      <span className={styles.email}>{email}</span>
    </span>
  );
}
