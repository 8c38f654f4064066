// One transaction: its facts, its timeline, its money, and its events for the systems of the business.
import type { Transaction } from '../../../api/console-types.ts';
import { naira } from '../../../components/format.ts';
import { Columns, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Id, Money, State, Time, toneOf } from '../../../components/values.tsx';
import { useBusinessLocation, useBusinessRole, useParam } from '../../../layout/location.ts';
import { useLiveTransactions } from '../transactions/data.ts';
import { Actions, PlayStrip } from './actions.tsx';
import { pathOf, type TransactionParams, useTransaction } from './data.ts';
import { Deliveries, Events } from './events.tsx';
import { LedgerView, MoneyFacts, Refunds } from './money.tsx';
import { BankSide, NetworkSide, QuoteFacts } from './sides.tsx';
import { Timeline } from './timeline.tsx';
import styles from './transaction.module.css';
import { isFinished, withoutPath } from './words.ts';

export default function TransactionPage() {
  const location = useBusinessLocation();
  const id = useParam('transactionId');
  const of = { ...location.params, transaction_id: id };
  const { data, error, refetch } = useTransaction(of);
  useLiveTransactions(location, [pathOf(of)]);
  const back = { to: `${location.base}/transactions`, label: 'Transactions' };
  if (data === undefined)
    return (
      <Page title="Transaction" back={back}>
        {error === null ? (
          <Section>
            <Loading lines={8} label="Loading transaction" />
          </Section>
        ) : (
          <Failure error={error} retry={() => void refetch()} />
        )}
      </Page>
    );
  return <Shown transaction={data.transaction} of={of} back={back} />;
}

interface ShownProps {
  readonly transaction: Transaction;
  readonly of: TransactionParams;
  readonly back: { readonly to: string; readonly label: string };
}

function Shown({ transaction, of, back }: ShownProps) {
  const { mode } = useBusinessLocation();
  const role = useBusinessRole();
  const { type, amount, state } = transaction;
  return (
    <Page
      title={`${type} of ${naira(amount)}`}
      heading={
        <span className={styles.heading}>
          <span>
            {type} of <Money amount={amount} />
          </span>
          <State state={state} />
        </span>
      }
      lead={<Lead transaction={transaction} />}
      back={back}
      actions={<Actions of={of} transaction={transaction} />}
    >
      {mode === 'test' && role !== 'viewer' && <PlayStrip of={of} transaction={transaction} />}
      <What transaction={transaction} />
      <Columns>
        <div>
          <Timeline of={of} />
          <LedgerView of={of} />
        </div>
        <div>
          <MoneyFacts of={of} transaction={transaction} />
          <QuoteFacts quoteId={transaction.quote_id ?? ''} />
          <Refunds refunds={transaction.refunds} />
          <NetworkSide transaction={transaction} />
          <BankSide transaction={transaction} />
        </div>
      </Columns>
      <Columns>
        <div>
          <Deliveries of={of} />
        </div>
        <div>
          <Events of={of} />
        </div>
      </Columns>
    </Page>
  );
}

function Lead({ transaction }: { readonly transaction: Transaction }) {
  const who = transaction.account_name ?? transaction.account_number;
  return (
    <span className={styles.lead}>
      <span>
        {who}, {transaction.network ?? 'network not chosen yet'}
      </span>
      <span>
        Created <Time at={transaction.created_at} />
      </span>
      <span>
        <Id value={transaction.transaction_id} label="transaction id" keep={false} />
      </span>
      <span>
        Reference <Id value={transaction.reference} label="reference" keep={false} />
      </span>
    </span>
  );
}

function What({ transaction }: { readonly transaction: Transaction }) {
  const { state, next_action: next, state_message: message } = transaction;
  if (state === 'completed' && next === null) return null;
  const tone = toneOf(state);
  return (
    <Notice tone={tone === 'person' || tone === 'failed' ? tone : 'info'}>
      {isFinished(transaction) || state === 'on_hold' ? `${message} ` : ''}
      {next !== null && withoutPath(next)}
    </Notice>
  );
}
