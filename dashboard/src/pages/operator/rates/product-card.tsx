// The summary of a product: whether businesses get its rates, or why not, its validity, and its number of sources. Below the
// cards, the page shows the selected product.
import type { RateBook } from '../../../api/console-types.ts';
import { Countdown, State } from '../../../components/values.tsx';
import { CURRENCIES, missingSentence, rateText, wordsOf } from '../../rates/words.ts';
import styles from './rates.module.css';

interface ProductCardProps {
  readonly book: RateBook;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

export function ProductCard({ book, chosen, onChoose }: ProductCardProps) {
  const { title } = wordsOf(book.product);
  const line = book.currencies.find(({ currency }) => currency === 'USD');
  const dollar = line?.quoted[0]?.rate ?? null;
  const sample = book.currencies.some((each) => each.sample);
  return (
    <button
      type="button"
      className={styles.glance}
      aria-pressed={chosen}
      data-served={book.served || undefined}
      onClick={onChoose}
    >
      <span className="row apart">
        <span className={styles.glanceTitle}>{title}</span>
        <span className={styles.states}>
          {sample && <State state="sample" tone="person" />}
          {book.served ? (
            <State state="available" tone="completed" />
          ) : (
            <State state="unavailable" tone="failed" />
          )}
        </span>
      </span>
      <span className={styles.glanceValue}>{dollar === null ? '—' : `1 USD = ${rateText(dollar)}`}</span>
      <span className="quiet">
        {book.served ? <Until book={book} /> : `The API returns 503. ${missingSentence(book.missing)}`}
      </span>
    </button>
  );
}

function Until({ book: { currencies } }: { readonly book: RateBook }) {
  const ends = currencies
    .flatMap(({ currency, valid_until: until }) => (until === null ? [] : [{ currency, until }]))
    .toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until));
  const all = `All ${CURRENCIES.length} currencies are quoted. `;
  const [first] = ends;
  if (first === undefined) return `${all}Samples do not expire.`;
  const together = ends.length === currencies.length && ends.every(({ until }) => until === first.until);
  return (
    <>
      {all}
      {together ? 'Valid for' : `${first.currency} expires first, in`}{' '}
      <Countdown to={first.until} over="a moment" />.
    </>
  );
}
