// The chart of one rate, with its lowest and highest value in each hour or day. The data is also available as a table.
import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { FiguresTable } from '../../components/figures-table.tsx';
import { lagosTime } from '../../components/format.ts';
import { type History, type Interval, rateText } from './words.ts';

const HEIGHT = 260;
const MAX_DOTS = 40;

const RATE = { name: 'Rate', color: 'var(--plot-buy)' };
const EDGES = [
  { name: 'Highest', color: 'var(--plot-sell)' },
  { name: 'Lowest', color: 'var(--state-waiting)' },
];
const lineOf = ({ name }: { readonly name: string }) =>
  name === RATE.name ? {} : { strokeWidth: 1, strokeOpacity: 0.5 };

const zone = 'Africa/Lagos';
const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' });
const tickOf = (interval: Interval) => (atMs: number) => (interval === '1m' ? time : day).format(atMs);

/** The tooltip and the table show the exact rates. */
const shortRate = (rate: number) => `₦${rate.toLocaleString('en-GB', { maximumFractionDigits: 2 })}`;

function whenOf(at: unknown): string {
  return typeof at === 'number' ? lagosTime(new Date(at).toISOString()) : '';
}

export default function Chart({ history, fromMs }: { readonly history: History; readonly fromMs: number }) {
  const { points, interval, currency } = history;
  const data = points.map(({ at, rate, low, high }) => ({
    ...{ at: Date.parse(at), Rate: Number(rate), Lowest: Number(low), Highest: Number(high) },
  }));
  const text = (value: number) => rateText(value.toFixed(4));
  return (
    <>
      <LineChart
        h={HEIGHT}
        data={data}
        dataKey="at"
        series={interval === '1m' ? [RATE] : [...EDGES, RATE]}
        lineProps={lineOf}
        curveType="stepAfter"
        withDots={points.length <= MAX_DOTS}
        dotProps={{ r: 3 }}
        withLegend={interval !== '1m'}
        legendProps={{ verticalAlign: 'top', height: 44 }}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        gridColor="var(--line)"
        textColor="var(--text-quiet)"
        valueFormatter={text}
        tooltipProps={{ labelFormatter: whenOf }}
        xAxisProps={{
          ...{ type: 'number', scale: 'time', domain: [fromMs, 'dataMax'], minTickGap: 32 },
          tickFormatter: tickOf(interval),
        }}
        yAxisProps={{ width: 80, domain: ['auto', 'auto'], tickFormatter: shortRate }}
        yAxisLabel="Naira"
      />
      <FiguresTable
        caption={`Rate of ${currency}`}
        heads={['Time', 'Rate', 'Lowest', 'Highest']}
        rows={points.map(({ at, rate, low, high }) => [lagosTime(at), ...[rate, low, high].map(rateText)])}
      />
    </>
  );
}
