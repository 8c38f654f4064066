// The log of rate decisions. Each decision is a change of the rate book with all its inputs.
import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { DecidedValue, RateDecision } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, Id, State, Time } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
import { CURRENCIES, type Product, rateText, whyMissing } from '../../rates/words.ts';
import { Candidates } from './book.tsx';
import { useDecisions } from './data.ts';
import styles from './rates.module.css';

const valuesIn = ({ values }: RateDecision) => values.filter(({ value }) => value !== null).length;
const rejectedIn = ({ values }: RateDecision) =>
  values.flatMap(({ candidates }) => candidates).filter(({ verdict }) => verdict !== 'used').length;

const COLUMNS: readonly Column<RateDecision>[] = [
  { title: 'Time', cell: ({ at }) => <Ago at={at} /> },
  { title: 'Decision', from: 'sm', cell: ({ decision_id: id }) => <Id value={id} label="decision id" /> },
  {
    title: 'Values',
    cell: (decision) => {
      const count = valuesIn(decision);
      const whole = count === CURRENCIES.length;
      const label = `${count} of ${CURRENCIES.length}`;
      return <State state="values" tone={whole ? 'completed' : 'failed'} label={label} />;
    },
  },
  { title: 'Rejected', align: 'right', from: 'sm', cell: rejectedIn },
  {
    ...{ title: 'USD', align: 'right' },
    cell: ({ values }) => {
      const dollar = values.find(({ currency }) => currency === 'USD')?.value ?? null;
      return dollar === null ? <span className="quiet">—</span> : rateText(dollar);
    },
  },
];

export function DecisionLog({ mode, product }: { readonly mode: Mode; readonly product: Product }) {
  const { data, error, refetch } = useDecisions(mode, product);
  const [shown, setShown] = useState<RateDecision | null>(null);
  return (
    <Section
      title="Decisions"
      lead="The last twenty changes to this book. Each is stored, so that every rate can be explained later."
      bare
    >
      <DataTable
        caption="Decisions of this book"
        columns={COLUMNS}
        rows={data?.decisions}
        rowKey={({ decision_id: id }) => id}
        onRow={setShown}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="rates" title="No decisions yet">
            The first decision follows the first price or the first report of a source.
          </Empty>
        }
      />
      <Modal opened={shown !== null} onClose={() => setShown(null)} title="Rate decision" size="xl">
        {shown !== null && <DecisionDetail decision={shown} />}
      </Modal>
    </Section>
  );
}

function DecisionDetail({ decision: { decision_id: id, at, values } }: { readonly decision: RateDecision }) {
  return (
    <div className={styles.whole}>
      <p>
        <Time at={at} /> <Id value={id} label="decision id" keep={false} />
      </p>
      {values.map((each) => (
        <section key={each.currency}>
          <h3 className={styles.wholeHead}>
            {each.currency} <Value value={each} />
          </h3>
          <Candidates candidates={each.candidates} />
        </section>
      ))}
    </div>
  );
}

function Value({ value: { value, gap } }: { readonly value: DecidedValue }) {
  if (value !== null) return rateText(value);
  return <span className={styles.gap}>no value: {whyMissing(gap ?? 'no_source')}</span>;
}
