// The three plots of the overview: volume, outcomes, and time to delivery. They load after the figures of the page. Each plot
// is also available as a table.
import type { DayFigures, DayTimes, GetBusinessOverviewAnswer } from '../../../api/console-types.ts';
import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { FiguresTable } from '../../../components/figures-table.tsx';
import { naira, shortNaira } from '../../../components/format.ts';
import { Section } from '../../../components/page.tsx';
import styles from './overview.module.css';
import { seconds, shortDay } from './words.ts';

const HEIGHT = 220;
const COMMON = {
  h: HEIGHT,
  dataKey: 'day',
  withLegend: true,
  legendProps: { verticalAlign: 'top' as const, height: 44 },
  gridAxis: 'x' as const,
  tickLine: 'none' as const,
  xAxisProps: { minTickGap: 24, interval: 'preserveStartEnd' as const },
  strokeDasharray: '0',
  gridColor: 'var(--line)',
  textColor: 'var(--text-quiet)',
};

const VOLUME = [
  { name: 'Buys', color: 'var(--plot-buy)' },
  { name: 'Sells', color: 'var(--plot-sell)' },
];

/** A plot needs numbers. The tooltip and the table show the exact amounts. */
function Volume({ days }: { readonly days: readonly DayFigures[] }) {
  const data = days.map(({ day, buy_volume, sell_volume }) => ({
    ...{ day: shortDay(day), Buys: Number(buy_volume), Sells: Number(sell_volume) },
  }));
  return (
    <Section title="Volume" lead="Completed volume by day (Lagos time).">
      <BarChart
        {...COMMON}
        data={data}
        type="stacked"
        series={VOLUME}
        yAxisLabel="Naira"
        valueFormatter={(value) => naira(value.toFixed(2))}
        yAxisProps={{ width: 76, tickFormatter: shortNaira }}
        maxBarWidth={28}
      />
      <FiguresTable
        caption="Completed volume by day"
        heads={['Day', 'Buys', 'Sells']}
        rows={days.map(({ day, buy_volume, sell_volume }) => [
          shortDay(day),
          naira(buy_volume),
          naira(sell_volume),
        ])}
      />
    </Section>
  );
}

const OUTCOMES = [
  { name: 'Completed', of: 'completed', color: 'var(--state-completed)' },
  { name: 'In progress', of: 'open', color: 'var(--state-progress)' },
  { name: 'On hold', of: 'on_hold', color: 'var(--state-person)' },
  { name: 'Failed', of: 'failed', color: 'var(--state-failed)' },
  { name: 'Refunded', of: 'refunded', color: 'var(--state-waiting)' },
  { name: 'Expired or cancelled', of: 'lapsed', color: 'var(--plot-lapsed)' },
] as const;

function Outcomes({ days }: { readonly days: readonly DayFigures[] }) {
  const data = days.map((each) => ({
    day: shortDay(each.day),
    ...Object.fromEntries(OUTCOMES.map(({ name, of }) => [name, each[of]])),
  }));
  const series = OUTCOMES.filter(({ of }) => days.some((each) => each[of] > 0));
  return (
    <Section title="Outcomes" lead="Transactions by creation day (Lagos time).">
      <BarChart
        {...COMMON}
        data={data}
        type="stacked"
        series={series.length === 0 ? [OUTCOMES[0]] : [...series]}
        yAxisLabel="Transactions"
        yAxisProps={{ width: 56, allowDecimals: false }}
        maxBarWidth={20}
      />
      <FiguresTable
        caption="Outcomes by day"
        heads={['Day', ...OUTCOMES.map(({ name }) => name)]}
        rows={days.map((each) => [shortDay(each.day), ...OUTCOMES.map(({ of }) => String(each[of]))])}
      />
    </Section>
  );
}

const TIMES = [
  { name: 'Median', color: 'var(--plot-buy)' },
  { name: '95th percentile', color: 'var(--plot-sell)' },
];

function Times({ durations }: { readonly durations: readonly DayTimes[] }) {
  const data = durations.map(({ day, p50_seconds, p95_seconds }) => ({
    ...{ day: shortDay(day), Median: p50_seconds, '95th percentile': p95_seconds },
  }));
  const text = (value: number | null) => (value === null ? '—' : seconds(value));
  return (
    <Section title="Time to delivery" lead="Time from receipt to delivery.">
      <LineChart
        {...COMMON}
        data={data}
        series={TIMES}
        curveType="linear"
        connectNulls={false}
        dotProps={{ r: 3 }}
        yAxisLabel="Time"
        valueFormatter={seconds}
        yAxisProps={{ width: 64 }}
      />
      <FiguresTable
        caption="Time to delivery by day"
        heads={['Day', 'Completed', ...TIMES.map(({ name }) => name)]}
        rows={durations.map(({ day, completed, p50_seconds, p95_seconds }) => [
          ...[shortDay(day), String(completed), text(p50_seconds), text(p95_seconds)],
        ])}
      />
    </Section>
  );
}

export default function Plots({ overview }: { readonly overview: GetBusinessOverviewAnswer }) {
  return (
    <div className={styles.plots}>
      <div className={styles.wide}>
        <Volume days={overview.days} />
      </div>
      <Outcomes days={overview.days} />
      <Times durations={overview.durations} />
    </div>
  );
}
