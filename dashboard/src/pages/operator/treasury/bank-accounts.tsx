// The operator's bank accounts with their balances in the ledger, and naira that people moved at a bank. Two people book such a
// move.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BankAccount } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Money, TwoLines } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { accountName, useBankAccounts } from '../decisions/account-fields.tsx';
import { useMay, useRefreshOnHints } from '../rules.tsx';
import { NairaDialog } from './naira-dialog.tsx';

export function BankAccounts() {
  const { mode } = useOperatorLocation();
  const { data, error, refetch } = useBankAccounts(mode);
  useRefreshOnHints(['ledger'], '/operator/bank-accounts');
  const [booking, setBooking] = useState(false);
  const mayPropose = useMay('propose');
  return (
    <Section
      title="Bank accounts"
      lead="Naira balances in the books. Book deposits, withdrawals, transfers and bank charges here; each booking needs two people."
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
          <Empty icon="bank" title={`No bank accounts in ${mode} mode`}>
            Accounts come from vendors and from rails that pay out.
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
  { title: 'Reserved', from: 'sm', align: 'right', cell: ({ reserved }) => <Money amount={reserved} /> },
  { title: 'Total', align: 'right', cell: ({ balance }) => <Money amount={balance} /> },
];

function useOf({ kind, used_by: by }: BankAccount): string {
  const what = kind === 'vendor' ? 'Receives payments' : 'Makes payouts';
  return by.length === 0 ? what : `${what}: ${by.join(', ')}`;
}

function InTransit({ amount }: { readonly amount: string }) {
  return (
    <tr>
      <td>In transit between our accounts</td>
      <td data-from="sm" />
      <td data-from="sm" />
      <td data-align="right">
        <Money amount={amount} />
      </td>
    </tr>
  );
}
