// The identifiers of the business for its requests. The page also has the default wallets, in both modes, for buys without a
// wallet.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { GetBusinessAnswer, Wallet } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { words } from '../../../components/format.ts';
import { Facts, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Id } from '../../../components/values.tsx';
import { type Mode, useBusinessLocation } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { RemoveWallet, SetWallet } from './dialogs.tsx';

export default function WalletsPage() {
  const { mode } = useBusinessLocation();
  const business = useBusiness();
  const modes: readonly Mode[] = mode === 'test' ? ['test', 'live'] : ['live', 'test'];
  return (
    <Page
      title="Wallets"
      lead="A buy without a wallet goes to the default wallet of its mode. If there is none, the buy waits until you set one."
    >
      {business.error !== null && business.data === undefined ? (
        <Failure error={business.error} retry={() => void business.refetch()} />
      ) : (
        <>
          <div className={styles.wallets}>
            {modes.map((each) => (
              <DefaultWallet key={each} mode={each} business={business.data} />
            ))}
          </div>
          <About business={business.data} />
        </>
      )}
    </Page>
  );
}

interface WalletProps {
  readonly mode: Mode;
  readonly business: GetBusinessAnswer | undefined;
}

function DefaultWallet({ mode, business }: WalletProps) {
  return (
    <Section
      title={`Default wallet in ${mode} mode`}
      actions={
        <span className={styles.mode} data-mode={mode}>
          {mode === 'test' ? 'TEST' : 'Live'}
        </span>
      }
    >
      {business === undefined ? (
        <Loading lines={3} />
      ) : (
        <WalletCard mode={mode} wallet={business.default_wallets[mode]} isOwner={business.role === 'owner'} />
      )}
    </Section>
  );
}

interface CardProps {
  readonly mode: Mode;
  readonly wallet: Wallet | null;
  readonly isOwner: boolean;
}

function WalletCard({ mode, wallet, isOwner }: CardProps) {
  const [doing, setDoing] = useState<'set' | 'remove' | null>(null);
  const networks = useNetworks(mode).data?.networks;
  const known = networks?.find(({ name }) => name === wallet?.network);
  const none = networks !== undefined && !networks.some(({ enabled }) => enabled);
  const close = () => setDoing(null);
  return (
    <div className="column flush">
      {wallet === null ? (
        <p className="quiet">Not set. Buys without a wallet stay in the state “Awaiting wallet”.</p>
      ) : (
        <Facts
          facts={[
            { label: 'Network', value: wallet.network },
            { label: 'Token', value: known?.asset },
            { label: 'Address', value: <Id value={wallet.wallet_address} label="wallet address" keep={8} /> },
          ]}
        />
      )}
      {none && <Notice>No network is enabled in {mode} mode yet. Contact the operator.</Notice>}
      {isOwner && !none && (
        <div className="row" data-gap="small">
          <Button variant={wallet === null ? 'filled' : 'default'} onClick={() => setDoing('set')}>
            {wallet === null ? `Set ${mode} wallet` : `Change ${mode} wallet`}
          </Button>
          {wallet !== null && (
            <Button variant="subtle" color="red" onClick={() => setDoing('remove')}>
              Remove {mode} wallet
            </Button>
          )}
        </div>
      )}
      {doing === 'set' && <SetWallet mode={mode} wallet={wallet} networks={networks ?? []} onClose={close} />}
      {doing === 'remove' && wallet !== null && <RemoveWallet mode={mode} wallet={wallet} onClose={close} />}
    </div>
  );
}

function About({ business }: { readonly business: GetBusinessAnswer | undefined }) {
  return (
    <Section
      title="Your business"
      lead="Send business_id and link_tag in requests that create a transaction."
    >
      {business === undefined ? (
        <Loading lines={4} />
      ) : (
        <div className={styles.narrow}>
          {' '}
          <Facts
            facts={[
              { label: 'Name', value: business.name },
              {
                label: 'business_id',
                value: <Id value={business.business_id} label="business_id" keep={false} />,
              },
              { label: 'link_tag', value: <Id value={business.link_tag} label="link_tag" keep={false} /> },
              { label: 'Your role', value: words(business.role) },
            ]}
          />
        </div>
      )}
    </Section>
  );
}

function useBusiness() {
  const { params } = useBusinessLocation();
  return useRead('/businesses/{business_id}', { params });
}

function useNetworks(mode: Mode) {
  const { params } = useBusinessLocation();
  return useRead('/businesses/{business_id}/networks/{mode}', { params: { ...params, mode } });
}
