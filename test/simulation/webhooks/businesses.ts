// Simulates what businesses do with their webhooks. They add, change, disable, enable and remove endpoints, rotate secrets, and
// request tests and missed events. Their connection is unreliable, so they repeat requests until they get a response.
import type { Caller } from '../../../src/app/input/caller.ts';
import { addEndpoint } from '../../../src/app/webhooks/add-endpoint.ts';
import { changeEndpoint, removeEndpoint } from '../../../src/app/webhooks/change-endpoint.ts';
import {
  recoverFailedDeliveries,
  redeliver,
  redeliverRange,
} from '../../../src/app/webhooks/redeliver-range.ts';
import { rotateKeys } from '../../../src/app/webhooks/rotate-keys.ts';
import { sendTestEvent } from '../../../src/app/webhooks/send-test-event.ts';
import type { WebhookDeps } from '../../../src/app/webhooks/webhook-deps.ts';
import type { Refusal } from '../../../src/domain/values/refusals.ts';
import type { Result } from '../../../src/domain/values/result.ts';
import { expected } from '../world/faults.ts';
import type { Courier } from './couriers.ts';
import { drawReceiver, type Receiver } from './receivers.ts';
import type { WebhookStage } from './stage.ts';
import { isReceiving } from './store/memory.ts';

const PATIENCE_MS = 20_000;
const RETRY_MS = [200, 3_000] as const;
const MINUTES_MS = 180_000;
const HOUR_MS = 3_600_000;
/** At this time all retries have ended, and every receiver that can recover has recovered. */
const LATE_MS = 90 * HOUR_MS;

const SUBSCRIPTIONS = [
  [],
  ['transaction.*'],
  ['transaction.completed', 'transaction.refunded'],
  ['transaction.completed', 'refund.completed', 'webhook_endpoint.disabled'],
  ['transaction.on_hold', 'transaction.expired', 'webhook.*'],
] as const;
/**
 * Receivers that never work again subscribe only to these few events, because each event takes them through the whole retry
 * schedule.
 */
const FEW_EVENTS = ['transaction.cancelled', 'webhook_endpoint.disabled'];

interface Wish {
  readonly no: number;
  readonly caller: Caller;
  readonly receiver: Receiver;
  readonly events: readonly string[];
  /** The id of the endpoint; null until the endpoint exists. */
  id: string | null;
  /**
   * Whether the endpoint missed events because it was disabled. A business requests events again only for a reason, so that the
   * simulation notices a lost event.
   */
  wasDisabled: boolean;
}

export interface Businesses {
  /** After a restore, adds the endpoints that the backup does not contain. */
  restored(): void;
}

export function startBusinesses(stage: WebhookStage, couriers: readonly Courier[]): Businesses {
  const { agenda, dice, keys, catalogue, receivers } = stage;
  const startMs = agenda.now();
  const wishes: Wish[] = [];
  for (const key of keys)
    for (let count = dice.pick([0, 0, 1, 1, 3]); count > 0; count--) {
      const isLive = dice.percent(10);
      const no = wishes.length + 1;
      const url = `${isLive ? 'https' : 'http'}://receiver-${no}.test/hook`;
      const receiver = drawReceiver(dice, url, startMs);
      receivers.add(receiver);
      const caller = { key: { ...key, mode: isLive ? ('live' as const) : key.mode }, catalogue: catalogue() };
      const events = receiver.isDead ? FEW_EVENTS : dice.pick(SUBSCRIPTIONS);
      wishes.push({ no, caller, receiver, events, id: null, wasDisabled: false });
    }
  const desk = { stage, couriers };
  for (const wish of wishes) {
    const atMs = dice.percent(70) ? startMs : startMs + dice.below(60_000);
    agenda.at(atMs, () => add(desk, wish, 'first'));
    drawWishes(desk, wish, startMs);
    for (const laterMs of [HOUR_MS, LATE_MS, LATE_MS + HOUR_MS])
      agenda.at(startMs + laterMs, () => catchUp(desk, wish, laterMs === HOUR_MS && dice.percent(25)));
  }
  return {
    restored: () => {
      for (const wish of wishes) {
        if (wish.id === null || stage.memory.endpoints.has(wish.id)) continue;
        wish.id = null;
        add(desk, wish, `restore ${stage.restores.count}`);
      }
    },
  };
}

interface Desk {
  readonly stage: WebhookStage;
  readonly couriers: readonly Courier[];
}

function add(desk: Desk, wish: Wish, occasion: string): void {
  const { caller, receiver, events } = wish;
  const body = { url: receiver.url, events };
  const idempotencyKey = `endpoint-${wish.no}-${occasion.replace(' ', '-')}`;
  ask(
    desk,
    (deps) => addEndpoint(deps, { caller, body, idempotencyKey }),
    ({ endpoint, secret }) => {
      wish.id = endpoint.id;
      desk.stage.watch.secretShown(endpoint.id, secret);
    },
  );
}

