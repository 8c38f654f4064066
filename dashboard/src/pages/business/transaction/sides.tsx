// Both sides of a transaction: the network with the wallet and the hash, and the bank with the accounts.
import type { Quote, Transaction } from '../../../api/console-types.ts';
import { digits } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Facts, Failure, Loading, Notice, Section } from '../../../components/page.tsx';
import { Id, State, Time } from '../../../components/values.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import { rateText } from '../../rates/words.ts';
import { useQuote } from '../rates/data.ts';
import { Hash } from './money.tsx';
import styles from './transaction.module.css';
import { payoutDisplay } from './words.ts';

export function NetworkSide({ transaction }: { readonly transaction: Transaction }) {
  const {
    type,
    network,
    wallet_address: wallet,
    tx_hash: hash,
    explorer_url: url,
    deposits = [],
  } = transaction;
  return (
    <Section title="Network">
      <Facts
        facts={[
          { label: 'Network', value: network },
          {
            label: type === 'Buy' ? 'Wallet' : 'Refund wallet',
            value: wallet === null ? null : <Id value={wallet} label="wallet" keep={8} />,
          },
          { label: 'Hash', value: hash === null ? null : <Hash hash={hash} url={url} /> },
          ...deposits.map((deposit) => ({
            label: `Deposit on ${deposit.network}`,
            value: <Instruction deposit={deposit} />,
          })),
        ]}
      />
    </Section>
  );
}

function Instruction({
  deposit: { address, memo, memo_type: type },
}: {
  readonly deposit: NonNullable<Transaction['deposits']>[number];
}) {
  return (
    <>
      <Id value={address} label="deposit address" keep={8} />
      {memo !== null && (
        <div>
          with {type ?? 'memo'} memo <Id value={memo} label="memo" keep={false} />
        </div>
      )}
    </>
  );
}

export function BankSide({ transaction }: { readonly transaction: Transaction }) {
  const { type, payout, warnings } = transaction;
  return (
    <Section title="Bank">
      {warnings.map(({ code, message }) => (
        <div key={code} className={styles.warning}>
          <Notice tone="person">{message}</Notice>
        </div>
      ))}
      <Facts
        facts={[
          { label: type === 'Buy' ? 'Payer' : 'Beneficiary', value: transaction.account_name },
          {
            label: 'Account',
            value: <Id value={transaction.account_number} label="account number" keep={false} />,
          },
          { label: 'Bank', value: transaction.bank_name },
          transaction.link_account_number !== undefined && {
            label: 'Vendor account',
            value: (
              <>
                {transaction.link_account_name}, {transaction.link_bank_name}{' '}
                <Id value={transaction.link_account_number} label="vendor account" keep={false} />
              </>
            ),
          },
          payout !== undefined &&
            payout !== null && {
              label: 'Payout',
              value: (
                <>
                  <State state={payout.state} {...payoutDisplay(transaction)} />{' '}
                  <Id value={payout.bank_reference} label="bank reference" />
                </>
              ),
            },
        ]}
      />
    </Section>
  );
}

/** An empty `quoteId` means that the transaction has no quote. */
export function QuoteFacts({ quoteId }: { readonly quoteId: string }) {
  const location = useBusinessLocation();
  const { data, error, refetch } = useQuote(location, quoteId);
  if (quoteId === '') return null;
  return (
    <Section
      title="Quote"
      actions={<TextLink to={`${location.base}/rates?quote=${quoteId}`}>Open quote</TextLink>}
    >
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : (
        <Facts facts={factsOf(data.quote)} />
      )}
    </Section>
  );
}

function factsOf({ quote_id: id, amount, currency, rate, sources, created_at: at }: Quote) {
  const converted = currency !== 'NGN';
  return [
    { label: 'Quote', value: <Id value={id} label="quote id" /> },
    converted && { label: 'Requested', value: `${digits(amount)} ${currency}` },
    { label: 'Rate', value: converted ? `1 ${currency} = ${rateText(rate)}` : '1 token = ₦1' },
    converted && {
      label: 'Sources',
      value: sources.map((each) => `${each.name} ${rateText(each.rate)}`).join(', '),
    },
    { label: 'Created', value: <Time at={at} /> },
  ];
}
