// Whose pages these are: one of the person's businesses, or the operator.
import { Menu, UnstyledButton } from '@mantine/core';
import { useSignedIn } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { useGo } from '../parts/link.tsx';
import styles from './frame.module.css';

export function BusinessSwitcher({ current }: { readonly current: string | null }) {
  const { person, memberships } = useSignedIn();
  const go = useGo();
  const name = memberships.find(({ business_id }) => business_id === current)?.business_name ?? 'Operator';
  const places = memberships.length + (person.operator_role === null ? 0 : 1);
  if (places < 2) return <span className={styles.business}>{name}</span>;
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={styles.business}>
          <span>{name}</span>
          <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {person.operator_role !== null && (
          <Menu.Item leftSection={<Icon name="shield" />} onClick={() => go('/app/operator/live')}>
            Operator
          </Menu.Item>
        )}
        {memberships.map(({ business_id, business_name }) => (
          <Menu.Item
            key={business_id}
            leftSection={<Icon name="building" />}
            onClick={() => go(`/app/b/${business_id}/test`)}
          >
            {business_name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
