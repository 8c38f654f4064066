// The balances of all ledger accounts, by asset. The debits and credits of each asset are side by side, so that a reader sees
// that they are equal. A row links to the postings of the account.
import { Button } from '@mantine/core';
import type { AccountBalance, AssetBalances } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { lagosTime } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { Empty, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import styles from '../operator.module.css';
import { useRefreshOnHints } from '../rules.tsx';
import { accountTitle, assetTitle, LedgerAmount, OnSide, useBalances, WithSide } from './words.tsx';

export default function LedgerPage() {
  const { mode } = useOperatorLocation();
  const { data, error, refetch, isRefetching } = useBalances(mode);
  useRefreshOnHints(['ledger'], `/operator/ledger/${mode}`);
  return (
    <Page
      title="Ledger"
      lead="Every movement of money is an entry with equal debits and credits. Open an account to see the postings behind its balance."
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="refresh" size={16} />}
          disabled={isRefetching}
          onClick={() => void refetch()}
        >
          Refresh balances
        </Button>
      }
    >
      {error !== null && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && (
        <Section>
          <Loading lines={8} label="Loading balances" />
        </Section>
      )}
      {data !== undefined && <Balances asOf={data.as_of} assets={data.assets} />}
    </Page>
  );
}

function Balances({ asOf, assets }: { readonly asOf: string; readonly assets: readonly AssetBalances[] }) {
  if (assets.length === 0)
    return (
      <Section>
        <Empty icon="ledger" title="The ledger is empty">
          Balances appear here with the first payment or deposit, or when you book your own funds.
        </Empty>
      </Section>
    );
  const wrong = assets.filter(({ sum }) => !isZero(sum));
  return (
    <>
      {wrong.length === 0 ? (
        <Notice tone="completed">
          The books balance: debits equal credits in all {assets.length} assets. As of {lagosTime(asOf)}.
        </Notice>
      ) : (
        <Notice tone="failed">
          The books are out of balance in {wrong.map(({ asset }) => assetTitle(asset)).join(', ')}. Sends of
          these assets are halted. Investigate with <code className="mono">bin/sliproad ledger check</code>
        </Notice>
      )}
      {assets.map((each) => (
        <Asset key={each.asset} {...each} />
      ))}
    </>
  );
}

function Asset({ asset, decimals, debits, credits, sum, accounts }: AssetBalances) {
  const { base } = useOperatorLocation();
  const of = { asset, decimals };
  const columns: readonly Column<AccountBalance>[] = [
    { title: 'Account', cell: (row) => <AccountName account={row} /> },
    { title: 'Description', from: 'md', cell: ({ meaning }) => <span className="quiet">{meaning}</span> },
    {
      ...{ title: 'Debit', align: 'right', from: 'sm', width: 220 },
      cell: ({ side, balance }) => <OnSide on="debit" side={side} {...of} amount={balance} />,
    },
    {
      ...{ title: 'Credit', align: 'right', from: 'sm', width: 220 },
      cell: ({ side, balance }) => <OnSide on="credit" side={side} {...of} amount={balance} />,
    },
    {
      ...{ title: 'Balance', align: 'right', until: 'sm' },
      cell: ({ side, balance }) => <WithSide side={side} {...of} amount={balance} />,
    },
  ];
  return (
    <Section title={assetTitle(asset)} actions={<Sum {...of} sum={sum} />} bare>
      <DataTable
        caption={`Accounts in ${assetTitle(asset)}`}
        columns={columns}
        rows={accounts}
        rowKey={({ account_id: id }) => id}
        rowHref={({ account_id: id }) => `${base}/ledger/accounts/${id}`}
        empty={null}
        foot={
          <tr>
            <td>Total</td>
            <td data-from="md" />
            <td data-align="right" data-from="sm">
              <LedgerAmount {...of} amount={debits} />
            </td>
            <td data-align="right" data-from="sm">
              <LedgerAmount {...of} amount={credits} />
            </td>
            <td data-align="right" data-until="sm">
              <LedgerAmount {...of} amount={sum} />
            </td>
          </tr>
        }
      />
    </Section>
  );
}

function AccountName({ account }: { readonly account: AccountBalance }) {
  const [, , ...rest] = account.key.split('/');
  return (
    <span className={styles.account}>
      <span className={styles.accountTitle}>{accountTitle(account)}</span>
      <span className={`mono ${styles.accountKey}`}>{rest.join('/')}</span>
    </span>
  );
}

function Sum({ sum, ...of }: Pick<AssetBalances, 'sum' | 'asset' | 'decimals'>) {
  return (
    <span className={styles.sum}>
      Debits − credits = <LedgerAmount {...of} amount={sum} />
      {isZero(sum) ? (
        <State state="adds_up" tone="completed" label="Balanced" />
      ) : (
        <State state="drift" tone="failed" label="Out of balance" />
      )}
    </span>
  );
}

function isZero(amount: string): boolean {
  return /^[-0.]+$/.test(amount);
}
