// What the business is quoted now, for both products. All nine currencies are quoted, or none of them.
import { SegmentedControl } from '@mantine/core';
import type { ProductRates, RateNow } from '../../../api/console-types.ts';
import type { BusinessPlace } from '../../../frame/place.ts';
import { Failure, Notice } from '../../../parts/message.tsx';
import { Loading, Section } from '../../../parts/page.tsx';
import { State } from '../../../parts/state.tsx';
import { Ago, Countdown } from '../../../parts/time.tsx';
import { missingSentence, PRODUCTS, type Product, rateText, unitOf, wordsOf } from '../../rates/words.ts';
import { useRatesNow } from './data.ts';
import styles from './rates.module.css';

interface RatesNowProps {
  readonly place: BusinessPlace;
  readonly product: Product;
  readonly onChoose: (product: Product) => void;
}

export function RatesNow({ place, product, onChoose }: RatesNowProps) {
  const { data, error, refetch } = useRatesNow(place);
  const shown = data?.products.find((each) => each.product === product);
  return (
    <Section
      title="Rates now"
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
        <strong>These rates are not served right now.</strong> {missingSentence(shown.missing)} The API
        answers 503 with the code rates_unavailable. Nothing has to be done: they are served again as soon as
        there is a value that can be trusted. Quotes in naira are made as always.
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
            <State state="sample" tone="person" /> These are samples to integrate against, not a price of the
            market.{' '}
          </>
        )}
        Changed <Ago at={shown.changed_at} />.
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
          Holds for <Countdown to={until} over="a moment" />
        </span>
      )}
    </li>
  );
}
