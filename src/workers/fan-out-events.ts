// Creates the deliveries of new events for the webhook endpoints. It runs at once when this process is notified of events, and
// polls slowly for all other events.
import { type FanOutDeps, fanOutEvents } from '../app/webhooks/fan-out-events.ts';
import { type Stage, startStage } from './stage.ts';

const GATHER_MS = 20;

export function startFanOut(
  deps: FanOutDeps,
  onQueued: () => void,
  onError: (error: Error) => void,
): Pick<Stage<never>, 'wake' | 'stop'> {
  let isStopping = false;
  const memory = { jumpedAtMs: 0 };
  const stage = startStage<never>({
    lease: async () => {
      for (let more = true; more && !isStopping; ) {
        const done = await fanOutEvents(deps, memory);
        if (done.deliveries > 0) onQueued();
        more = done.more;
      }
      return [];
    },
    work: async () => undefined,
    maxBatch: 1,
    onError,
  });
  let waking: NodeJS.Timeout | undefined;
  return {
    wake: () => {
      waking ??= setTimeout(() => {
        waking = undefined;
        stage.wake();
      }, GATHER_MS).unref();
    },
    stop: () => {
      isStopping = true;
      clearTimeout(waking);
      return stage.stop();
    },
  };
}
