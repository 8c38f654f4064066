// Test mode: the strip that lets the next step happen. The service then works as it would with a real bank and a real network.
import { Button } from '@mantine/core';
import { post } from '../../../api/calls.ts';
import type { Transaction } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { Icon } from '../../../parts/icon.tsx';
import { type OfTransaction, pathOf } from './data.ts';
import styles from './transaction.module.css';
import { nothingToPlay, type Step, stepKey, stepsOf } from './words.ts';

export function PlayStrip({
  of,
  transaction,
}: {
  readonly of: OfTransaction;
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
        <span className={styles.stripText}>{nothingToPlay(transaction)}</span>
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
