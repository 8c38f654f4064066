// The menu of the signed-in person. It contains links to other areas, the theme, the person's security, and the sign-out.
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { post } from '../api/calls.ts';
import { forgetCsrfToken } from '../api/client.ts';
import { queryClient, useAction } from '../api/query.ts';
import { SESSION_KEY, useSignedIn } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { useGo } from '../components/link.tsx';
import styles from './layout.module.css';

const THEMES = [
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
  ['auto', 'System theme'],
] as const;

export function AccountMenu() {
  const { person } = useSignedIn();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const go = useGo();
  const signOut = useAction(() => post('/sign-out'), {
    onDone: () => {
      forgetCsrfToken();
      queryClient.clear();
      queryClient.setQueryData(SESSION_KEY, null);
      go('/app/sign-in');
    },
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={styles.account}>
          <span className={styles.initials} aria-hidden>
            {initials(person.name)}
          </span>
          <span className="only-screen-reader">Account of {person.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {person.name}
          <br />
          {person.email}
        </Menu.Label>
        <Menu.Item leftSection={<Icon name="shield" />} onClick={() => go('/app/account')}>
          Security
        </Menu.Item>
        <Menu.Divider />
        {THEMES.map(([value, label]) => (
          <Menu.Item
            key={value}
            leftSection={<Icon name={value === 'dark' ? 'moon' : 'sun'} />}
            rightSection={colorScheme === value ? <Icon name="check" /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="exit" />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initials(name: string): string {
  const letters = name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [...word][0]!);
  return (letters.length > 1 ? letters[0]! + letters.at(-1)! : (letters[0] ?? '?')).toUpperCase();
}
