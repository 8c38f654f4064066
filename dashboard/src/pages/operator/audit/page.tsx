// The audit log: who did what and when. Its filters are in the URL. The page also checks that the log is unaltered.
import { Button, Modal, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { AuditEntry } from '../../../api/console-types.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { shortened } from '../../../components/format.ts';
import { Empty, Facts, Page, Section } from '../../../components/page.tsx';
import { Ago, Id, Time } from '../../../components/values.tsx';
import { useFilters } from '../../../layout/location.ts';
import styles from '../operator.module.css';
import { Chain } from './chain.tsx';
import { FILTERS, type Filter, useEntries } from './data.ts';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Action', cell: ({ action }) => <span className="mono">{action}</span> },
  {
    title: 'Actor',
    cell: ({ actor, actor_name: name }) => name ?? <span className="mono">{shortened(actor)}</span>,
  },
  {
    ...{ title: 'Subject', from: 'md' },
    cell: (entry) => <About {...entry} />,
  },
  {
    ...{ title: 'Business', from: 'lg' },
    cell: ({ business_id: id }) => id !== null && <span className="mono">{shortened(id)}</span>,
  },
  { title: 'Time', from: 'sm', cell: ({ at }) => <Ago at={at} /> },
  {
    ...{ title: 'Entry', align: 'right', from: 'sm' },
    cell: ({ no }) => no.toLocaleString('en'),
  },
];

function About({ subject, detail }: AuditEntry) {
  if (subject !== null) return <span className="mono">{shortened(subject)}</span>;
  const what = (detail as { readonly what?: unknown } | null)?.what;
  return typeof what === 'string' && <span className="quiet">{what.split('/console/v1/').at(-1)}</span>;
}

export default function AuditPage() {
  const { filters } = useFilters();
  const { rows, error, retry, more, loadingMore } = useEntries(filters);
  const [opened, open] = useState<AuditEntry | null>(null);
  return (
    <Page
      title="Audit log"
      lead="Actions of people and of the service, and reads of business data. Entries are append-only."
    >
      <Chain />
      <Section title="Entries" bare>
        <Filters />
        <DataTable
          caption="Audit log entries, newest first"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ no }) => String(no)}
          onRow={open}
          error={error}
          retry={retry}
          more={more}
          loadingMore={loadingMore}
          empty={
            <Empty icon="audit" title="No matching entries">
              Change or clear the filters.
            </Empty>
          }
        />
      </Section>
      <EntryDialog entry={opened} onClose={() => open(null)} />
    </Page>
  );
}

const LABELS: Readonly<Record<Filter, string>> = {
  actor: 'Actor id',
  action: 'Action starts with',
  subject: 'Subject id',
  business_id: 'Business id',
  since: 'From',
  until: 'Before',
};

function Filters() {
  const { filters, set } = useFilters();
  const [typed, setTyped] = useState(filters);
  const apply = useDebouncedCallback(set, 300);
  const change = (name: Filter, value: string) => {
    setTyped((before) => ({ ...before, [name]: value }));
    apply({ ...typed, [name]: value.trim() });
  };
  return (
    <search className={styles.auditFilters}>
      {FILTERS.map((name) => (
        <TextInput
          key={name}
          size="xs"
          label={LABELS[name]}
          type={name === 'since' || name === 'until' ? 'date' : 'text'}
          value={typed[name] ?? ''}
          onChange={(event) => change(name, event.currentTarget.value)}
          maxLength={200}
          spellCheck={false}
        />
      ))}
      {FILTERS.some((name) => typed[name]) && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => {
            setTyped({});
            set(Object.fromEntries(FILTERS.map((name) => [name, ''])));
          }}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

function EntryDialog({
  entry,
  onClose,
}: {
  readonly entry: AuditEntry | null;
  readonly onClose: () => void;
}) {
  return (
    <Modal opened={entry !== null} onClose={onClose} title={`Entry ${entry?.no ?? ''}`} size="lg">
      {entry !== null && (
        <div className="column">
          <Facts
            facts={[
              { label: 'Action', value: <span className="mono">{entry.action}</span> },
              {
                label: 'Actor',
                value: (
                  <>
                    {entry.actor_name} <Id value={entry.actor} label="actor" keep={false} />
                  </>
                ),
              },
              { label: 'Time', value: <Time at={entry.at} /> },
              entry.subject !== null && {
                label: 'Subject',
                value: <Id value={entry.subject} label="subject" keep={false} />,
              },
              entry.business_id !== null && {
                label: 'Business',
                value: <Id value={entry.business_id} label="business id" keep={false} />,
              },
              { label: 'Hash', value: <Id value={entry.hash} label="hash" keep={12} /> },
            ]}
          />
          <CodeBlock code={JSON.stringify(entry.detail, null, 2)} label="detail" title="Detail" />
        </div>
      )}
    </Modal>
  );
}
