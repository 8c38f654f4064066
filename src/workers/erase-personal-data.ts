// Erases personal data that is due and reports the progress in metrics. Only one process at a time works on a table.
import { type EraseDueDataDeps, eraseDueData } from '../app/privacy/erase-due-data.ts';
import type { Instruments } from '../ports/instruments.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY_MS = 60_000;

export interface EraseLoopDeps extends Omit<EraseDueDataDeps, 'stopping'> {
  readonly instruments: Instruments;
  readonly onError: (error: Error) => void;
}

export function startErasingPersonalData({ instruments, onError, ...deps }: EraseLoopDeps): Loop {
  const erased = instruments.totals(
    'sliproad_privacy_erased_rows_total',
    'Rows whose personal data was replaced by keyed hashes after its retention time.',
    ['place'],
  );
  const waiting = instruments.gauge(
    'sliproad_privacy_waiting_rows',
    'Rows with personal data that are old enough to erase, but whose record has not ended long enough ago.',
    ['place'],
  );
  let stopped = false;
  const loop = startLoop({
    everyMs: EVERY_MS,
    turn: async () => {
      await eraseDueData({ ...deps, stopping: () => stopped });
      const progress = await deps.privacy.progress();
      erased(progress.map(({ place, erased: value }) => ({ labels: { place }, value })));
      waiting(progress.map(({ place, waiting: value }) => ({ labels: { place }, value })));
    },
    onError,
  });
  return {
    stop: () => {
      stopped = true;
      return loop.stop();
    },
  };
}
