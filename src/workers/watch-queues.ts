// Tells how much work waits and for how long, so that what is stuck is noticed.
import { MODES } from '../domain/mode.ts';
import type { Clock } from '../ports/clock.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { QueueMetrics } from '../ports/queue-metrics.ts';
import { type Loop, startLoop } from './loop.ts';

export interface WatchQueuesLoop {
  readonly queueMetrics: QueueMetrics;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly onError: (error: Error) => void;
}

export function watchQueues(
  { queueMetrics, clock, instruments, onError }: WatchQueuesLoop,
  everyMs: number,
): Loop {
  const oldest = instruments.gauge(
    'sliproad_queue_oldest_seconds',
    'For how long the oldest record of a queue has been due and not taken.',
    ['queue'],
  );
  const due = instruments.gauge(
    'sliproad_queue_due',
    'Records of a queue that are due; 10000 means that or more.',
    ['queue'],
  );
  const onHold = instruments.gauge('sliproad_on_hold', 'Transactions that wait for an operator.', [
    'mode',
    'type',
  ]);
  const review = instruments.gauge('sliproad_review_credits', 'Bank credits that wait for an operator.', [
    'mode',
  ]);
  const cases = instruments.gauge('sliproad_recovery_cases_open', 'Recovery cases that are not closed.', [
    'mode',
  ]);
  return startLoop({
    everyMs,
    turn: async () => {
      const atMs = clock.now();
      const depths = await queueMetrics.readQueues(atMs);
      const seconds = (sinceMs: number | null) =>
        sinceMs === null ? 0 : Math.max(0, atMs - sinceMs) / 1_000;
      oldest(depths.map(({ queue, oldestDueMs }) => ({ labels: { queue }, value: seconds(oldestDueMs) })));
      due(depths.map((depth) => ({ labels: { queue: depth.queue }, value: depth.due })));
      const waiting = await queueMetrics.readWaiting();
      onHold(waiting.onHold.map(({ mode, type, count }) => ({ labels: { mode, type }, value: count })));
      review(MODES.map((mode) => ({ labels: { mode }, value: waiting.reviewCredits[mode] })));
      cases(MODES.map((mode) => ({ labels: { mode }, value: waiting.openCases[mode] })));
    },
    onError,
  });
}
