// Maintains the webhook tables: ends deliveries that can no longer be sent, deletes old deliveries, and reports how many
// deliveries are waiting.
import type { Clock } from '../ports/clock.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { DeliveryQueue } from '../ports/webhooks.ts';
import { type Loop, startLoop } from './loop.ts';

export interface WebhookUpkeepDeps {
  readonly queue: Pick<DeliveryQueue, 'endStranded' | 'forget' | 'depth'>;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly keepMs: number;
  readonly underWay: () => number;
  readonly onError: (error: Error) => void;
}

const BATCH = 1_000;
const END_EVERY_MS = 1_000;
const FORGET_EVERY_MS = 60_000;
const REPORT_EVERY_MS = 5_000;

export function startEndingStranded(
  { queue, clock, onError }: WebhookUpkeepDeps,
  everyMs = END_EVERY_MS,
): Loop {
  return startLoop({
    everyMs,
    onError,
    turn: () => repeatInBatches(() => queue.endStranded(clock.now(), BATCH)),
  });
}

export function startForgettingDeliveries({ queue, clock, keepMs, onError }: WebhookUpkeepDeps): Loop {
  const turn = () => repeatInBatches(() => queue.forget(clock.now() - keepMs, BATCH));
  return startLoop({ everyMs: FORGET_EVERY_MS, onError, turn });
}

export function startWebhookReport({
  queue,
  clock,
  instruments,
  underWay,
  onError,
}: WebhookUpkeepDeps): Loop {
  const due = instruments.gauge(
    'sliproad_webhooks_due',
    'Deliveries that are due and not being sent; 10000 means 10000 or more.',
    [],
  );
  const oldest = instruments.gauge(
    'sliproad_webhooks_oldest_due_seconds',
    'How long the oldest due delivery has been due.',
    [],
  );
  const running = instruments.gauge(
    'sliproad_webhooks_under_way',
    'Delivery attempts of this process that are in progress.',
    [],
  );
  return startLoop({
    everyMs: REPORT_EVERY_MS,
    onError,
    turn: async () => {
      const atMs = clock.now();
      const depth = await queue.depth(atMs);
      const ageMs = depth.oldestDueMs === null ? 0 : Math.max(0, atMs - depth.oldestDueMs);
      due([{ labels: {}, value: depth.due }]);
      oldest([{ labels: {}, value: ageMs / 1_000 }]);
      running([{ labels: {}, value: underWay() }]);
    },
  });
}

async function repeatInBatches(work: () => Promise<number>): Promise<void> {
  while ((await work()) >= BATCH);
}
