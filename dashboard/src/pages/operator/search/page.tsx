// The search over all records of this mode, grouped by kind. The search text is in the URL, so that people can share a link.
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { Hit, SearchAnswer } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { lagosTime } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { Empty, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Ago, State } from '../../../components/values.tsx';
import { useFilters, useOperatorLocation } from '../../../layout/location.ts';
import { searchHits } from '../../../layout/search-hits.ts';

const MIN_QUERY_LENGTH = 2;
const KINDS: readonly (readonly [Hit['kind'], string])[] = [
  ['transaction', 'Transactions'],
  ['credit', 'Bank credits'],
  ['deposit', 'Token deposits'],
  ['movement', 'Sends, payouts and refunds'],
  ['business', 'Businesses'],
  ['vendor', 'Vendors'],
  ['person', 'People'],
];

export default function SearchPage() {
  const { mode, base } = useOperatorLocation();
  const { filters, set } = useFilters();
  const [text, setText] = useState(filters.q ?? '');
  const [asked] = useDebouncedValue(text.trim(), 300);
  useEffect(() => {
    if ((filters.q ?? '') !== asked) set({ q: asked });
  }, [asked, filters.q, set]);
  const searches = asked.length >= MIN_QUERY_LENGTH;
  const { data, error, refetch } = useRead('/operator/search', {
    query: { mode, q: asked },
    enabled: searches,
    keepPrevious: true,
  });
  return (
    <Page title="Search" lead="Searches read business data and are recorded in the audit log.">
      <TextInput
        label="Id, reference, account number, hash, wallet, name or amount"
        placeholder="txn_…, 0123456785, 0x…, Ada, 15,000.00"
        leftSection={<Icon name="search" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={100}
        autoFocus
      />
      {!searches && (
        <Section>
          <Empty icon="search" title="Type at least two characters">
            Press / or Ctrl-K to search from any page.
          </Empty>
        </Section>
      )}
      {searches && error !== null && <Failure error={error} retry={() => void refetch()} />}
      {searches && error === null && data === undefined && (
        <Section>
          <Loading lines={6} label="Searching" />
        </Section>
      )}
      {searches && data !== undefined && <Found answer={data} base={base} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Hit>[] = [
  { title: 'Record', cell: ({ title }) => title },
  { title: 'Details', from: 'sm', cell: ({ detail }) => <span className="quiet">{detail}</span> },
  { title: 'State', cell: ({ state }) => (state === null ? '—' : <State state={state} />) },
  { title: 'Time', align: 'right', from: 'md', cell: ({ at }) => <Ago at={at} /> },
];

function Found({
  answer: { hits, back_to },
  base,
}: {
  readonly answer: SearchAnswer;
  readonly base: string;
}) {
  if (hits.length === 0)
    return (
      <Section>
        <Empty icon="search" title="No results in this mode">
          {back_to !== null &&
            `Names, amounts, account numbers and wallets were searched back to ${lagosTime(back_to)}. Ids, references and hashes are searched without a time limit.`}
        </Empty>
      </Section>
    );
  return (
    <>
      {KINDS.map(([kind, title]) => {
        const own = hits.filter((hit) => hit.kind === kind);
        return own.length === 0 ? null : (
          <Section key={kind} title={title} bare>
            <DataTable
              caption={title}
              columns={COLUMNS}
              rows={own}
              rowKey={({ id }) => id}
              rowHref={(hit) => searchHits([hit], base, 'operator')[0]!.to}
              empty={null}
            />
          </Section>
        );
      })}
      {back_to !== null && (
        <p className="quiet">
          Names, amounts, account numbers and wallets were searched back to {lagosTime(back_to)}.
        </p>
      )}
    </>
  );
}
