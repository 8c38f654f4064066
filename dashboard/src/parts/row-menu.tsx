// The actions of one row or record, behind three dots.
import { Menu, UnstyledButton } from '@mantine/core';
import { Icon, type IconName } from './icon.tsx';
import styles from './row-menu.module.css';

export interface RowAction {
  /** A verb with its object. */
  readonly label: string;
  readonly icon: IconName;
  readonly danger?: boolean;
  readonly run: () => void;
}

export function RowMenu({
  label,
  actions,
}: {
  readonly label: string;
  readonly actions: readonly RowAction[];
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.menu} aria-label={label}>
          <Icon name="dots" size={20} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label: text, icon, danger = false, run }) => (
          <Menu.Item
            key={text}
            leftSection={<Icon name={icon} size={16} />}
            onClick={run}
            {...(danger && { color: 'red' })}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
