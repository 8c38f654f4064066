// The history of a rate: one currency at a time, by minutes, hours or days. The chart is loaded when it is shown.
import { NativeSelect, SegmentedControl, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Empty, Failure, Section } from '../../components/page.tsx';
import { useNow } from '../../components/values.tsx';
import styles from './rates.module.css';
import {
  CURRENCIES,
  type History,
  type Interval,
  intervalStart,
  RANGES,
  type RateQuery,
  unitOf,
} from './words.ts';

const Chart = lazy(() => import('./chart.tsx'));

export function useChosenHistory() {
  const [currency, setCurrency] = useState<string>('USD');
  const [interval, setInterval] = useState<Interval>('1h');
  // The start of the chart is rounded to the interval. Therefore the query stays the same until a new point exists.
  const toMs = intervalStart(useNow(), interval);
  const fromMs = toMs - RANGES[interval].lengthMs;
  const query: RateQuery = { currency, interval, from: new Date(fromMs).toISOString() };
  return { currency, setCurrency, interval, setInterval, fromMs, query };
}

interface HistoryProps {
  readonly chosen: ReturnType<typeof useChosenHistory>;
  readonly read: Pick<UseQueryResult<History>, 'data' | 'error' | 'refetch'>;
  readonly lead: string;
}

export function RateHistory({ chosen, read: { data, error, refetch }, lead }: HistoryProps) {
  const { currency, setCurrency, interval, setInterval, fromMs } = chosen;
  return (
    <Section
      title="History"
      lead={`${lead} ${unitOf(currency)}, Lagos time.`}
      actions={
        <>
          <NativeSelect
            aria-label="Currency of the chart"
            size="xs"
            value={currency}
            data={[...CURRENCIES]}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
          <SegmentedControl
            aria-label="Interval of the chart"
            size="xs"
            value={interval}
            onChange={(value) => setInterval(value as Interval)}
            data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
          />
        </>
      }
    >
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data?.points.length === 0 ? (
        <Empty icon="rates" title={`No ${currency} rates in this period`}>
          One data point is stored for each minute with a rate.
        </Empty>
      ) : (
        <div className={styles.chart}>
          <Suspense fallback={<Skeleton height={260} />}>
            {data === undefined ? <Skeleton height={260} /> : <Chart history={data} fromMs={fromMs} />}
          </Suspense>
        </div>
      )}
    </Section>
  );
}