function drawWishes(desk: Desk, wish: Wish, startMs: number): void {
  const { agenda, dice } = desk.stage;
  const sometimes = (share: number, act: (id: string) => void, latestMs = MINUTES_MS) => {
    if (!dice.percent(share)) return;
    agenda.at(startMs + 5_000 + dice.below(latestMs), () => wish.id !== null && act(wish.id));
  };
  sometimes(40, (id) => rotate(desk, wish, id, 'first'));
  sometimes(15, (id) => rotate(desk, wish, id, 'second'), 2 * HOUR_MS);
  sometimes(10, (id) => resubscribe(desk, wish, id));
  sometimes(20, (id) => disableAndBack(desk, wish, id));
  sometimes(6, (id) => ask(desk, (deps) => removeEndpoint(deps, wish.caller, id)));
  sometimes(15, (id) => test(desk, wish, id));
  sometimes(15, (id) => oneAgain(desk, wish, id), 10 * HOUR_MS);
  sometimes(5, (id) => rangeAgain(desk, wish, id, startMs), 10 * HOUR_MS);
}

function rotate(desk: Desk, { caller, no }: Wish, id: string, occasion: string): void {
  const overlapHours = desk.stage.dice.pick([0, 1, 24]);
  const request = { caller, id, overlapHours, idempotencyKey: `rotate-${no}-${occasion}` };
  const untilMs = desk.stage.agenda.now() + overlapHours * HOUR_MS;
  ask(
    desk,
    (deps) => rotateKeys(deps, request),
    ({ endpoint, secret }) => {
      desk.stage.watch.secretShown(endpoint.id, secret);
      if (secret !== null) desk.stage.watch.overlapPromised(endpoint.id, untilMs);
    },
  );
}

function resubscribe(desk: Desk, { caller }: Wish, id: string): void {
  const body = { events: desk.stage.dice.pick(SUBSCRIPTIONS) };
  ask(desk, (deps) => changeEndpoint(deps, { caller, id, body }));
}

function disableAndBack(desk: Desk, wish: Wish, id: string): void {
  const { agenda, dice } = desk.stage;
  const { caller } = wish;
  ask(
    desk,
    (deps) => changeEndpoint(deps, { caller, id, body: { state: 'disabled' } }),
    () => {
      const backMs = dice.pick([dice.below(2_000), dice.below(60_000), HOUR_MS / 2]);
      agenda.at(agenda.now() + backMs, () => enable(desk, wish, id));
    },
  );
}

function enable(desk: Desk, wish: Wish, id: string): void {
  const { caller } = wish;
  wish.wasDisabled = true;
  ask(
    desk,
    (deps) => changeEndpoint(deps, { caller, id, body: { state: 'enabled' } }),
    () => recover(desk, wish, id),
  );
}

function recover(desk: Desk, { caller }: Wish, id: string): void {
  const since = new Date(0).toISOString();
  ask(desk, (deps) => recoverFailedDeliveries(deps, { caller, id, idempotencyKey: null }, { since }));
}

/** Enables a disabled endpoint again and requests missed events, unless the business has lost interest in the endpoint. */
function catchUp(desk: Desk, wish: Wish, isIdle: boolean): void {
  const { memory } = desk.stage;
  const { id } = wish;
  const row = id === null ? undefined : memory.endpoints.get(id);
  if (id === null || row === undefined || row.deletedAtMs !== null || isIdle) return;
  const hasFailed = memory.deliveries
    .values()
    .some(({ endpointId, state }) => endpointId === id && state === 'failed');
  if (!isReceiving(memory, id)) enable(desk, wish, id);
  else if (wish.wasDisabled || hasFailed) recover(desk, wish, id);
}

function test(desk: Desk, { caller, no }: Wish, id: string): void {
  const request = { caller, id, standsFor: undefined, idempotencyKey: `test-${no}` };
  ask(desk, (deps) => sendTestEvent(deps, request));
}

function oneAgain(desk: Desk, { caller }: Wish, endpointId: string): void {
  const { memory, dice } = desk.stage;
  const own = [...memory.deliveries.values()].filter((each) => each.endpointId === endpointId);
  if (own.length === 0) return;
  const { id } = dice.pick(own);
  ask(desk, (deps) => redeliver(deps, { caller, id, idempotencyKey: null }));
}

function rangeAgain(desk: Desk, { caller, no }: Wish, id: string, startMs: number): void {
  const [from, to] = [new Date(startMs).toISOString(), new Date(startMs + 60_000).toISOString()];
  const request = { caller, id, idempotencyKey: `range-${no}` };
  ask(desk, (deps) => redeliverRange(deps, request, { from, to, events: ['transaction.completed'] }));
}

function ask<Answer>(
  { stage, couriers }: Desk,
  request: (deps: WebhookDeps) => Promise<Result<Answer, Refusal>>,
  answered: (answer: Answer) => void = () => undefined,
): void {
  const { agenda, dice, tale, broken } = stage;
  const send = () => {
    const courier = dice.pick(couriers);
    let heard = !courier.up;
    const hear = (then: () => void) => {
      if (heard) return;
      heard = true;
      then();
    };
    const again = () => agenda.at(agenda.now() + dice.between(...RETRY_MS), send);
    if (!courier.up) return again();
    agenda.at(agenda.now() + PATIENCE_MS, () => hear(again));
    request(courier.deps).then(
      (result) =>
        hear(() => {
          tale.line('business', result.ok ? 'is answered' : `is refused: ${result.error.code}`);
          if (result.ok) answered(result.value);
        }),
      (error: Error) => {
        if (expected(error)) hear(again);
        else broken('no use-case fails by itself', String(error.stack), null);
      },
    );
  };
  send();
}
