// A list of transactions: whose amount and state come first, so that a phone shows what matters.
import type { ReactNode } from 'react';
import type { ListBusinessTransactionsQuery, Transaction } from '../../../api/console-types.ts';
import { useList } from '../../../api/reads.ts';
import type { BusinessPlace } from '../../../frame/place.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/page.tsx';
import { Ago, Money, State } from '../../../parts/values.tsx';

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
