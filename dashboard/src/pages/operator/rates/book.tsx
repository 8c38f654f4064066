// The rate book of a product. Each currency has its value, its quoted rate and its validity. An opened row shows all numbers
// that led to the decision.
import { useState } from 'react';
import type { QuotedRate, RateBook, RateBookLine, RateCandidate } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, Countdown, Id, State } from '../../../components/values.tsx';
import { type Product, rateText, spreadText, verdictOf, whyMissing, wordsOf } from '../../rates/words.ts';
import styles from './rates.module.css';

const STANDARD = 'standard';

function quotedTo({ quoted }: RateBookLine, tier: string): QuotedRate | undefined {
  return quoted.find((each) => each.tier === tier);
}

function columnsOf({ plan }: RateBook): readonly Column<RateBookLine>[] {
  return [
    { title: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
    {
      ...{ title: 'Value', align: 'right', from: 'sm' },
      cell: ({ value }) => (value === null ? <span className="quiet">—</span> : rateText(value)),
    },
    {
      ...{ title: 'Spread', align: 'right', from: 'md' },
      cell: (line) => {
        const bps = quotedTo(line, STANDARD)?.spread_bps ?? null;
        return bps === null ? <span className="quiet">None set</span> : spreadText(bps);
      },
    },
    { title: 'Quoted rate', align: 'right', cell: (line) => <QuotedCell line={line} /> },
    { title: 'Valid for', align: 'right', cell: (line) => <Validity line={line} /> },
    {
      ...{ title: 'Sources used', align: 'right', from: 'sm' },
      cell: ({ candidates }) =>
        `${candidates.filter(({ verdict }) => verdict === 'used').length} of ${plan.sources.length}`,
    },
  ];
}

function QuotedCell({ line }: { readonly line: RateBookLine }) {
  const quoted = quotedTo(line, STANDARD);
  if (quoted?.rate) return <strong>{rateText(quoted.rate)}</strong>;
  return <State state="missing" tone="failed" label="Not quoted" />;
}

function Validity({ line: { value, valid_until: until } }: { readonly line: RateBookLine }) {
  if (value === null) return <span className="quiet">—</span>;
  if (until === null) return <State state="sample" tone="person" />;
  return <Countdown to={until} over="Expired" />;
}

export function BookTable({
  book,
  product,
}: {
  readonly book: RateBook | undefined;
  readonly product: Product;
}) {
  const [open, setOpen] = useState<string | null>(null);
  const { title, spread } = wordsOf(product);
  return (
    <Section
      title={`Book of ${title}`}
      lead={
        <>
          {spread} {book !== undefined && <Plan book={book} />}
        </>
      }
      bare
    >
      <DataTable
        caption={`Book of ${title}`}
        columns={book === undefined ? columnsOf(NO_BOOK) : columnsOf(book)}
        rows={book?.currencies}
        rowKey={({ currency }) => currency}
        onRow={({ currency }) => setOpen(open === currency ? null : currency)}
        detail={(line) =>
          line.currency === open ? <Detail line={line} sources={book?.plan.sources ?? []} /> : null
        }
        empty={
          <Empty icon="rates" title="No rates yet">
            Set prices, or wait until enough sources have reported. The API returns 503 until then.
          </Empty>
        }
      />
    </Section>
  );
}

const NO_BOOK: RateBook = {
  mode: 'test',
  ...{ product: 'otc_buy', served: false, missing: [], decision_id: null, decided_at: null, currencies: [] },
  plan: { sources: [], minimum: 1 },
};

function Plan({ book: { plan, decision_id: id, decided_at: at } }: { readonly book: RateBook }) {
  const { sources, minimum } = plan;
  return (
    <>
      {sources.length === 1
        ? `Priced from ${sources[0]} only.`
        : `Priced from ${sources.join(', ')}; at least ${minimum} must agree.`}{' '}
      {id !== null && (
        <>
          Decision <Id value={id} label="decision id" />, <Ago at={at} />.
        </>
      )}
    </>
  );
}

interface DetailProps {
  readonly line: RateBookLine;
  readonly sources: readonly string[];
}

function Detail({ line, sources }: DetailProps) {
  const others = line.quoted.filter(({ tier }) => tier !== STANDARD);
  const missing = quotedTo(line, STANDARD)?.missing ?? null;
  return (
    <div className={styles.detail}>
      {missing !== null && <p>Not quoted: {whyMissing(missing)}.</p>}
      <Candidates candidates={line.candidates} sources={sources} />
      {others.length > 0 && (
        <p className="quiet">
          {others
            .map(({ tier, rate, spread_bps: bps }) =>
              rate === null || bps === null
                ? `Tier ${tier}: not quoted`
                : `Tier ${tier}: ${rateText(rate)}, spread ${spreadText(bps)}`,
            )
            .join('. ')}
          .
        </p>
      )}
    </div>
  );
}

interface CandidatesProps {
  readonly candidates: readonly RateCandidate[];
  readonly sources?: readonly string[];
}

export function Candidates({ candidates, sources = [] }: CandidatesProps) {
  const silent = sources.filter((name) => candidates.every(({ source }) => source !== name));
  if (candidates.length === 0)
    return (
      <Empty icon="rates" title="No source has reported this currency">
        Set a desk price, or check the sources below.
      </Empty>
    );
  return (
    <ul className={styles.candidates}>
      {candidates.map((each) => (
        <li key={each.source} className={styles.candidate} data-used={each.verdict === 'used' || undefined}>
          <span className="row apart">
            <strong>{each.source}</strong>
            <State state={each.verdict} {...verdictOf(each.verdict)} />
          </span>
          <span className={styles.candidateValue}>{rateText(each.value)}</span>
          <span className="quiet">
            <Ago at={each.as_of} />
            {each.crossed && ', crossed through USD'}
          </span>
          <span>{each.why}</span>
        </li>
      ))}
      {silent.map((name) => (
        <li key={name} className={styles.candidate}>
          <span className="row apart">
            <strong>{name}</strong>
            <State state="silent" tone="waiting" label="No rate" />
          </span>
          <span className="quiet">{name === 'desk' ? 'No valid desk price.' : 'Nothing reported.'}</span>
        </li>
      ))}
    </ul>
  );
}
