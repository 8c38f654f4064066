// The sources of a product: whether they work, the age of their numbers, and their last failure.
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
  working: { label: 'Working', tone: 'completed' },
  stale: { label: 'Stale', tone: 'person' },
  failing: { label: 'Failing', tone: 'person' },
  stopped: { label: 'Suspended', tone: 'failed' },
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
  { title: 'Latest rate', cell: (source) => <Newest source={source} /> },
  { title: 'Currencies', align: 'right', from: 'sm', cell: ({ rates }) => rates.length },
  {
    ...{ title: 'Maximum age', align: 'right', from: 'lg' },
    cell: ({ age_limit_seconds: seconds }) => duration(seconds),
  },
  { title: 'Last read', from: 'md', align: 'right', cell: ({ last_read_at: at }) => <Ago at={at} /> },
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
      Failed {failures === 1 ? 'once' : `${failures} times`} since its last response, most recently{' '}
      <Ago at={failure.at} />: {failure.message}
      {until !== null && ` Next attempt at ${lagosTime(until)}.`}
    </p>
  );
}

export function Sources({ mode, product }: { readonly mode: Mode; readonly product: Product }) {
  const { data, error, refetch } = useSources(mode);
  const rows = data?.sources.filter(({ products }) => products.includes(product));
  return (
    <Section
      title="Sources"
      lead="Sources that report rates for this product, besides the desk. Each fails and recovers independently."
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
              ? 'Test mode uses desk prices or built-in samples.'
              : 'Add sources in RATES_FILE. Until then, people set prices here.'}
          </Empty>
        }
      />
    </Section>
  );
}
