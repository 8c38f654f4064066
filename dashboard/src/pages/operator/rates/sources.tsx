// The sources of a product: whether they answer, how old their numbers are, and what went wrong last.
import type { RateSource } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { duration, lagosTime, type Tone, words } from '../../../components/format.ts';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, State } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
import type { Product } from '../../rates/words.ts';
import { useSources } from './data.ts';
import styles from './rates.module.css';

const STATES: Readonly<Record<RateSource['state'], { readonly label: string; readonly tone: Tone }>> = {
  working: { label: 'Answers', tone: 'completed' },
  stale: { label: 'Numbers too old', tone: 'person' },
  failing: { label: 'Fails', tone: 'person' },
  stopped: { label: 'Not asked for now', tone: 'failed' },
  not_read: { label: 'Not read yet', tone: 'waiting' },
};

const COLUMNS: readonly Column<RateSource>[] = [
  {
    title: 'Source',
    cell: ({ name, kind }) => (
      <span className={styles.source}>
        <strong>{name}</strong>
        <span className="quiet">{words(kind)}</span>
      </span>
    ),
  },
  { title: 'State', cell: ({ state }) => <State state={state} {...STATES[state]} /> },
  { title: 'Newest number', cell: (source) => <Newest source={source} /> },
  { title: 'Currencies', align: 'right', from: 'sm', cell: ({ rates }) => rates.length },
  {
    ...{ title: 'Used until it is', align: 'right', from: 'lg' },
    cell: ({ age_limit_seconds: seconds }) => `${duration(seconds)} old`,
  },
  { title: 'Read', from: 'md', align: 'right', cell: ({ last_read_at: at }) => <Ago at={at} /> },
];

function Newest({ source: { rates } }: { readonly source: RateSource }) {
  const newest = rates.map(({ as_of: at }) => at).toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  return newest === undefined ? <span className="quiet">None</span> : <Ago at={newest} />;
}

function Problem({ source }: { readonly source: RateSource }) {
  const { last_failure: failure, failures, open_until: until } = source;
  if (failure === null || failures === 0) return null;
  return (
    <p className={styles.problem}>
      Failed {failures === 1 ? 'once' : `${failures} times`} since its last answer, last{' '}
      <Ago at={failure.at} />: {failure.message}
      {until !== null && ` It is asked again at ${lagosTime(until)}.`}
    </p>
  );
}

export function Sources({ mode, product }: { readonly mode: Mode; readonly product: Product }) {
  const { data, error, refetch } = useSources(mode);
  const rows = data?.sources.filter(({ products }) => products.includes(product));
  return (
    <Section
      title="Sources"
      lead="Who reports numbers for this product, beside the prices of the desk. Each source fails and recovers by itself."
      bare
    >
      <DataTable
        caption="Sources of this product"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ name }) => name}
        detail={(source) => (source.failures > 0 ? <Problem source={source} /> : null)}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="rates" title={`The desk is the only source in ${mode} mode`}>
            {mode === 'test'
              ? 'Test mode is always priced from desk prices, or from the samples of the service.'
              : 'Other sources are listed in RATES_FILE. Until there is one, prices are set here by people.'}
          </Empty>
        }
      />
    </Section>
  );
}
