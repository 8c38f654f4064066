// Our bank accounts: the naira in each by the books, and what people moved at a bank, booked by two of them.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BankAccount } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Money, TwoLines } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { accountName, useBankAccounts } from '../decisions/account-fields.tsx';
import { useHints, useMay } from '../rules.tsx';
import { NairaDialog } from './naira-dialog.tsx';

export function BankAccounts() {
  const { mode } = useOperatorLocation();
  const { data, error, refetch } = useBankAccounts(mode);
  useHints(['ledger'], '/operator/bank-accounts');
  const [booking, setBooking] = useState(false);
  const mayPropose = useMay('propose');
  return (
    <Section
      title="Bank accounts"
      lead="Naira by our books. What people put in, take out or move at a bank, and what the bank charges, is booked here by two of them."
      actions={
        mayPropose && (
          <Button
            variant="default"
            size="xs"
            disabled={!data?.accounts.length}
            onClick={() => setBooking(true)}
          >
            Book naira
          </Button>
        )
      }
      bare
    >
      <DataTable
        caption="Bank accounts"
        columns={COLUMNS}
        rows={data?.accounts}
        rowKey={({ kind, account }) => `${kind} ${account}`}
        error={error}
        retry={() => void refetch()}
        foot={
          data !== undefined && data.accounts.length > 0 ? <InTransit amount={data.in_transit} /> : undefined
        }
        empty={
          <Empty icon="bank" title={`The books have no bank account in ${mode} mode`}>
            An account appears with its vendor, or when the service was started with a rail that pays from it.
          </Empty>
        }
      />
      {booking && <NairaDialog onClose={() => setBooking(false)} />}
    </Section>
  );
}

const COLUMNS: readonly Column<BankAccount>[] = [
  {
    title: 'Account',
    cell: (account) => <TwoLines main={accountName(account)} below={useOf(account)} />,
  },
  { title: 'Free', from: 'sm', align: 'right', cell: ({ free }) => <Money amount={free} /> },
  { title: 'Set aside', from: 'sm', align: 'right', cell: ({ reserved }) => <Money amount={reserved} /> },
  { title: 'In all', align: 'right', cell: ({ balance }) => <Money amount={balance} /> },
];

function useOf({ kind, used_by: by }: BankAccount): string {
  const what = kind === 'vendor' ? 'Customers pay in' : 'Payouts leave from it';
  return by.length === 0 ? what : `${what}: ${by.join(', ')}`;
}

/** The columns of the table, so that the amount stands below the others. */
function InTransit({ amount }: { readonly amount: string }) {
  return (
    <tr>
      <td>On its way between our accounts</td>
      <td data-from="sm" />
      <td data-from="sm" />
      <td data-align="right">
        <Money amount={amount} />
      </td>
    </tr>
  );
}
