// The choice of a role, with what each one may do beside it.
import { Radio } from '@mantine/core';
import styles from './people.module.css';
import type { RoleChoice } from './roles.ts';

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
