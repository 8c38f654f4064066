// Reads the rate sources when they are due. A source that does not respond does not delay the others.
import { type ReadSourcesDeps, readDueSources } from '../../app/rates/read-due-sources.ts';
import { type Loop, startLoop } from '../loop.ts';

const EVERY_MS = 1_000;

export function startReadingSources(
  deps: Omit<ReadSourcesDeps, 'deadline'> & { readonly onError: (error: Error) => void },
): Loop {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const deadline = (timeoutMs: number) => AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]);
  const loop = startLoop({
    everyMs: EVERY_MS,
    onError: deps.onError,
    turn: async () => {
      const { leased, finished } = await readDueSources({ ...deps, deadline });
      if (leased === 0) return;
      const reading = finished.catch(deps.onError);
      underWay.add(reading);
      void reading.finally(() => underWay.delete(reading));
    },
  });
  return {
    stop: async () => {
      stopping.abort();
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
