// One account of the ledger: its balance and its postings, newest first. A row links to the entry of the posting.
import type { AccountBalance, AccountPosting } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { words } from '../../../components/format.ts';
import { Empty, Facts, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Ago, Id } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
import {
  accountTitle,
  assetTitle,
  LedgerAmount,
  OnSide,
  RecordLink,
  useAccount,
  WithSide,
} from '../ledger/words.tsx';
import styles from '../operator.module.css';

export default function AccountPage() {
  const { mode, base } = useOperatorLocation();
  const { account, decimals, postings, error, ...list } = useAccount(mode, useParam('accountId'));
  const title = account === undefined ? 'Account' : `${accountTitle(account)} · ${assetTitle(account.asset)}`;
  return (
    <Page title={title} back={{ to: `${base}/ledger`, label: 'Ledger' }} lead={account?.meaning}>
      {error !== null && account === undefined ? (
        <Failure error={error} retry={list.retry} />
      ) : (
        <>
          <Section>
            {account === undefined ? (
              <Loading lines={3} label="Loading account" />
            ) : (
              <Balance account={account} decimals={decimals} />
            )}
          </Section>
          <Section title="Postings" lead="Newest first. Open one to see the full entry." bare>
            <DataTable
              caption="Postings of this account"
              columns={columnsOf(base, account?.asset ?? '', decimals)}
              rows={postings}
              rowKey={({ entry_id: id }) => id}
              rowHref={({ entry_id: id }) => `${base}/ledger/entries/${id}`}
              empty={<Empty icon="ledger" title="No postings yet" />}
              more={list.more}
              loadingMore={list.loadingMore}
            />
          </Section>
        </>
      )}
    </Page>
  );
}

function Balance({
  account,
  decimals,
}: {
  readonly account: AccountBalance;
  readonly decimals: number | null;
}) {
  return (
    <>
      <p className={styles.balance}>
        <LedgerAmount asset={account.asset} decimals={decimals} amount={account.balance} />
      </p>
      <Facts
        facts={[
          { label: 'Side', value: `${words(account.side)} balance` },
          { label: 'Asset', value: assetTitle(account.asset) },
          { label: 'Key', value: <Id value={account.key} label="account key" keep={false} /> },
        ]}
      />
    </>
  );
}

function columnsOf(base: string, asset: string, decimals: number | null): readonly Column<AccountPosting>[] {
  const of = { asset, decimals };
  return [
    { title: 'Event', cell: ({ event }) => words(event) },
    { title: 'Time', from: 'sm', cell: ({ at }) => <Ago at={at} /> },
    {
      ...{ title: 'Record', from: 'md' },
      cell: ({ record_id: record, transaction_id: transaction }) => (
        <RecordLink base={base} id={transaction ?? record} />
      ),
    },
    { title: 'Entry', from: 'lg', cell: ({ entry_id: id }) => <span className="mono quiet">{id}</span> },
    {
      ...{ title: 'Debit', align: 'right', from: 'sm' },
      cell: ({ side, amount }) => <OnSide on="debit" side={side} {...of} amount={amount} />,
    },
    {
      ...{ title: 'Credit', align: 'right', from: 'sm' },
      cell: ({ side, amount }) => <OnSide on="credit" side={side} {...of} amount={amount} />,
    },
    {
      ...{ title: 'Amount', align: 'right', until: 'sm' },
      cell: ({ side, amount }) => <WithSide side={side} {...of} amount={amount} />,
    },
  ];
}
