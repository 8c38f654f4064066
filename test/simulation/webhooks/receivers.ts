// Simulates the receivers of webhooks. Some work, fail, hang, ask to retry later, are removed or are unreachable for hours, and
// some process an event but respond with an error. Each receiver remembers what it received and how it responded.
import type { WebhookOutcome, WebhookRequest } from '../../../src/ports/webhooks.ts';
import type { Dice } from '../../support/dice.ts';
import type { Agenda } from '../world/agenda.ts';

type Manner = 'well' | 'moody' | 'down' | 'hanging' | 'gone' | 'forbidden';

export interface Receiver {
  readonly url: string;
  /** The list is sorted by time, and its last item has no end. */
  readonly manners: readonly { readonly untilMs: number; readonly manner: Manner }[];
  readonly isDead: boolean;
}

export interface Receivers {
  add(receiver: Receiver): void;
  receive(request: WebhookRequest): Promise<WebhookOutcome>;
  hasTaken(endpointId: string, eventId: string): boolean;
}

const TIMEOUT_MS = 15_000;
const MOODS = {
  ok: 50,
  no_content: 10,
  error: 12,
  patience: 10,
  liar: 8,
  refused_connection: 5,
  silence: 5,
} as const;
const PATIENCE_S = [0, 1, 30, 90, 400, 7_000, 200_000] as const;

export function makeReceivers(agenda: Agenda, dice: Dice): Receivers {
  const known = new Map<string, Receiver>();
  const taken = new Set<string>();
  const answer = (
    status: number,
    durationMs: number,
    retryAfterMs: number | null = null,
  ): WebhookOutcome => ({
    kind: 'answered',
    ...{ status, retryAfterMs, answer: '', durationMs },
  });
  const failure = (problem: 'timeout' | 'connection', durationMs: number): WebhookOutcome => ({
    kind: 'failed',
    ...{ problem, detail: problem, durationMs },
  });
  const decide = ({ endpointId, headers, url }: WebhookRequest): WebhookOutcome => {
    const receiver = known.get(url)!;
    const { manner } = receiver.manners.find(({ untilMs }) => untilMs > agenda.now())!;
    const durationMs = dice.between(1, 400);
    const take = (status: number) => {
      taken.add(`${endpointId} ${headers['webhook-id']}`);
      return answer(status, durationMs);
    };
    if (manner === 'well') return take(200);
    if (manner === 'gone') return answer(410, durationMs);
    if (manner === 'down')
      return dice.percent(30)
        ? failure('connection', durationMs)
        : answer(dice.pick([500, 503, 404, 302]), durationMs);
    if (manner === 'hanging') return failure('timeout', TIMEOUT_MS);
    if (manner === 'forbidden') return { kind: 'refused', detail: 'the address is not public', durationMs };
    switch (dice.weighted(MOODS)) {
      case 'ok':
        return take(200);
      case 'no_content':
        return take(204);
      case 'error':
      case 'liar':
        // A receiver of the kind `liar` processes the event but returns the same error.
        return answer(500, durationMs);
      case 'patience':
        return answer(429, durationMs, dice.pick(PATIENCE_S) * 1_000);
      case 'refused_connection':
        return failure('connection', durationMs);
      case 'silence':
        return failure('timeout', TIMEOUT_MS);
    }
  };
  return {
    add: (receiver) => void known.set(receiver.url, receiver),
    receive: (request) => {
      const outcome = decide(request);
      return new Promise((resolve) => {
        agenda.at(agenda.now() + outcome.durationMs, () => resolve(outcome));
      });
    },
    hasTaken: (endpointId, eventId) => taken.has(`${endpointId} ${eventId}`),
  };
}

const HOUR_MS = 3_600_000;
const KINDS = { steady: 35, moody: 25, away: 16, hanging: 8, gone: 6, forbidden: 4, dead: 6 } as const;

export function drawReceiver(dice: Dice, url: string, startMs: number): Receiver {
  const kind = dice.weighted(KINDS);
  const endless = Number.POSITIVE_INFINITY;
  if (kind === 'steady' || kind === 'moody') {
    const manner = kind === 'steady' ? 'well' : 'moody';
    return { url, isDead: false, manners: [{ untilMs: endless, manner }] };
  }
  const fromMs = startMs + dice.pick([0, dice.below(120_000)]);
  const manner = (
    { away: 'down', dead: 'down', hanging: 'hanging', gone: 'gone', forbidden: 'forbidden' } as const
  )[kind];
  const untilMs = fromMs + dice.pick([60_000, 600_000, 2 * HOUR_MS, dice.between(3, 60) * HOUR_MS]);
  return {
    url,
    isDead: kind === 'dead',
    manners: [
      { untilMs: fromMs, manner: 'well' },
      { untilMs: kind === 'dead' ? endless : untilMs, manner },
      ...(kind === 'dead' ? [] : [{ untilMs: endless, manner: 'well' } as const]),
    ],
  };
}
