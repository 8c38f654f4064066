// The filters of the log of requests. They are in the address, so that a link shows the same list.
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import styles from '../integration.module.css';
import { SINCE } from './data.ts';

interface Props {
  readonly filters: Readonly<Record<string, string>>;
  readonly set: (changes: Readonly<Record<string, string>>) => void;
}

const TYPING_MS = 250;

export function RequestFilters({ filters, set }: Props) {
  const [path, setPath] = useState(filters.path ?? '');
  const search = useDebouncedCallback((text: string) => set({ path: text.trim() }), TYPING_MS);
  return (
    <search className={styles.toolbar}>
      <SegmentedControl
        aria-label="Requests by status"
        value={filters.status ?? ''}
        onChange={(status) => set({ status })}
        data={[
          { value: '', label: 'All' },
          { value: '2xx', label: 'Accepted' },
          { value: '4xx', label: 'Refused' },
          { value: '5xx', label: 'Failed' },
        ]}
      />
      <TextInput
        className={styles.grow ?? ''}
        aria-label="Path contains"
        placeholder="Path contains, for example onramp"
        value={path}
        maxLength={200}
        onChange={(event) => {
          setPath(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <NativeSelect
        aria-label="Time"
        value={filters.since ?? ''}
        onChange={(event) => set({ since: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any time' },
          ...Object.entries(SINCE).map(([value, { label }]) => ({ value, label })),
        ]}
      />
    </search>
  );
}
