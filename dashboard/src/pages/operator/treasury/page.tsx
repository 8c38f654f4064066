// The treasuries: balances, reserved and in-flight tokens, the addresses for new tokens, and recent sends.

import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { GetTreasuriesAnswer } from '../../../api/console-types.ts';
import { Icon } from '../../../components/icon.tsx';
import { GuideLink } from '../../../components/link.tsx';
import { Empty, Failure, Notice, Page, Section } from '../../../components/page.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useMay } from '../rules.tsx';
import { BankAccounts } from './bank-accounts.tsx';
import { useTreasuries } from './bar.tsx';
import { TreasuryCard } from './card.tsx';
import { Providers, RecentSends, Withdrawals } from './lists.tsx';
import { WithdrawDialog } from './withdraw.tsx';

export default function TreasuryPage() {
  const { mode } = useOperatorLocation();
  const { data, error, refetch, isFetching } = useTreasuries(mode);
  const [withdrawing, setWithdrawing] = useState(false);
  const mayPropose = useMay('propose');
  const treasuries = data?.treasuries ?? [];
  return (
    <Page
      title="Treasury"
      lead="Token wallets and bank accounts of the operator."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="refresh" size={16} />}
            loading={isFetching}
            onClick={() => void refetch()}
          >
            Refresh balances
          </Button>
          {mayPropose && (
            <Button disabled={treasuries.length === 0} onClick={() => setWithdrawing(true)}>
              Withdraw tokens
            </Button>
          )}
        </>
      }
    >
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Overview data={data} />
      )}
      <BankAccounts />
      {withdrawing && <WithdrawDialog onClose={() => setWithdrawing(false)} treasuries={treasuries} />}
    </Page>
  );
}

function Overview({ data }: { readonly data: GetTreasuriesAnswer | undefined }) {
  const { mode } = useOperatorLocation();
  if (data !== undefined && data.treasuries.length === 0 && data.disabled.length === 0)
    return (
      <Section>
        <Empty icon="treasury" title={`No network is configured in ${mode} mode`}>
          Treasuries appear here after you add a network to the networks file and restart the service.
          <GuideLink page="operate/networks">The guide</GuideLink> says how.
        </Empty>
      </Section>
    );
  return (
    <>
      {data?.disabled.map(({ network, problem }) => (
        <Notice key={network} tone="failed">
          {network} is disabled: {problem}
        </Notice>
      ))}
      <div className="cards">
        {data === undefined
          ? ['first', 'second', 'third', 'fourth'].map((each) => (
              <Skeleton key={each} height={196} radius={8} />
            ))
          : data.treasuries.map((each) => <TreasuryCard key={each.network} treasury={each} />)}
      </div>
      <RecentSends treasuries={data?.treasuries} />
      {data !== undefined && <Providers treasuries={data.treasuries} />}
      <Withdrawals sends={data?.withdrawals} />
    </>
  );
}
