// The transactions of a business in one mode, with search, filters in the URL, export and live updates.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { downloadUrl } from '../../../api/calls.ts';
import type { ListBusinessTransactionsQuery, Transaction } from '../../../api/console-types.ts';
import { useList } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useGo } from '../../../components/link.tsx';
import { Empty, Page } from '../../../components/page.tsx';
import { Ago, Money, State } from '../../../components/values.tsx';
import {
  type BusinessLocation,
  useBusinessLocation,
  useBusinessRole,
  useFilters,
} from '../../../layout/location.ts';
import { CreateDialog } from './create-dialog.tsx';
import { listPath, useLiveTransactions, useTinted } from './data.ts';
import { FilterBar } from './filter-bar.tsx';
import { apiQuery } from './filters.ts';

export default function TransactionsPage() {
  const location = useBusinessLocation();
  const { base, mode, params } = location;
  const role = useBusinessRole();
  const { filters } = useFilters();
  const query = apiQuery(filters);
  const [making, setMaking] = useState(false);
  const [tinted, tint] = useTinted();
  useLiveTransactions(location, [listPath(location)], tint);
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
          {mayMake && <Button onClick={() => setMaking(true)}>Create test transaction</Button>}
        </>
      }
    >
      <FilterBar location={location} />
      <TransactionTable
        location={location}
        query={query}
        tinted={tinted}
        empty={
          Object.keys(query).length === 0 ? (
            <Empty
              title="No transactions yet"
              action={
                <Button variant="default" onClick={() => go(`${base}/start`)}>
                  Create your first buy
                </Button>
              }
            >
              Buys and sells appear here as soon as the API accepts them.
            </Empty>
          ) : (
            <Empty icon="search" title="No matching transactions">
              Change or clear the filters. Search by the full id, reference, account number, wallet, hash or
              amount.
            </Empty>
          )
        }
      />
      {mayMake && <CreateDialog location={location} opened={making} onClose={() => setMaking(false)} />}
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
  { title: 'Created', from: 'sm', align: 'right', cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface TransactionTableProps {
  readonly location: BusinessLocation;
  readonly query: ListBusinessTransactionsQuery;
  readonly tinted: ReadonlySet<string>;
  readonly empty?: ReactNode;
  /** True means that the list has no "load more" button. */
  readonly oneOnly?: boolean;
}

export function TransactionTable({ location, query, tinted, empty, oneOnly = false }: TransactionTableProps) {
  const { base, params } = location;
  const list = useList('/businesses/{business_id}/transactions/{mode}', 'transactions', { params, query });
  return (
    <DataTable
      caption="Transactions, newest first"
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
            Buys and sells appear here as soon as the API accepts them.
          </Empty>
        )
      }
      more={oneOnly ? undefined : list.more}
      loadingMore={list.loadingMore}
    />
  );
}
