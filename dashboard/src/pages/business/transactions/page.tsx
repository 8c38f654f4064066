// The transactions of a business in one mode: searched, filtered by the address of the page, exported, and followed live.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { downloadUrl } from '../../../api/calls.ts';
import { useBusinessPlace, useBusinessRole, useFilters } from '../../../frame/place.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useGo } from '../../../parts/link.tsx';
import { Empty, Page } from '../../../parts/page.tsx';
import { listPath, useLiveTransactions, useTinted } from './data.ts';
import { FilterBar } from './filter-bar.tsx';
import { apiQuery } from './filters.ts';
import { MakeDialog } from './make-dialog.tsx';
import { TransactionTable } from './table.tsx';

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
