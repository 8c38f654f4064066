// Rates and quotes of a business: what it is quoted now, how that moved, a quote that holds for one transaction, and all quotes it made.
import { useBusinessPlace, useFilters } from '../../../frame/place.ts';
import { Page } from '../../../parts/page.tsx';
import { RateHistory, useChosenHistory } from '../../rates/history.tsx';
import { PRODUCTS, type Product, wordsOf } from '../../rates/words.ts';
import { useLiveTransactions } from '../transactions/data.ts';
import { quotesPath, useRateHistory } from './data.ts';
import { QuoteCard } from './quote-card.tsx';
import { QuoteForm } from './quote-form.tsx';
import { Quotes } from './quotes.tsx';
import styles from './rates.module.css';
import { RatesNow } from './rates-now.tsx';

export default function RatesPage() {
  const place = useBusinessPlace();
  const { filters, set } = useFilters();
  const product: Product = PRODUCTS.find((each) => each === filters.product) ?? 'otc_buy';
  const chosen = useChosenHistory();
  const history = useRateHistory(place, product, chosen.query);
  const quoteId = filters.quote ?? '';
  const show = (id: string) => set({ quote: id });
  // A transaction that uses a quote changes it.
  useLiveTransactions(place, [quotesPath(place)]);
  return (
    <Page
      title="Rates and quotes"
      lead="Rates change; a quote does not. It holds for one buy or sell until it expires, whatever rates and fees do meanwhile."
    >
      <RatesNow place={place} product={product} onChoose={(each) => set({ product: each })} />
      <div className={styles.quoting}>
        <QuoteForm place={place} onMade={({ quote_id: id }) => show(id)} />
        <QuoteCard place={place} quoteId={quoteId} />
      </div>
      <Quotes place={place} onChoose={({ quote_id: id }) => show(id)} />
      <RateHistory chosen={chosen} read={history} lead={`${wordsOf(product).title}, as you were quoted:`} />
    </Page>
  );
}
