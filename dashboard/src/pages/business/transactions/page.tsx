// The transactions of a business in one mode: searched, filtered by the address of the page, exported, and followed live.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { downloadUrl } from '../../../api/calls.ts';
import type { ListBusinessTransactionsQuery, Transaction } from '../../../api/console-types.ts';
import { useList } from '../../../api/reads.ts';
import { type BusinessPlace, useBusinessPlace, useBusinessRole, useFilters } from '../../../frame/place.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { useGo } from '../../../parts/link.tsx';
import { Empty, Page } from '../../../parts/page.tsx';
import { Ago, Money, State } from '../../../parts/values.tsx';
import { listPath, useLiveTransactions, useTinted } from './data.ts';
import { FilterBar } from './filter-bar.tsx';
import { apiQuery } from './filters.ts';
import { MakeDialog } from './make-dialog.tsx';

export default function TransactionsPage() {
  const place = useBusinessPlace();
  const { base, mode, params } = place;
  const role = useBusinessRole();
  const { filters } = useFilters();
  const query = apiQuery(filters);
  const [making, setMaking] = useState(false);
  const [tinted, tint] = useTinted();
  useLiveTransactions(place, [listPath(place)], tint);
  const go = useGo();
  const mayMake = mode === 'test' && role !== 'viewer';
  return (
    <Page
      title="Transactions"
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={downloadUrl('/businesses/{business_id}/transactions/{mode}/export', { params, query })}
            download
            leftSection={<Icon name="download" size={16} />}
          >
            Export as CSV
          </Button>
          {mayMake && <Button onClick={() => setMaking(true)}>Make a test transaction</Button>}
        </>
      }
    >
      <FilterBar place={place} />
      <TransactionTable
        place={place}
        query={query}
        tinted={tinted}
        empty={
          Object.keys(query).length === 0 ? (
            <Empty
              title="No transactions yet"
              action={
                <Button variant="default" onClick={() => go(`${base}/start`)}>
                  Make the first buy
                </Button>
              }
            >
              Buys and sells of your systems appear here as soon as they are accepted.
            </Empty>
          ) : (
            <Empty icon="search" title="No transaction matches">
              Change or clear the filters. A search needs the whole id, reference, number, wallet, hash or
              amount.
            </Empty>
          )
        }
      />
      {mayMake && <MakeDialog place={place} opened={making} onClose={() => setMaking(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'Type', cell: ({ type }) => type, width: 64 },
  { title: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
  { title: 'State', cell: ({ state }) => <State state={state} /> },
  { title: 'Name', from: 'lg', cell: ({ account_name, account_number }) => account_name ?? account_number },
  { title: 'Network', from: 'md', cell: ({ network }) => network ?? <span className="quiet">—</span> },
  { title: 'Reference', from: 'md', cell: ({ reference }) => <span className="mono">{reference}</span> },
  { title: 'Made', from: 'sm', align: 'right', cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface TransactionTableProps {
  readonly place: BusinessPlace;
  readonly query: ListBusinessTransactionsQuery;
  readonly tinted: ReadonlySet<string>;
  readonly empty?: ReactNode;
  /** Without "load more". */
  readonly oneOnly?: boolean;
}

export function TransactionTable({ place, query, tinted, empty, oneOnly = false }: TransactionTableProps) {
  const { base, params } = place;
  const list = useList('/businesses/{business_id}/transactions/{mode}', 'transactions', { params, query });
  return (
    <DataTable
      caption="Transactions, the newest first"
      columns={COLUMNS}
      rows={list.rows}
      rowKey={({ transaction_id }) => transaction_id}
      rowHref={({ transaction_id }) => `${base}/transactions/${transaction_id}`}
      tinted={({ transaction_id }) => tinted.has(transaction_id)}
      error={list.error}
      retry={list.retry}
      empty={
        empty ?? (
          <Empty title="No transactions yet">
            Buys and sells of your systems appear here as soon as they are accepted.
          </Empty>
        )
      }
      more={oneOnly ? undefined : list.more}
      loadingMore={list.loadingMore}
    />
  );
}
