// Runs the same random histories on the model of the webhook store and on PostgreSQL. Both must return the same results at
// every step. MODEL_SEED sets the first seed; MODEL_HISTORIES and MODEL_STEPS make the test longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeId } from '../../../../src/domain/values/ids.ts';
import type { AttemptSettlement, LeasedDelivery, NewDelivery } from '../../../../src/ports/webhooks.ts';
import { BUSINESS, NOW } from '../../../http/store-fixtures.ts';
import { type Dice, makeDice } from '../../../support/dice.ts';
import { type WebhookStage, webhookStage } from '../../../support/webhooks/stage.ts';
import { deliveryLogModel } from './delivery-log.ts';
import { endpointsModel } from './endpoints.ts';
import { emptyWebhookMemory } from './memory.ts';
import { fanOutModel, queueModel } from './queue.ts';

const FIRST_SEED = Number(process.env.MODEL_SEED ?? 7);
const HISTORIES = Number(process.env.MODEL_HISTORIES ?? 2);
const STEPS = Number(process.env.MODEL_STEPS ?? 250);

const MODES = ['test', 'live'] as const;
const TYPE = 'webhook.test';

type Port = 'endpoints' | 'queue' | 'fanOut' | 'deliveries';
type Call = readonly [port: Port, verb: string, ...given: readonly unknown[]];

/** The ids that the history knows, so that most requests refer to existing records. */
interface Known {
  readonly dice: Dice;
  nowMs: number;
  position: string;
  readonly endpoints: string[];
  readonly events: string[];
  readonly deliveries: string[];
  readonly leased: LeasedDelivery[];
}

function openModel() {
  const memory = emptyWebhookMemory();
  memory.position.at = '';
  return {
    endpoints: endpointsModel(memory),
    queue: queueModel(memory),
    fanOut: fanOutModel(memory),
    deliveries: deliveryLogModel(memory),
  };
}

const idOf = ({ dice, nowMs }: Known, prefix: 'whe' | 'whd' | 'evt') => makeId(prefix, nowMs, dice.bytes(10));
const scopeIn = ({ dice }: Known) => ({ businessId: BUSINESS, mode: dice.pick(MODES) });
const doingOf = ({ nowMs }: Known) => ({ actor: 'test', atMs: nowMs });
const anyOf = (known: Known, ids: readonly string[]) => (ids.length === 0 ? 'none' : known.dice.pick(ids));

function keysOf(known: Known) {
  const name = known.dice.below(1_000_000).toString();
  return { sealed: `sealed ${name}`, publicKey: `whpk_${name}`, madeBy: `req ${known.dice.below(4)}` };
}

/**
 * Makes one delivery for each of some endpoints. If two deliveries of one endpoint were due at the same time, either could be
 * first.
 */
function deliveriesFor(known: Known): NewDelivery[] {
  return known.endpoints
    .filter(() => known.dice.percent(60))
    .map((endpointId) => {
      const id = idOf(known, 'whd');
      known.deliveries.push(id);
      return { id, endpointId, eventId: anyOf(known, known.events), eventType: TYPE };
    });
}

function eventFor(known: Known, endpointId: string | null) {
  const id = idOf(known, 'evt');
  known.events.push(id);
  const common = {
    businessId: BUSINESS,
    mode: known.dice.pick(MODES),
    type: TYPE,
    atMs: known.nowMs,
  } as const;
  return { id, ...common, data: {}, endpointId };
}

function settlementOf(known: Known): AttemptSettlement {
  const { dice, nowMs: atMs } = known;
  const lease = dice.pick(known.leased);
  const kind = dice.pick(['delivered', 'failed', 'retry', 'retry'] as const);
  const next =
    kind === 'retry'
      ? { kind, inMs: dice.between(1, 5_000) }
      : kind === 'failed'
        ? { kind, reason: 'attempts_used' as const }
        : { kind };
  const outcome = kind === 'delivered' ? ('succeeded' as const) : ('answered' as const);
  const attempt = {
    no: lease.no,
    atMs: atMs - 5,
    durationMs: 5,
    status: 200,
    outcome,
    error: null,
    answer: 'x',
  };
  // A lease is used only once, so that no attempt is logged twice under one number.
  known.leased.splice(known.leased.indexOf(lease), 1);
  return {
    delivery: lease,
    endpointId: lease.endpointId,
    attempt: dice.percent(90) ? attempt : null,
    next,
    atMs,
  };
}

