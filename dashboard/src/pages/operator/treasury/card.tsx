// One treasury: its bar, its balance on the chain and in the ledger, and the address that people send tokens to.
import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { Treasury, TreasuryChain } from '../../../api/console-types.ts';
import { digits } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { type Fact, Facts, Notice } from '../../../components/page.tsx';
import { QrCode } from '../../../components/qr-code.tsx';
import { Id, State, Time, TokenAmount } from '../../../components/values.tsx';
import { TreasuryBar } from './bar.tsx';
import styles from './treasury.module.css';

export function TreasuryCard({ treasury }: { readonly treasury: Treasury }) {
  const { network, asset, booked, chain, halted, problem } = treasury;
  return (
    <article className="card column" aria-label={`Treasury on ${network}`}>
      <Group gap={8} justify="space-between">
        <h2 className={styles.network}>{network}</h2>
        <Condition treasury={treasury} />
      </Group>
      <span className={styles.booked}>
        <TokenAmount amount={booked} asset={asset} />
      </span>
      <TreasuryBar treasury={treasury} />
      {halted !== null && (
        <Notice tone="failed">
          Sends are halted: {halted.reason}. <Time at={halted.since} />
        </Notice>
      )}
      {problem !== null && <Notice tone="person">Cannot read the chain: {problem}</Notice>}
      {chain === null && problem === null && (
        <p className={`quiet ${styles.note}`}>Simulated for test mode: there is no wallet to top up.</p>
      )}
      {chain !== null && <OnChain treasury={treasury} chain={chain} />}
    </article>
  );
}

function Condition({ treasury: { halted, chain, problem } }: { readonly treasury: Treasury }) {
  if (halted !== null) return <State state="halted" />;
  if (problem !== null) return <State state="unknown" label="Chain unreachable" />;
  if (chain !== null && !isZero(chain.drift)) return <State state="drift" tone="failed" label="Drift" />;
  if (chain !== null && chain.low.length > 0) return <State state="low" tone="person" label="Low" />;
  if (chain === null) return <State state="simulated" tone="waiting" />;
  return <State state="ready" tone="completed" />;
}

function OnChain({ treasury, chain }: { readonly treasury: Treasury; readonly chain: TreasuryChain }) {
  const [shown, show] = useState(false);
  const { network, asset } = treasury;
  return (
    <>
      <Facts facts={factsOf(treasury, chain)} />
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => show(true)}
        >
          Top up {network}
        </Button>
      </div>
      <Modal opened={shown} onClose={() => show(false)} title={`Top up ${network}`}>
        <div className={`column flush ${styles.topUp}`}>
          <p>
            Send {asset} or {chain.gas.asset} on {network} to this address, and nothing else. Tokens then
            appear under Review as a deposit: propose to book them as own funds, and another person approves.
            Coin is booked when it is spent.
          </p>
          <QrCode text={chain.address} label={`Address of the treasury on ${network}`} />
          <Id value={chain.address} label="address" keep={false} />
        </div>
      </Modal>
    </>
  );
}

function factsOf({ asset, caps }: Treasury, chain: TreasuryChain): readonly (Fact | false)[] {
  const { gas } = chain;
  return [
    { label: 'Address', value: <Id value={chain.address} label="address" /> },
    { label: 'On chain', value: <TokenAmount amount={chain.balance} asset={asset} /> },
    {
      label: 'Drift',
      value: isZero(chain.drift) ? 'None' : <TokenAmount amount={chain.drift} asset={asset} />,
    },
    !isZero(chain.unswept) && {
      label: 'At deposit addresses',
      value: <TokenAmount amount={chain.unswept} asset={asset} />,
    },
    {
      label: 'Gas',
      value: (
        <>
          <TokenAmount amount={gas.balance} asset={gas.asset} />{' '}
          <span className="quiet">low mark {digits(gas.low_mark)}</span>
        </>
      ),
    },
    caps !== null && {
      label: 'Signed today',
      value: (
        <>
          <TokenAmount amount={caps.today} asset={asset} />{' '}
          <span className="quiet">
            {caps.per_day === null ? 'no daily cap' : `of ${digits(caps.per_day)} per day`},{' '}
            {caps.per_payment === null ? 'no cap per payment' : `${digits(caps.per_payment)} per payment`}
          </span>
        </>
      ),
    },
    { label: 'Last read', value: <Time at={chain.read_at} /> },
  ];
}

function isZero(amount: string): boolean {
  return /^[-0.]+$/.test(amount);
}
