// One quote: the amount that the customer pays, the fee, the remaining validity, and code examples that use the quote.
import type { Quote } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { digits, naira, words } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Empty, type Fact, Facts, Failure, Loading, Notice, Section } from '../../../components/page.tsx';
import { Countdown, Id, Money, State, Time, useSeconds } from '../../../components/values.tsx';
import type { BusinessLocation } from '../../../layout/location.ts';
import { rateText } from '../../rates/words.ts';
import { useQuote } from './data.ts';
import { quoteLines, stateAt, TONES } from './quote.ts';
import styles from './rates.module.css';

export function QuoteCard({
  location,
  quoteId,
}: {
  readonly location: BusinessLocation;
  readonly quoteId: string;
}) {
  const { data, error, refetch } = useQuote(location, quoteId);
  if (quoteId === '')
    return (
      <Section title="Quote">
        <Empty icon="rates" title="Your quote will appear here">
          Create a quote to see its naira amount, fee and expiry, and a request that you can copy. Quotes
          created through the API are listed below.
        </Empty>
      </Section>
    );
  return (
    <Section title="Quote">
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={6} label="Loading quote" />
      ) : (
        <Shown location={location} quote={data.quote} />
      )}
    </Section>
  );
}

function Shown({ location, quote }: { readonly location: BusinessLocation; readonly quote: Quote }) {
  const state = stateAt(quote, useSeconds());
  return (
    <div className="column">
      <div className={styles.quoteHead}>
        <span className={styles.amount}>
          <Money amount={quote.naira_amount} />
        </span>
        <span className={styles.holds}>
          <State state={state} tone={TONES[state]} />
          {state === 'open' && (
            <span>
              Expires in <Countdown to={quote.expires_at} over="a moment" />
            </span>
          )}
        </span>
      </div>
      <Facts facts={factsOf(quote)} />
      {state === 'used' && (
        <Notice tone="completed">
          Used by{' '}
          <TextLink to={`${location.base}/transactions/${quote.transaction_id}`}>this transaction</TextLink>.
          A quote is used once.
        </Notice>
      )}
      {state === 'expired' && (
        <Notice tone="info">This quote has expired. Create a new one at the current rate.</Notice>
      )}
      {state === 'open' && <Lines location={location} quote={quote} />}
    </div>
  );
}

function factsOf(quote: Quote): readonly (Fact | false)[] {
  const { side, currency, network, fees } = quote;
  return [
    { label: 'Quote', value: <Id value={quote.quote_id} label="quote id" keep={false} /> },
    {
      label: side === 'buy' ? 'Customer buys' : 'Customer sells',
      value: currency === 'NGN' ? naira(quote.amount) : `${digits(quote.amount)} ${currency}`,
    },
    currency !== 'NGN' && { label: 'Rate', value: `1 ${currency} = ${rateText(quote.rate)}` },
    ...fees.map(({ name, amount }) => ({ label: words(name), value: <Money amount={amount} /> })),
    {
      label: side === 'buy' ? 'Token value' : 'Payout',
      value: (
        <strong>
          <Money amount={quote.net_amount} />
        </strong>
      ),
    },
    { label: 'Network', value: network ?? 'Any' },
    quote.sources.length > 0 && {
      label: 'Sources',
      value: quote.sources.map(({ name, rate }) => `${name} ${rateText(rate)}`).join(', '),
    },
    { label: 'Expires', value: <Time at={quote.expires_at} /> },
  ];
}

function Lines({ location, quote }: { readonly location: BusinessLocation; readonly quote: Quote }) {
  const { data: facts } = useRead('/businesses/{business_id}', { params: location.params });
  const { data: answer } = useRead('/businesses/{business_id}/first-buy/{mode}', { params: location.params });
  if (facts === undefined || answer === undefined) return <Loading lines={4} />;
  const from = { baseUrl: window.location.origin, businessId: facts.business_id, linkTag: facts.link_tag };
  const code = quoteLines(quote, { ...from, answer });
  return (
    <>
      <p className={styles.note}>
        The request carries the quote id and its naira amount. SLIPROAD_KEY is your secret key.
      </p>
      <CodeBlock title="Terminal" code={code} label={`${quote.side} with this quote`} />
    </>
  );
}