const CALLS: Readonly<Record<string, (known: Known) => Call | undefined>> = {
  add: (known) => {
    if (known.endpoints.length >= 6) return undefined;
    const id = idOf(known, 'whe');
    known.endpoints.push(id);
    const fields = { id, ...scopeIn(known), url: 'https://a.example/x', events: null, description: null };
    return ['endpoints', 'add', fields, keysOf(known), 4, doingOf(known)];
  },
  change: (known) => {
    const { dice } = known;
    const change = {
      ...(dice.percent(60) && { state: dice.pick(['enabled', 'enabled', 'disabled'] as const) }),
      ...(dice.percent(30) && { events: dice.pick([null, ['webhook.*']]) }),
      ...(dice.percent(30) && { url: `https://b.example/${dice.below(3)}` }),
    };
    return ['endpoints', 'change', scopeIn(known), anyOf(known, known.endpoints), change, doingOf(known)];
  },
  remove: (known) =>
    known.dice.percent(90)
      ? undefined
      : ['endpoints', 'remove', scopeIn(known), anyOf(known, known.endpoints), doingOf(known)],
  rotate: (known) => {
    const endMs = known.nowMs + known.dice.below(3_000);
    const given = [scopeIn(known), anyOf(known, known.endpoints), keysOf(known), endMs, doingOf(known)];
    return ['endpoints', 'rotate', ...given];
  },
  find: (known) => ['endpoints', 'find', scopeIn(known), anyOf(known, known.endpoints)],
  list: (known) => ['endpoints', 'list', scopeIn(known)],
  newestKeys: (known) => ['endpoints', 'newestKeys', anyOf(known, known.endpoints), keysOf(known).madeBy],
  listening: () => ['fanOut', 'listening', [BUSINESS, 'biz_other']],
  anyListens: () => ['fanOut', 'anyListens'],
  position: () => ['fanOut', 'position'],
  spread: (known) => {
    const isStale = known.dice.percent(10);
    const [from, to] = [isStale ? 'elsewhere' : known.position, `p${known.nowMs}`];
    if (!isStale) known.position = to;
    return ['fanOut', 'spread', from, to, deliveriesFor(known), known.nowMs];
  },
  claim: (known) => {
    const { dice, nowMs: atMs } = known;
    const rooms = new Map(known.endpoints.filter(() => dice.percent(30)).map((id) => [id, dice.below(3)]));
    const after = dice.pick(['', anyOf(known, known.endpoints)]);
    const request = { atMs, leaseUntilMs: atMs + 2_000, rooms, roomOfOthers: 2, after };
    return ['queue', 'claim', { ...request, limit: dice.pick([1, 3, 50]), mostAttempts: 3 }];
  },
  targets: (known) => ['queue', 'targets', [...known.endpoints, 'none'], known.nowMs],
  settle: (known) => (known.leased.length === 0 ? undefined : ['queue', 'settle', settlementOf(known)]),
  disable: (known) => {
    const id = anyOf(known, known.endpoints);
    const reason = known.dice.pick(['gone', 'failing'] as const);
    const endpoint = { id, businessId: BUSINESS, url: 'https://a.example/x' };
    const event = eventFor(known, null);
    return ['queue', 'disable', { endpoint, reason, atMs: known.nowMs, event, mails: [] }];
  },
  endStranded: ({ nowMs }) => ['queue', 'endStranded', nowMs, 100],
  forget: ({ nowMs }) => ['queue', 'forget', nowMs - 60_000, 100],
  depth: ({ nowMs }) => ['queue', 'depth', nowMs],
  findDelivery: (known) => ['deliveries', 'find', scopeIn(known), anyOf(known, known.deliveries)],
  listDeliveries: (known) => {
    const state = known.dice.pick(['pending', 'delivered', 'failed'] as const);
    const filter = { ...(known.dice.percent(50) && { state }), fromMs: NOW, limit: 20 };
    return ['deliveries', 'list', anyOf(known, known.endpoints), filter];
  },
  attempts: (known) => ['deliveries', 'attempts', anyOf(known, known.deliveries)],
  queueAgain: (known) => [
    'deliveries',
    'queueAgain',
    deliveriesFor(known),
    known.dice.percent(50),
    known.nowMs,
  ],
  addTest: (known) => {
    const endpointId = anyOf(known, known.endpoints);
    const event = eventFor(known, endpointId);
    const isRepeated = known.dice.percent(20) && known.deliveries.length > 0;
    const id = isRepeated ? known.dice.pick(known.deliveries) : idOf(known, 'whd');
    if (!isRepeated) known.deliveries.push(id);
    return ['deliveries', 'addTest', event, { id, endpointId, eventId: event.id, eventType: TYPE }];
  },
};

async function live(seed: number, met: Set<string>): Promise<void> {
  const stage: WebhookStage = await webhookStage();
  const model = openModel();
  const known: Known = {
    ...{ dice: makeDice(`webhooks ${seed}`), nowMs: NOW + 1_000, position: '' },
    ...{ endpoints: [], events: [], deliveries: [], leased: [] },
  };
  for (let count = 1; count <= STEPS; count++) {
    known.nowMs += known.dice.between(1, 700);
    const name = known.dice.pick(Object.keys(CALLS));
    const call = CALLS[name]!(known);
    if (call === undefined) continue;
    const [port, verb, ...given] = call;
    const on = (ports: object) =>
      (ports as Record<Port, Record<string, (...args: readonly unknown[]) => unknown>>)[port][verb]!(
        ...given,
      );
    const [real, modelled] = [inOrder(verb, await on(stage)), inOrder(verb, on(model))];
    assert.deepEqual(modelled, real, `MODEL_SEED=${seed}, step ${count}: ${verb}(${JSON.stringify(given)})`);
    if (verb === 'claim') known.leased.push(...(real as readonly LeasedDelivery[]));
    if (isSomething(real)) met.add(name);
  }
}

/** Leases have no defined order, so this function sorts them before the comparison. */
function inOrder(verb: string, answer: unknown): unknown {
  if (verb !== 'claim') return answer;
  return (answer as readonly LeasedDelivery[]).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function isSomething(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length > 0;
  return answer !== undefined && answer !== false && answer !== 0;
}

const met = new Set<string>();
for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++)
  test(`history ${seed}: the webhook model and PostgreSQL return the same results`, () => live(seed, met));

test('the histories cover every operation with a result that is not empty', () => {
  if (STEPS >= 250)
    assert.deepEqual(
      Object.keys(CALLS).filter((name) => !met.has(name)),
      [],
    );
});
