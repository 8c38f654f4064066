// Checks the history of each event for each endpoint: how often it was sent, when it may be tried again, and that it ends. The
// check uses the published retry schedule and not the schedule in the code of the service.
import type {
  DeliveryLeaseRequest,
  LeasedDelivery,
  NewDelivery,
  WebhookOutcome,
} from '../../../../src/ports/webhooks.ts';
import { pairOf } from '../store/memory.ts';
import type { WatchedParts, WebhookWatch } from './watching.ts';

const PAUSES_S = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
export const ROUND = PAUSES_S.length;
const DAY_MS = 86_400_000;

interface Story {
  sent: number;
  sentBeforeRound: number;
  rounds: number;
  notBeforeMs: number;
  isOver: boolean;
  leasedUntilMs: number;
}

export interface StoryWatch
  extends Pick<WebhookWatch, 'heard' | 'settled' | 'beforeQueueing' | 'sentInRound' | 'restored'> {
  claimed(request: DeliveryLeaseRequest, leased: LeasedDelivery): void;
  sent(endpointId: string, eventId: string): void;
}

export function makeStoryWatch(parts: WatchedParts): StoryWatch {
  const { memory, now, toleranceMs, broken } = parts;
  const stories = new Map<string, Story>();
  const outcomes = new Map<string, { readonly outcome: WebhookOutcome; readonly atMs: number }>();
  const storyOf = (endpointId: string, eventId: string): Story => {
    const pair = pairOf(endpointId, eventId);
    const fresh = { sent: 0, sentBeforeRound: 0, rounds: 1, notBeforeMs: 0, isOver: false, leasedUntilMs: 0 };
    const story = stories.get(pair) ?? fresh;
    stories.set(pair, story);
    return story;
  };
  return {
    claimed: ({ leaseUntilMs }, { endpointId, eventId }) => {
      const story = storyOf(endpointId, eventId);
      const earliestMs = Math.max(story.notBeforeMs, story.leasedUntilMs);
      if (now() < earliestMs - toleranceMs)
        broken(
          'no attempt is made before its time in the schedule, or before the receiver asked for it',
          `${eventId} to ${endpointId}: ${earliestMs - now()} ms too early`,
          eventId,
        );
      if (story.isOver) broken('what is over is not tried again', `${eventId} to ${endpointId}`, eventId);
      story.leasedUntilMs = leaseUntilMs;
    },
    sent: (endpointId, eventId) => {
      const story = storyOf(endpointId, eventId);
      story.sent++;
      if (story.sent > ROUND * story.rounds)
        broken('no more attempts than the schedule has', `${eventId}: ${story.sent}`, eventId);
    },
    // Responses are stored by attempt, because a late response to an earlier attempt may arrive before this response is
    // recorded.
    heard: (courier, { endpointId, headers }, outcome) => {
      const pair = pairOf(endpointId, headers['webhook-id']!);
      outcomes.set(`${courier} ${pair} ${headers['webhook-timestamp']}`, { outcome, atMs: now() });
    },
    settled: (courier, { delivery, endpointId, attempt, next }) => {
      const { eventId, attempts, roundStart } = memory.deliveries.get(delivery.id)!;
      const story = storyOf(endpointId, eventId);
      story.leasedUntilMs = 0;
      story.isOver = next.kind !== 'retry';
      if (attempt === null) return;
      const sentAtS = Math.floor(attempt.atMs / 1_000);
      const heard = outcomes.get(`${courier} ${pairOf(endpointId, eventId)} ${sentAtS}`);
      if (heard === undefined) return;
      judgeStep(parts, eventId, heard.outcome, next.kind);
      const askedMs = heard.outcome.kind === 'answered' ? (heard.outcome.retryAfterMs ?? 0) : 0;
      const pauseMs = Math.max((PAUSES_S[attempts - roundStart] ?? 0) * 1_000, Math.min(DAY_MS, askedMs));
      if (next.kind === 'retry') story.notBeforeMs = heard.atMs + pauseMs;
    },
    beforeQueueing: (deliveries) => beforeQueueing(parts, deliveries, storyOf),
    sentInRound: (endpointId, eventId) => {
      const { sent, sentBeforeRound } = storyOf(endpointId, eventId);
      return sent - sentBeforeRound;
    },
    restored: () => {
      stories.clear();
      outcomes.clear();
      for (const { endpointId, eventId, attempts, state } of memory.deliveries.values()) {
        const story = storyOf(endpointId, eventId);
        story.rounds = 1 + Math.ceil(attempts / ROUND);
        story.isOver = state !== 'pending';
      }
    },
  };
}

function judgeStep(
  { broken }: WatchedParts,
  eventId: string,
  outcome: WebhookOutcome,
  next: 'delivered' | 'failed' | 'retry',
): void {
  const status = outcome.kind === 'answered' ? outcome.status : 0;
  const isTaken = status >= 200 && status < 300;
  if (isTaken !== (next === 'delivered'))
    broken('what was taken is delivered, and nothing else', `${eventId}: ${status} is ${next}`, eventId);
  if (next === 'retry' && (outcome.kind === 'refused' || status === 410))
    broken('a refusal for good is not tried again', eventId, eventId);
}

/**
 * A delivery that had ended and is pending afterwards begins a new round. A delivery that was waiting may be tried immediately.
 */
function beforeQueueing(
  { memory }: WatchedParts,
  deliveries: readonly NewDelivery[],
  storyOf: (endpointId: string, eventId: string) => Story,
): () => void {
  const rowOf = ({ endpointId, eventId }: NewDelivery) =>
    memory.deliveries.get(memory.pairs.get(pairOf(endpointId, eventId)) ?? '');
  const before = deliveries.flatMap((each) => rowOf(each) ?? []);
  return () => {
    for (const row of before) {
      if (memory.deliveries.get(row.id) === row) continue;
      const story = storyOf(row.endpointId, row.eventId);
      story.notBeforeMs = 0;
      if (row.state === 'pending') continue;
      story.rounds++;
      story.sentBeforeRound = story.sent;
      story.isOver = false;
    }
  };
}
