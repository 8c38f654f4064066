// The actions of a member on a transaction: setting its wallet, and cancelling the transaction before money has arrived.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { idempotencyKey, post } from '../../../api/calls.ts';
import type { Transaction } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { naira } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { type BusinessLocation, useBusinessLocation, useBusinessRole } from '../../../layout/location.ts';
import { useNetworks } from '../transactions/data.ts';
import { pathOf, type TransactionParams } from './data.ts';
import styles from './transaction.module.css';
import { canCancel, noStepText, type Step, stepKey, stepsOf, takesWallet } from './words.ts';

const ONE = '/businesses/{business_id}/transactions/{mode}/{transaction_id}';

interface ActionProps {
  readonly of: TransactionParams;
  readonly transaction: Transaction;
}

export function Actions(props: ActionProps) {
  const role = useBusinessRole();
  const [open, setOpen] = useState<'wallet' | 'cancel' | null>(null);
  if (role === 'viewer') return null;
  const close = () => setOpen(null);
  return (
    <>
      {canCancel(props.transaction) && (
        <Button variant="default" onClick={() => setOpen('cancel')}>
          Cancel transaction
        </Button>
      )}
      {takesWallet(props.transaction) && <Button onClick={() => setOpen('wallet')}>Set wallet</Button>}
      <CancelDialog {...props} opened={open === 'cancel'} onClose={close} />
      <WalletDialog {...props} opened={open === 'wallet'} onClose={close} />
    </>
  );
}

interface DialogProps extends ActionProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

function CancelDialog({ of, transaction, opened, onClose }: DialogProps) {
  const [key] = useState(idempotencyKey);
  const money =
    transaction.type === 'Buy'
      ? 'A payment that arrives later is refunded'
      : 'Tokens that arrive later are returned';
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Cancel ${transaction.type.toLowerCase()}`}
      confirm="Cancel transaction"
      danger
      run={() => post(`${ONE}/cancel`, { params: of, headers: key })}
      refreshes={[pathOf(of)]}
      done="Transaction cancelled."
    >
      <p>
        This permanently cancels the {transaction.type.toLowerCase()} of {naira(transaction.amount)}. {money}.
      </p>
    </FormDialog>
  );
}

/** Example wallets for test mode. The key is the name of the network. */
function useExampleWallets(
  { params, mode }: BusinessLocation,
  wanted: boolean,
): Readonly<Record<string, string | undefined>> {
  const enabled = wanted && mode === 'test';
  const { data } = useRead('/businesses/{business_id}/first-buy/{mode}', { params, enabled });
  return data?.example?.wallets ?? {};
}

function WalletDialog({ of, transaction, opened, onClose }: DialogProps) {
  const location = useBusinessLocation();
  const networks = useNetworks(location);
  const examples = useExampleWallets(location, opened);
  const form = useForm({ initialValues: { network: '', wallet_address: '' } });
  const chosen = form.values.network || networks[0] || '';
  const address = form.values.wallet_address.trim();
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Set wallet"
      form={form}
      disabled={address === '' || chosen === ''}
      run={() => post(`${ONE}/wallet`, { params: of, body: { network: chosen, wallet_address: address } })}
      refreshes={[pathOf(of)]}
      done="Wallet set."
    >
      <p>
        {transaction.type === 'Buy'
          ? `Tokens worth ${naira(transaction.net_amount)} are sent to this wallet.`
          : 'The tokens are returned to this wallet.'}{' '}
        You cannot change it later.
      </p>
      <NativeSelect {...form.getInputProps('network')} label="Network" value={chosen} data={[...networks]} />
      <TextInput {...form.getInputProps('wallet_address')} label="Wallet address" />
      {examples[chosen] !== undefined && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => form.setValues({ wallet_address: examples[chosen]! })}
        >
          Use example wallet
        </Button>
      )}
    </FormDialog>
  );
}

export function PlayStrip({
  of,
  transaction,
}: {
  readonly of: TransactionParams;
  readonly transaction: Transaction;
}) {
  const steps = stepsOf(transaction);
  const play = useAction(
    (step: Step) =>
      post(`/businesses/{business_id}/transactions/test/{transaction_id}/${step.action}`, {
        params: of,
        body: step.amount === null ? {} : { amount: step.amount },
        headers: { 'idempotency-key': stepKey(step, transaction) },
      }),
    { refreshes: [pathOf(of)] },
  );
  return (
    <section className={styles.strip} aria-label="Play the next step">
      <span className={styles.stripTitle}>
        <Icon name="play" size={16} /> Play the next step
      </span>
      {steps.length === 0 ? (
        <span className={styles.stripText}>{noStepText(transaction)}</span>
      ) : (
        steps.map((step) => (
          <Button
            key={step.label}
            size="xs"
            variant={step.main ? 'filled' : 'default'}
            loading={play.isPending && play.variables === step}
            disabled={play.isPending}
            onClick={() => play.mutate(step)}
          >
            {step.label}
          </Button>
        ))
      )}
    </section>
  );
}
