// Deletes quotes that expired unused, and reports the open exposure. A used quote is kept with its transaction.
import { MODES, type Mode } from '../domain/values/mode.ts';
import type { Clock } from '../ports/clock.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { ExposureLimits, QuoteStore } from '../ports/quotes.ts';
import { type Loop, startLoop } from './loop.ts';

const FORGET_EVERY_MS = 10 * 60_000;
const KEEP_EXPIRED_MS = 30 * 24 * 3_600_000;
const WATCH_EVERY_MS = 5_000;

export interface QuoteUpkeepDeps {
  readonly quotes: Pick<QuoteStore, 'purge' | 'exposure'>;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
}

export function startForgettingQuotes({ quotes, clock, onError }: QuoteUpkeepDeps): Loop {
  return startLoop({
    everyMs: FORGET_EVERY_MS,
    turn: async () => {
      await quotes.purge(clock.now() - KEEP_EXPIRED_MS);
    },
    onError,
  });
}

/**
 * The metrics are per mode instead of per business. The largest share of a limit shows whether any business is near its limit.
 */
export function startQuoteWatch(
  { quotes, onError }: Omit<QuoteUpkeepDeps, 'clock'>,
  instruments: Instruments,
  limits: ExposureLimits,
  everyMs = WATCH_EVERY_MS,
): Loop {
  const open = instruments.gauge('sliproad_quote_exposure_naira', 'Naira in open quotes of all businesses.', [
    'mode',
  ]);
  const share = instruments.gauge(
    'sliproad_quote_exposure_share_max',
    'The largest share of QUOTE_EXPOSURE_MAX or QUOTE_OPEN_MAX that a single business uses.',
    ['mode'],
  );
  return startLoop({
    everyMs,
    turn: async () => {
      const found = await quotes.exposure();
      const of = (mode: Mode) => found.filter((each) => each.mode === mode);
      open(MODES.map((mode) => ({ labels: { mode }, value: sumNaira(of(mode)) })));
      share(MODES.map((mode) => ({ labels: { mode }, value: largestShareOf(of(mode), limits) })));
    },
    onError,
  });
}

interface OpenQuotes {
  readonly openMinor: bigint;
  readonly openQuotes: number;
}

function sumNaira(open: readonly OpenQuotes[]): number {
  const minor = open.reduce((sum, { openMinor }) => sum + openMinor, 0n);
  return Number(minor / 100n);
}

/** The share is first computed in ten-thousandths, so that the computation uses only integers. */
function largestShareOf(
  open: readonly OpenQuotes[],
  { maxOpenMinor, maxOpenQuotes }: ExposureLimits,
): number {
  const shares = open.flatMap(({ openMinor, openQuotes }) => [
    (openMinor * 10_000n) / maxOpenMinor,
    (BigInt(openQuotes) * 10_000n) / BigInt(maxOpenQuotes),
  ]);
  const largest = shares.reduce((most, each) => (each > most ? each : most), 0n);
  return Number(largest) / 10_000;
}
