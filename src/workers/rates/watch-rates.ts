// Keeps the history of rates, and reports the state of rate sources and products. It reports a product once when the product
// loses its rates, and once more when the product has rates again.
import { type JudgeProductsDeps, judgeProducts, type ProductState } from '../../app/rates/judge-products.ts';
import { ratesUnavailable } from '../../domain/rates/board.ts';
import type { Instruments } from '../../ports/instruments.ts';
import type { RateStore } from '../../ports/rates.ts';
import { type Loop, startLoop } from '../loop.ts';

export interface WatchRatesDeps extends JudgeProductsDeps {
  readonly rateStore: JudgeProductsDeps['rateStore'] & Pick<RateStore, 'keepHistory' | 'listSources'>;
  readonly instruments: Instruments;
  readonly onLost: (message: string, detail: object) => void;
  readonly onRegained: (message: string, detail: object) => void;
  readonly onError: (error: Error) => void;
}

const WATCH_EVERY_MS = 2_000;
/** This interval is short enough that the rate history has a point for every minute. */
const HISTORY_EVERY_MS = 20_000;

export function startKeepingRateHistory({ rateStore, clock, onError }: WatchRatesDeps): Loop {
  return startLoop({ everyMs: HISTORY_EVERY_MS, onError, turn: () => rateStore.keepHistory(clock.now()) });
}

export function startRateWatch(deps: WatchRatesDeps, everyMs = WATCH_EVERY_MS): Loop {
  const { rateStore, clock, instruments, onError } = deps;
  const served = instruments.gauge(
    'sliproad_rates_served',
    '1 while all nine rates of a product are served to businesses of the standard tier.',
    ['mode', 'product'],
  );
  const up = instruments.gauge('sliproad_rate_source_up', '1 while the last read of a source succeeded.', [
    'source',
  ]);
  const age = instruments.gauge('sliproad_rate_source_age_seconds', 'Seconds since a source was last read.', [
    'source',
  ]);
  const report = makeLossReport(deps);
  return startLoop({
    everyMs,
    onError,
    turn: async () => {
      const products = await judgeProducts(deps);
      served(
        products.map(({ mode, product, missing }) => ({
          labels: { mode, product },
          value: missing.length === 0 ? 1 : 0,
        })),
      );
      report(products);
      const names = new Set(deps.ratePlan.sources.map(({ name }) => name));
      const sources = (await rateStore.listSources()).filter(({ name }) => names.has(name));
      up(
        sources.map(({ name, failures, lastReadAtMs }) => ({
          labels: { source: name },
          value: failures === 0 && lastReadAtMs !== null ? 1 : 0,
        })),
      );
      const nowMs = clock.now();
      age(
        sources.flatMap(({ name, lastReadAtMs }) =>
          lastReadAtMs === null
            ? []
            : [{ labels: { source: name }, value: Math.max(0, nowMs - lastReadAtMs) / 1_000 }],
        ),
      );
    },
  });
}

/** Only this process remembers what it reported. After a restart, it reports a loss of rates that continues again. */
function makeLossReport({ onLost, onRegained }: WatchRatesDeps): (products: readonly ProductState[]) => void {
  const lost = new Set<string>();
  return (products) => {
    for (const { mode, product, missing, isExpected } of products) {
      const name = `${mode} ${product}`;
      if (missing.length === 0) {
        if (lost.delete(name)) onRegained('rates are served again', { mode, product });
      } else if (isExpected && !lost.has(name)) {
        lost.add(name);
        onLost('rates are not served', { mode, product, why: ratesUnavailable(missing).message });
      }
    }
  };
}
