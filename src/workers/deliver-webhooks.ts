// Sends webhooks. It claims due deliveries repeatedly, without waiting for earlier attempts to end. When it stops, it claims no
// more deliveries, waits a moment for the attempts in progress, and then aborts them. Other processes retry these deliveries
// after their leases end.
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliverWebhooksDeps, deliverDueWebhooks } from '../app/webhooks/deliver-due-webhooks.ts';
import { makeDeliveryWindows } from '../app/webhooks/delivery-windows.ts';
import type { Loop } from './loop.ts';

export interface DeliveryLoop extends Loop {
  wake(): void;
  underWay(): number;
}

export interface DeliveryLoopOptions {
  readonly deps: DeliverWebhooksDeps;
  readonly mostAtOnce: number;
  readonly stopMs?: number;
}

/** The poll finds deliveries that become due with time or that another process creates. */
const POLL_MS = 500;
/** The pause between two claims. Attempts that end and deliveries that arrive during the pause share the next claim. */
const GATHER_MS = 5;
const AFTER_ERROR_MS = 500;
const STOP_MS = 2_000;

export function startWebhookDelivery({
  deps,
  mostAtOnce,
  stopMs = STOP_MS,
}: DeliveryLoopOptions): DeliveryLoop {
  const windows = makeDeliveryWindows(mostAtOnce);
  const stopping = new AbortController();
  const ending = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let after = '';
  let isWoken = false;
  let rouse = () => {};
  const wake = () => {
    isWoken = true;
    rouse();
  };
  const pause = (forMs: number) =>
    sleep(forMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const rest = async (forMs: number) => {
    const woken = new Promise<void>((resolve) => {
      rouse = resolve;
    });
    if (!isWoken) await Promise.race([woken, pause(forMs)]);
  };
  // When an attempt ends, its endpoint may have one more attempt in progress.
  const observed = {
    ...deps,
    onAttempt: (outcome: Parameters<typeof deps.onAttempt>[0]) => {
      deps.onAttempt(outcome);
      wake();
    },
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      isWoken = false;
      try {
        const turn = await deliverDueWebhooks(observed, windows, after, ending.signal);
        ({ after } = turn);
        if (turn.claimed > 0) keep(turn.finished);
        await (turn.claimed > 0 ? pause(GATHER_MS) : rest(POLL_MS));
      } catch (error) {
        deps.onError(error as Error);
        await pause(AFTER_ERROR_MS);
      }
    }
  };
  const keep = (finished: Promise<unknown>) => {
    underWay.add(finished);
    void finished.finally(() => underWay.delete(finished));
  };
  const running = run();
  return {
    wake,
    underWay: windows.underWay,
    stop: async () => {
      stopping.abort();
      rouse();
      await running;
      const all = Promise.all(underWay);
      await Promise.race([all, sleep(stopMs, undefined, { ref: false })]);
      ending.abort();
      await all;
    },
  };
}
