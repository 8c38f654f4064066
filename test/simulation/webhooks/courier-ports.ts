// The ports of a process that delivers webhooks. Each port calls the model of the store or a receiver, each call can fail, and
// the watch sees each effect. A write to the event log gets its number when a process requests it, and holds the number until
// the write ends.
import type { BusinessEvent } from '../../../src/domain/events/event.ts';
import { renderEvent } from '../../../src/http/routes/render-event.ts';
import type { EventLog } from '../../../src/ports/events.ts';
import type { SecretBox } from '../../../src/ports/people/credentials.ts';
import type {
  DeliveryFanOut,
  DeliveryLog,
  DeliveryQueue,
  WebhookEndpoints,
  WebhookSender,
} from '../../../src/ports/webhooks.ts';
import type { Sync } from '../model/tables.ts';
import type { Gate } from '../world/gate.ts';
import { databaseAway, gated, ORDERS, READS, sameStore, WRITES } from '../world/ports.ts';
import type { WebhookStage } from './stage.ts';
import { deliveryLogModel } from './store/delivery-log.ts';
import { endpointsModel } from './store/endpoints.ts';
import type { EventLogModel } from './store/log.ts';
import { fanOutModel, queueModel } from './store/queue.ts';

const WRITING = new Set([
  ...['spread', 'claim', 'settle', 'endStranded', 'forget'],
  ...['change', 'remove', 'rotate', 'queueAgain', 'bindIdempotencyKey'],
]);
const kindsOf = (call: string | number | symbol) => (WRITING.has(String(call)) ? WRITES : READS);
const CARETAKERS = ['owner@business.test'];

/** The transactions that a process has begun. When the process dies, those that are not yet committing are rolled back. */
export function openTransactions(log: EventLogModel) {
  const running = new Set<number>();
  return {
    begin: () => {
      const number = log.begin();
      running.add(number);
      return number;
    },
    commit: (number: number) => running.delete(number),
    abort: (number: number) => {
      if (running.delete(number)) log.abort(number);
    },
    abortAll: () => {
      for (const number of running) log.abort(number);
      running.clear();
    },
  };
}

export type CourierPorts = ReturnType<typeof courierPorts>;

export function courierPorts(
  stage: WebhookStage,
  gate: Gate,
  open: ReturnType<typeof openTransactions>,
  courier: () => string,
) {
  const { memory, networks, restores } = stage;
  const asking = { epoch: () => restores.count };
  const through = <Port extends object>(core: Sync<Port>) => gated<Port>(gate, core, asking, kindsOf);
  const numbered = <Answer>(call: string, act: (number: number) => Answer): Promise<Answer> => {
    const number = open.begin();
    // Once the commit has started, the transaction no longer depends on the process.
    const done = sameStore(asking, () => {
      open.commit(number);
      return act(number);
    });
    const lost = (acted: boolean) => {
      if (acted) open.commit(number);
      else open.abort(number);
      return databaseAway(acted);
    };
    return gate({ call, about: () => String(number), kinds: WRITES, act: done, lost });
  };
  const endpoints = watchedEndpoints(stage);
  const queue = watchedQueue(stage, courier);
  const deliveries = watchedLog(stage);
  return {
    events: through<EventLog>(memory.log),
    endpoints: {
      ...through<WebhookEndpoints>(endpoints),
      add: (...given: Parameters<WebhookEndpoints['add']>) =>
        numbered('addEndpoint', (number) => endpoints.addAs(number, ...given)),
    },
    queue: {
      ...through<DeliveryQueue>(queue),
      disable: (disabling: Parameters<DeliveryQueue['disable']>[0]) =>
        numbered('disable', (number) => queue.disableAs(number, disabling)),
    },
    deliveries: {
      ...through<DeliveryLog>(deliveries),
      addTest: (...given: Parameters<DeliveryLog['addTest']>) =>
        numbered('addTest', (number) => deliveries.addTestAs(number, ...given)),
    },
    fanOut: through<DeliveryFanOut>(fanOutModel(memory)),
    store: through(requestKeys(stage)),
    sender: gatedSender(stage, gate, courier),
    box: BOX,
    userAgent: 'Sliproad/0.0.0',
    render: (event: BusinessEvent) => JSON.stringify(renderEvent(event, networks)),
  };
}

