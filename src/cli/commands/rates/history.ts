// Shows the history of a rate without its spread: a bar chart in one line, and a table of the points.
import {
  CURRENCIES,
  HISTORY_INTERVALS,
  type HistoryPoint,
  INTERVAL_MS,
} from '../../../domain/rates/rates.ts';
import { parseInstant } from '../../../domain/values/calendar.ts';
import { renderHistory } from '../../../renderings/rates.ts';
import { type Command, defineCommand, isoTimeText, printTable, REQUIRED_MODE } from '../../command.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { REQUIRED_PRODUCT, rateText } from './words.ts';

const MAX_POINTS = 1_500;
const DEFAULT_SPAN_MS = 7 * 86_400_000;
const CHART_WIDTH = 72;
const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

export const historyCommand: Command = defineCommand({
  name: 'rates history',
  summary: 'Show the values of one currency over time, before the spread.',
  options: {
    mode: REQUIRED_MODE,
    product: REQUIRED_PRODUCT,
    currency: { choices: CURRENCIES, needed: true, about: 'currency of the rate' },
    from: { value: 'TIME', about: 'start (default: 7 days before --to)' },
    to: { value: 'TIME', about: 'end, exclusive (default: now)' },
    interval: { choices: HISTORY_INTERVALS, about: 'time between two points (default: 1h)' },
  },
  run: (terminal, { options: { mode, product, currency, interval = '1h', ...options } }) =>
    terminal.withFoundation(async ({ rateStore, clock }) => {
      const toMs = timeOption(options.to, '--to') ?? clock.now();
      const fromMs = timeOption(options.from, '--from') ?? toMs - DEFAULT_SPAN_MS;
      if (fromMs >= toMs) throw new UsageError('--from must be before --to.');
      if ((toMs - fromMs) / INTERVAL_MS[interval] > MAX_POINTS)
        throw new UsageError(
          `That is more than ${MAX_POINTS} points: choose a shorter period or a longer --interval.`,
        );
      const points = await rateStore.readHistory(mode, { product, currency, interval, fromMs, toMs });
      if (points.length === 0)
        terminal.print(
          `No ${mode} ${product} rate of ${currency} is stored from ${isoTimeText(fromMs)} to ${isoTimeText(toMs)}.`,
        );
      else {
        terminal.print(
          `${mode} ${product} ${currency}, naira per unit before the spread, one point per ${interval}`,
        );
        terminal.print(chartLine(points));
        printTable(terminal, [
          ['AT', 'FIRST', 'LOW', 'HIGH', 'LAST'],
          ...points.map(({ atMs, firstE4, lowE4, highE4, lastE4 }) => [
            ...[isoTimeText(atMs), rateText(firstE4), rateText(lowE4), rateText(highE4), rateText(lastE4)],
          ]),
        ]);
      }
      const values = points.map(({ atMs, lowE4, highE4, lastE4 }) => ({
        atMs,
        lowE4,
        highE4,
        rateE4: lastE4,
      }));
      return renderHistory({ product, currency, interval, fromMs, toMs, points: values });
    }),
});

/**
 * Draws the last value of each point in at most CHART_WIDTH columns. The chart is scaled from the lowest to the highest value.
 */
function chartLine(points: readonly HistoryPoint[]): string {
  const step = Math.ceil(points.length / CHART_WIDTH);
  const shown = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  const values = shown.map(({ lastE4 }) => lastE4);
  const low = values.reduce((least, value) => (value < least ? value : least));
  const high = values.reduce((most, value) => (value > most ? value : most));
  const top = BigInt(BLOCKS.length - 1);
  const blocks = values.map(
    (value) => BLOCKS[Number(high === low ? 0n : ((value - low) * top) / (high - low))],
  );
  return `${blocks.join('')}  ${rateText(low)} to ${rateText(high)}`;
}

function timeOption(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = parseInstant(text);
  if (timeMs === undefined) throw new UsageError(`${name} must be a time such as 2026-11-14T09:30:00Z.`);
  return timeMs;
}
