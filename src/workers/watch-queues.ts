// Reports how much work waits and for how long, so that operators notice stuck work.
import { MODES } from '../domain/values/mode.ts';
import type { Clock } from '../ports/clock.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { ClaimLimits } from '../ports/matching.ts';
import type { QueueMetrics, ReviewBacklog } from '../ports/queue-metrics.ts';
import { type Loop, startLoop } from './loop.ts';

export interface WatchQueuesDeps {
  readonly queueMetrics: QueueMetrics;
  readonly claimLimits: Pick<ClaimLimits, 'nearLimit'>;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly onError: (error: Error) => void;
}

export function startQueueWatch(
  { queueMetrics, claimLimits, clock, instruments, onError }: WatchQueuesDeps,
  everyMs: number,
): Loop {
  const oldest = instruments.gauge(
    'sliproad_queue_oldest_seconds',
    'How long the oldest record of a queue has been due without being leased.',
    ['queue'],
  );
  const due = instruments.gauge(
    'sliproad_queue_due',
    'Records of a queue that are due; 10000 means 10000 or more.',
    ['queue'],
  );
  const stuck = instruments.gauge(
    'sliproad_stuck_oldest_seconds',
    'How long the oldest record has been in its state, including all attempts.',
    ['what', 'state'],
  );
  const near = instruments.gauge(
    'sliproad_near_claim_limit',
    'Businesses at or above half of their limit of unpaid buys.',
    ['mode'],
  );
  const tellWaiting = waitingGauges(instruments);
  return startLoop({
    everyMs,
    turn: async () => {
      const atMs = clock.now();
      const depths = await queueMetrics.readQueues(atMs);
      const seconds = (sinceMs: number | null) =>
        sinceMs === null ? 0 : Math.max(0, atMs - sinceMs) / 1_000;
      oldest(depths.map(({ queue, oldestDueMs }) => ({ labels: { queue }, value: seconds(oldestDueMs) })));
      due(depths.map((depth) => ({ labels: { queue: depth.queue }, value: depth.due })));
      const found = await queueMetrics.readStuck();
      stuck(
        found.map(({ what, state, oldestMs }) => ({ labels: { what, state }, value: seconds(oldestMs) })),
      );
      tellWaiting(await queueMetrics.readWaiting());
      const flagged = await Promise.all(MODES.map((mode) => claimLimits.nearLimit(mode, atMs)));
      near(MODES.map((mode, index) => ({ labels: { mode }, value: flagged[index]!.length })));
    },
    onError,
  });
}

function waitingGauges(instruments: Instruments): (waiting: ReviewBacklog) => void {
  const onHold = instruments.gauge('sliproad_on_hold', 'Transactions that wait for an operator.', [
    'mode',
    'type',
  ]);
  const byMode = (
    [
      ['reviewCredits', 'sliproad_review_credits', 'Bank credits that wait for an operator.'],
      ['suspenseDeposits', 'sliproad_suspense_deposits', 'Final deposits that pay no transaction.'],
      ['stuckRefunds', 'sliproad_stuck_refunds', 'Refunds that failed, or that have no destination.'],
      ['reviewNotices', 'sliproad_review_notices', 'Bank notices that wait for an operator.'],
      ['openCases', 'sliproad_recovery_cases_open', 'Recovery cases that are not closed.'],
      [
        'quarantined',
        'sliproad_quarantined_lines',
        'Quarantined lines since the beginning; 10000 means 10000 or more.',
      ],
      [
        'depositsNeedTwo',
        'sliproad_deposits_need_two',
        'Deposits that need a second provider to confirm them.',
      ],
    ] as const
  ).map(([kind, name, help]) => ({ kind, set: instruments.gauge(name, help, ['mode']) }));
  return (waiting) => {
    onHold(waiting.onHold.map(({ mode, type, count }) => ({ labels: { mode, type }, value: count })));
    for (const { kind, set } of byMode)
      set(MODES.map((mode) => ({ labels: { mode }, value: waiting[kind][mode] })));
  };
}
