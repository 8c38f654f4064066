// The money of a transaction: the requested amount, the costs, the received money, and all ledger postings.
import type {
  Refund,
  Transaction,
  TransactionEntry,
  TransactionPosting,
} from '../../../api/console-types.ts';
import { lagosTime, words } from '../../../components/format.ts';
import { OutsideLink } from '../../../components/link.tsx';
import { Empty, Facts, Failure, Loading, Section } from '../../../components/page.tsx';
import { Ago, Id, Money, State, TokenAmount } from '../../../components/values.tsx';
import { type TransactionParams, useMoney } from './data.ts';
import styles from './transaction.module.css';
import { netLabel } from './words.ts';

export function MoneyFacts({
  of,
  transaction,
}: {
  readonly of: TransactionParams;
  readonly transaction: Transaction;
}) {
  const { data, error, refetch } = useMoney(of);
  const isBuy = transaction.type === 'Buy';
  if (error !== null && data === undefined)
    return (
      <Section title="Money">
        <Failure error={error} retry={() => void refetch()} />
      </Section>
    );
  const money = data?.money;
  return (
    <Section title="Money">
      {money === undefined ? (
        <Loading lines={4} />
      ) : (
        <Facts
          facts={[
            { label: isBuy ? 'Customer pays' : 'Customer sells', value: <Money amount={money.amount} /> },
            { label: 'Fee', value: <Money amount={money.fee} /> },
            {
              label: netLabel(transaction),
              value: (
                <strong>
                  <Money amount={money.net_amount} />
                </strong>
              ),
            },
            { label: 'Received', value: <Money amount={money.received_amount} /> },
            Number(money.missing_amount) > 0 && {
              label: 'Outstanding',
              value: <Money amount={money.missing_amount} />,
            },
            Number(money.refunded_amount) > 0 && {
              label: 'Refunded',
              value: <Money amount={money.refunded_amount} />,
            },
            Number(money.bank_charges) > 0 && {
              label: 'Bank charges (paid by the operator)',
              value: <Money amount={money.bank_charges} />,
            },
          ]}
        />
      )}
    </Section>
  );
}

export function Refunds({ refunds }: { readonly refunds: readonly Refund[] }) {
  if (refunds.length === 0) return null;
  return (
    <Section title={refunds.length === 1 ? 'Refund' : 'Refunds'}>
      {refunds.map((refund) => (
        <Facts
          key={refund.refund_id}
          facts={[
            { label: 'Amount', value: <Money amount={refund.amount} /> },
            { label: 'State', value: <State state={refund.state} /> },
            { label: 'Destination', value: <Destination destination={refund.destination} /> },
            refund.bank_reference !== null && {
              label: 'Bank reference',
              value: <Id value={refund.bank_reference} label="bank reference" />,
            },
            refund.tx_hash !== null && {
              label: 'Hash',
              value: <Hash hash={refund.tx_hash} url={refund.explorer_url} />,
            },
            { label: 'Created', value: <Ago at={refund.created_at} /> },
          ]}
        />
      ))}
    </Section>
  );
}

function Destination({ destination }: Pick<Refund, 'destination'>) {
  if (destination === null) return 'Not known yet';
  if ('network' in destination)
    return (
      <>
        {destination.network} <Id value={destination.wallet_address} label="refund wallet" keep={8} />
      </>
    );
  const { bank_name, bank_code, account_number, account_name } = destination;
  return [account_name, account_number, bank_name ?? bank_code].filter(Boolean).join(', ');
}

export function Hash({ hash, url }: { readonly hash: string; readonly url: string | null }) {
  return (
    <>
      <Id value={hash} label="hash" keep={8} />{' '}
      {url !== null && <OutsideLink href={url}>Open in explorer</OutsideLink>}
    </>
  );
}

/** In every ledger entry, the debits of an asset equal its credits. */
export function LedgerView({ of }: { readonly of: TransactionParams }) {
  const { data, error } = useMoney(of);
  if (error !== null && data === undefined) return null;
  return (
    <Section title="Ledger" lead="Every ledger entry of this transaction.">
      {data === undefined ? (
        <Loading lines={4} />
      ) : data.entries.length === 0 ? (
        <Empty icon="ledger" title="No money has moved yet">
          Entries appear here as soon as the payment or the tokens arrive.
        </Empty>
      ) : (
        <ol className={styles.entries}>
          {data.entries.map((entry) => (
            <EntryLine key={`${entry.at} ${entry.event} ${entry.postings[0]?.amount}`} entry={entry} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function EntryLine({ entry }: { readonly entry: TransactionEntry }) {
  return (
    <li>
      <details>
        <summary>
          <span className={styles.entryHead}>
            <span>{entry.message}</span>
            <span className={styles.when}>{lagosTime(entry.at)}</span>
          </span>
        </summary>
        <table className={styles.postings}>
          <caption className="only-screen-reader">{words(entry.event)}</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Debit</th>
              <th scope="col">Credit</th>
            </tr>
          </thead>
          <tbody>
            {entry.postings.map((posting) => (
              <tr key={`${posting.account} ${posting.asset} ${posting.side}`}>
                <th scope="row">{posting.account}</th>
                <td>{posting.side === 'debit' && <Amount posting={posting} />}</td>
                <td>{posting.side === 'credit' && <Amount posting={posting} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </li>
  );
}

function Amount({ posting: { amount, asset } }: { readonly posting: TransactionPosting }) {
  return asset === 'NGN' ? <Money amount={amount} /> : <TokenAmount amount={amount} asset={asset} />;
}
