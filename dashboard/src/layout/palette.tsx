// The search that people open on every page with `/` or Ctrl-K. It finds pages by name, and records by id, reference, account,
// hash, name or amount.
import { Loader, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import { useRead } from '../api/reads.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useGo } from '../components/link.tsx';
import type { Mode } from './location.ts';
import { BUSINESS_NAV, OPERATOR_NAV } from './navigation.ts';
import styles from './palette.module.css';
import { type SearchResult, searchHits } from './search-hits.ts';

export function usePalette() {
  const [opened, { open, close }] = useDisclosure(false);
  useHotkeys([
    ['/', open],
    ['mod+K', open],
  ]);
  return { opened, open, close };
}

interface PaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly area: 'business' | 'operator';
  readonly base: string;
  readonly mode: Mode;
  readonly businessId: string | null;
}

interface Choice extends SearchResult {
  readonly icon: IconName;
}

const MIN_QUERY_LENGTH = 2;

export function Palette(props: PaletteProps) {
  return (
    <Modal.Root
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      padding={0}
      yOffset="12vh"
      centered={false}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label="Search" radius="md">
        <Search {...props} />
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ onClose, area, base, mode, businessId }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [asked] = useDebouncedValue(text.trim(), 200);
  const searches = asked.length >= MIN_QUERY_LENGTH;
  const asking = { query: { mode, q: asked }, keepPrevious: true };
  const all = useRead('/operator/search', { ...asking, enabled: searches && area === 'operator' });
  const own = useRead('/businesses/{business_id}/search', {
    ...{ ...asking, params: { business_id: businessId ?? '' } },
    enabled: searches && area === 'business',
  });
  const { data, isFetching } = area === 'operator' ? all : own;
  const go = useGo();
  const records = !searches || data === undefined ? [] : searchHits(data.hits, base, area);
  const choices: readonly Choice[] = [
    ...findPages(area, base, text.trim()),
    ...records.map((each) => ({ ...each, icon: 'search' as const })),
  ];
  const open = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onClose();
    go(choice.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((now) => Math.max(0, Math.min(choices.length - 1, now + step)));
    } else if (event.key === 'Enter') open(choices[at]);
  };
  return (
    <>
      <TextInput
        aria-label="Search by id, reference, account, hash, name or amount"
        placeholder="Search by id, reference, account, hash, name or amount"
        size="lg"
        variant="unstyled"
        className={styles.input!}
        leftSection={<Icon name="search" />}
        rightSection={isFetching ? <Loader size="xs" /> : null}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls="found"
        aria-activedescendant={choices.length > 0 ? `found-${at}` : undefined}
      />
      <Choices choices={choices} at={at} onPick={open} searched={searches && !isFetching} />
    </>
  );
}

interface ChoicesProps {
  readonly choices: readonly Choice[];
  readonly at: number;
  readonly onPick: (choice: Choice) => void;
  readonly searched: boolean;
}

function Choices({ choices, at, onPick, searched }: ChoicesProps) {
  return (
    <div id="found" role="listbox" aria-label="Results" className={styles.list}>
      {choices.length === 0 && searched && <p className={styles.none}>No results in this mode.</p>}
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input moves between the options and opens them
        <div
          key={`${choice.to} ${choice.label}`}
          id={`found-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={styles.choice}
          onClick={() => onPick(choice)}
        >
          <Icon name={choice.icon} size={16} />
          <span className={styles.label}>{choice.label}</span>
          <span className={styles.hint}>{choice.hint}</span>
        </div>
      ))}
    </div>
  );
}

function findPages(area: 'business' | 'operator', base: string, text: string): readonly Choice[] {
  const groups = area === 'operator' ? OPERATOR_NAV : BUSINESS_NAV;
  const entries = groups.flatMap(
    (group) => group.entries as readonly { label: string; path: string; icon: IconName }[],
  );
  const wanted = text.toLowerCase();
  return entries
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .slice(0, wanted === '' ? 6 : 4)
    .map(({ label, path, icon }) => ({ label, hint: 'Page', to: base + path, icon }));
}