/** A secret box hides a secret from people who read the database. No test here depends on how it does so. */
const BOX: SecretBox = {
  seal: (secret, purpose) => `${purpose}|${Buffer.from(secret).toString()}`,
  unseal: (sealed, purpose) => {
    if (!sealed.startsWith(`${purpose}|`)) throw new Error('sealed for another purpose');
    return Buffer.from(sealed.slice(purpose.length + 1));
  },
  isOld: () => false,
  fingerprint: (secret) => Buffer.from(secret).toString('hex'),
};

function requestKeys({ memory: { requests } }: WebhookStage) {
  type Bind = WebhookStore['bindIdempotencyKey'];
  const nameOf = ({ businessId, mode }: Parameters<Bind>[0], key: string) => `${businessId} ${mode} ${key}`;
  return {
    bindIdempotencyKey: (...[scope, { key, requestHash }, transactionId]: Parameters<Bind>) => {
      const name = nameOf(scope, key);
      if (!requests.has(name)) requests.set(name, { requestHash, transactionId });
    },
    findIdempotencyKey: (...[scope, key]: Parameters<WebhookStore['findIdempotencyKey']>) =>
      requests.get(nameOf(scope, key)),
  } as Sync<WebhookStore>;
}

type WebhookStore = import('../../../src/app/webhooks/webhook-deps.ts').WebhookDeps['store'];

function watchedEndpoints({ memory, watch }: WebhookStage) {
  const core = endpointsModel(memory);
  return {
    ...core,
    addAs: (...given: Parameters<typeof core.addAs>) => {
      const added = core.addAs(...given);
      if (added === 'added') watch.keysMade(given[1].id, null);
      return added;
    },
    change: (...given: Parameters<typeof core.change>) => {
      const changed = core.change(...given);
      if (changed !== undefined) watch.endpointChanged(given[1]);
      return changed;
    },
    remove: (...given: Parameters<typeof core.remove>) => {
      const removed = core.remove(...given);
      if (removed) watch.endpointChanged(given[1]);
      return removed;
    },
    rotate: (...given: Parameters<typeof core.rotate>) => {
      const rotated = core.rotate(...given);
      if (rotated) watch.keysMade(given[1], given[3]);
      return rotated;
    },
  };
}

function watchedQueue({ memory, watch }: WebhookStage, courier: () => string) {
  const core = queueModel(memory, CARETAKERS);
  return {
    ...core,
    claim: (request: Parameters<typeof core.claim>[0]) => {
      const couldBe = watch.claimable(request);
      const leased = core.claim(request);
      watch.claimed(courier(), request, couldBe, leased);
      return leased;
    },
    targets: (...given: Parameters<typeof core.targets>) => {
      const targets = core.targets(...given);
      for (const id of targets.keys()) watch.targetRead(courier(), id);
      return targets;
    },
    settle: (settlement: Parameters<typeof core.settle>[0]) => {
      const stored = core.settle(settlement);
      if (stored !== undefined) watch.settled(courier(), settlement);
      return stored;
    },
    disableAs: (...given: Parameters<typeof core.disableAs>) => {
      const disabled = core.disableAs(...given);
      if (disabled) watch.endpointChanged(given[1].endpoint.id);
      return disabled;
    },
  };
}

function watchedLog({ memory, watch }: WebhookStage) {
  const core = deliveryLogModel(memory);
  return {
    ...core,
    queueAgain: (...given: Parameters<typeof core.queueAgain>) => {
      const noteRounds = watch.beforeQueueing(given[0]);
      const queued = core.queueAgain(...given);
      noteRounds();
      return queued;
    },
  };
}

function gatedSender(stage: WebhookStage, gate: Gate, courier: () => string): WebhookSender {
  const { receivers, watch } = stage;
  return {
    send: async (request) => {
      const by = courier();
      watch.sends(by, request);
      const outcome = await gate({
        call: 'send',
        about: () => `${request.headers['webhook-id']} to ${request.endpointId}`,
        kinds: ORDERS,
        act: () => receivers.receive(request),
        lost: () =>
          ({ kind: 'failed', problem: 'timeout', detail: 'no answer came', durationMs: 15_000 }) as const,
      });
      watch.heard(by, request, outcome);
      return outcome;
    },
    forget: () => undefined,
    close: async () => undefined,
  };
}
