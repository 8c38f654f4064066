// The request log as a dense list with filters. A request opens next to the list, or above the list on a small screen.
import { Drawer, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { LoggedRequest } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Page } from '../../../components/page.tsx';
import { Ago } from '../../../components/values.tsx';
import { useBusinessLocation, useFilters } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { usePolling } from '../webhooks/endpoints.tsx';
import { SINCE, useRequests, useRequestsPath } from './data.ts';
import { RequestPanel, StatusState } from './detail.tsx';

const BESIDE = '(min-width: 1200px)';

export default function RequestsPage() {
  const { mode } = useBusinessLocation();
  const { filters, set } = useFilters();
  const beside = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false });
  const open = filters.request ?? '';
  const close = () => set({ request: '' });
  const list = <RequestList onOpen={(id) => set({ request: id })} narrow={open !== '' && beside === true} />;
  return (
    <Page
      title="API requests"
      lead={`Your requests in ${mode} mode that changed data or were refused. Kept for 30 days, with secrets masked.`}
    >
      <div>
        <RequestFilters filters={filters} set={set} />
        <div className={styles.beside} data-open={(open !== '' && beside) || undefined}>
          {list}
          {open !== '' && beside && (
            <aside className={`card ${styles.panel}`} aria-label="Request details">
              <RequestPanel id={open} onClose={close} />
            </aside>
          )}
        </div>
      </div>
      {!beside && (
        <Drawer
          opened={open !== ''}
          onClose={close}
          position="right"
          size="md"
          title="Request"
          closeButtonProps={{ 'aria-label': 'Close request' }}
        >
          {open !== '' && <RequestPanel id={open} />}
        </Drawer>
      )}
    </Page>
  );
}

interface ListProps {
  readonly onOpen: (id: string) => void;
  /** True means that a request is open next to the list. */
  readonly narrow: boolean;
}

function RequestList({ onOpen, narrow }: ListProps) {
  const { filters } = useFilters();
  const list = useRequests(filters);
  usePolling(useRequestsPath(), 5_000);
  const filtered = ['status', 'path', 'since'].some((name) => filters[name] !== undefined);
  const columns: readonly Column<LoggedRequest>[] = [
    { title: 'Request', cell: (request) => <Asked request={request} /> },
    { title: 'Status', cell: ({ status }) => <StatusState status={status} /> },
    ...(narrow ? [] : WIDE),
    { title: 'Time', align: 'right', from: 'sm', cell: ({ at }) => <Ago at={at} /> },
  ];
  return (
    <DataTable
      caption="Requests, newest first"
      columns={columns}
      {...list}
      rowKey={({ request_id }) => request_id}
      onRow={({ request_id }) => onOpen(request_id)}
      empty={
        <Empty icon="log" title={filtered ? 'No matching requests' : 'No requests yet'}>
          {filtered
            ? 'Clear a filter, or choose Load more to search older requests.'
            : 'Send a request with a key for this mode. It appears here within a second.'}
        </Empty>
      }
    />
  );
}

const WIDE: readonly Column<LoggedRequest>[] = [
  {
    title: 'Code',
    from: 'md',
    cell: ({ code }) =>
      code === null ? <span className="quiet">—</span> : <span className="mono">{code}</span>,
  },
  { title: 'Duration', align: 'right', from: 'lg', cell: ({ duration_ms }) => `${duration_ms} ms` },
];

function Asked({ request: { method, path } }: { readonly request: LoggedRequest }) {
  return (
    <span className={`mono ${styles.cut}`} title={`${method} ${path}`}>
      <strong>{method}</strong> {path}
    </span>
  );
}

interface Props {
  readonly filters: Readonly<Record<string, string>>;
  readonly set: (changes: Readonly<Record<string, string>>) => void;
}

const TYPING_MS = 250;

function RequestFilters({ filters, set }: Props) {
  const [path, setPath] = useState(filters.path ?? '');
  const search = useDebouncedCallback((text: string) => set({ path: text.trim() }), TYPING_MS);
  return (
    <search className={styles.toolbar}>
      <SegmentedControl
        aria-label="Filter requests by status"
        value={filters.status ?? ''}
        onChange={(status) => set({ status })}
        data={[
          { value: '', label: 'All' },
          { value: '2xx', label: 'Succeeded' },
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
