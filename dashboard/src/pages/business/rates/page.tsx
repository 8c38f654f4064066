// The rates and quotes of a business: its current rates, their history, the form for a new quote, and all its quotes.

import { SegmentedControl } from '@mantine/core';
import type { ProductRates, RateNow } from '../../../api/console-types.ts';
import { Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Ago, Countdown, State } from '../../../components/values.tsx';
import { type BusinessLocation, useBusinessLocation, useFilters } from '../../../layout/location.ts';
import { RateHistory, useChosenHistory } from '../../rates/history.tsx';
import { missingSentence, PRODUCTS, type Product, rateText, unitOf, wordsOf } from '../../rates/words.ts';
import { useLiveTransactions } from '../transactions/data.ts';
import { quotesPath, useRateHistory, useRatesNow } from './data.ts';
import { QuoteCard } from './quote-card.tsx';
import { QuoteForm } from './quote-form.tsx';
import { Quotes } from './quotes.tsx';
import styles from './rates.module.css';

export default function RatesPage() {
  const location = useBusinessLocation();
  const { filters, set } = useFilters();
  const product: Product = PRODUCTS.find((each) => each === filters.product) ?? 'otc_buy';
  const chosen = useChosenHistory();
  const history = useRateHistory(location, product, chosen.query);
  const quoteId = filters.quote ?? '';
  const show = (id: string) => set({ quote: id });
  useLiveTransactions(location, [quotesPath(location)]);
  return (
    <Page
      title="Rates and quotes"
      lead="A quote locks the rate and the fee of one buy or sell until it expires."
    >
      <RatesNow location={location} product={product} onChoose={(each) => set({ product: each })} />
      <div className={styles.quoting}>
        <QuoteForm location={location} onMade={({ quote_id: id }) => show(id)} />
        <QuoteCard location={location} quoteId={quoteId} />
      </div>
      <Quotes location={location} onChoose={({ quote_id: id }) => show(id)} />
      <RateHistory chosen={chosen} read={history} lead={`${wordsOf(product).title}, as quoted to you:`} />
    </Page>
  );
}

interface RatesNowProps {
  readonly location: BusinessLocation;
  readonly product: Product;
  readonly onChoose: (product: Product) => void;
}

function RatesNow({ location, product, onChoose }: RatesNowProps) {
  const { data, error, refetch } = useRatesNow(location);
  const shown = data?.products.find((each) => each.product === product);
  return (
    <Section
      title="Current rates"
      lead={wordsOf(product).means}
      actions={
        <SegmentedControl
          aria-label="Product"
          size="xs"
          value={product}
          onChange={(value) => onChoose(value as Product)}
          data={PRODUCTS.map((value) => ({ value, label: wordsOf(value).title }))}
        />
      }
    >
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : shown === undefined ? (
        <Loading lines={4} label="Loading rates" />
      ) : (
        <Shown shown={shown} />
      )}
    </Section>
  );
}

function Shown({ shown }: { readonly shown: ProductRates }) {
  if (!shown.served)
    return (
      <Notice tone="failed">
        <strong>These rates are currently unavailable.</strong> {missingSentence(shown.missing)} The API
        returns 503 with the code rates_unavailable. No action is needed: rates return as soon as there is a
        trusted value. Quotes in naira still work.
      </Notice>
    );
  return (
    <>
      <ul className={styles.rates}>
        {shown.rates.map((each) => (
          <Rate key={each.currency} rate={each} />
        ))}
      </ul>
      <p className={styles.note}>
        {shown.sample && (
          <>
            <State state="sample" tone="person" /> Sample rates for integration, not market prices.{' '}
          </>
        )}
        Updated <Ago at={shown.changed_at} />.
      </p>
    </>
  );
}

function Rate({ rate: { currency, rate, valid_until: until } }: { readonly rate: RateNow }) {
  return (
    <li className={styles.rate}>
      <span className={styles.value}>{rateText(rate)}</span>
      <span>{unitOf(currency)}</span>
      {until !== null && (
        <span className="quiet">
          Valid for <Countdown to={until} over="a moment" />
        </span>
      )}
    </li>
  );
}
