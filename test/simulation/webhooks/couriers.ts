// Simulates the processes that create and deliver webhooks, as the service runs them. Each process works in turns, starts the
// next turn without waiting for attempts, and loses its memory when it dies.
import {
  type DeliverWebhooksDeps,
  deliverDueWebhooks,
} from '../../../src/app/webhooks/deliver-due-webhooks.ts';
import { type DeliveryWindows, makeDeliveryWindows } from '../../../src/app/webhooks/delivery-windows.ts';
import {
  type FanOutDeps,
  type FanOutMemory,
  fanOutEvents,
} from '../../../src/app/webhooks/fan-out-events.ts';
import type { WebhookDeps } from '../../../src/app/webhooks/webhook-deps.ts';
import type { Life } from '../world/gate.ts';
import { PollingProcess } from '../world/simulated-process.ts';
import { type CourierPorts, courierPorts, openTransactions } from './courier-ports.ts';
import { LEASE_MS, type WebhookStage } from './stage.ts';
import { isReceiving, pendingOf } from './store/memory.ts';

const STRANDED = 100;

export interface Courier extends Life {
  readonly deps: WebhookDeps;
  wake(soonMs: number): void;
  fall(why: string): void;
  fix(): void;
}

export function startCourier(stage: WebhookStage, name: string): Courier {
  const courier = new DeliveringProcess(stage, name);
  courier.start();
  return courier;
}

class DeliveringProcess extends PollingProcess implements Courier {
  readonly deps: WebhookDeps;
  private readonly stage: WebhookStage;
  private readonly open: ReturnType<typeof openTransactions>;
  private readonly delivering: DeliverWebhooksDeps;
  private readonly spreading: FanOutDeps;
  private windows: DeliveryWindows = makeDeliveryWindows(1);
  private after = '';
  private jumps: FanOutMemory = { jumpedAtMs: 0 };

  constructor(stage: WebhookStage, name: string) {
    super(stage, name, [0, 0, stage.skewMs, -stage.skewMs]);
    this.stage = stage;
    const { clock, entropy, gate } = this;
    this.open = openTransactions(stage.memory.log);
    const ports: CourierPorts = courierPorts(stage, gate, this.open, () => `${name}.${this.life}`);
    const onError = (error: Error) => this.failed('deliver', error);
    this.delivering = {
      ...{ ...ports, clock, entropy, leaseMs: LEASE_MS, onError },
      onAttempt: () => this.wake(this.dice.between(1, 20)),
    };
    this.spreading = { fanOut: ports.fanOut, events: ports.events, clock, entropy };
    this.deps = {
      ...{ ...ports, clock, entropy, mostEndpoints: 20, queued: () => this.wake(1) },
      urlRules: (mode) => ({ mode, allowsLoopback: false }),
    };
  }

  protected forget(): void {
    this.windows = makeDeliveryWindows(this.dice.pick([2, 8, 64]));
    this.after = '';
    this.jumps = { jumpedAtMs: 0 };
  }

  protected override atDeath(): void {
    this.open.abortAll();
  }

  protected override atEndOfWork(): void {
    this.wake(this.dice.between(5, 300));
  }

  protected look(nowMs: number): number {
    const { memory } = this.stage;
    let nextAtMs = Number.POSITIVE_INFINITY;
    if (memory.position.at === null || memory.log.end() !== memory.position.at) {
      this.run('fan out', () => fanOutEvents(this.spreading, this.jumps));
      nextAtMs = nowMs;
    }
    const dueMs = dueAtMs(this.stage, this.windows) - this.skewMs;
    if (dueMs <= nowMs) this.run('deliver', () => this.takeTurn());
    const strandedMs = strandedAtMs(this.stage) - this.skewMs;
    if (strandedMs <= nowMs)
      this.run('end stranded', () =>
        this.delivering.queue.endStranded(this.delivering.clock.now(), STRANDED),
      );
    return Math.min(nextAtMs, dueMs, strandedMs);
  }

  private async takeTurn(): Promise<void> {
    const { windows } = this;
    const turn = await deliverDueWebhooks(this.delivering, windows, this.after);
    if (windows === this.windows) this.after = turn.after;
    void turn.finished.then(() => windows === this.windows && this.wake(this.dice.between(1, 20)));
  }
}

/**
 * The next time at which this process may claim a delivery and has room for it. When room becomes free, the process is woken.
 */
function dueAtMs({ memory }: WebhookStage, windows: DeliveryWindows): number {
  let soonestMs = Number.POSITIVE_INFINITY;
  if (windows.free() === 0) return soonestMs;
  const rooms = windows.roomsInRound();
  for (const [endpointId, ids] of memory.pending) {
    if (ids.size === 0 || rooms.get(endpointId) === 0 || !isReceiving(memory, endpointId)) continue;
    for (const id of ids) {
      const { dueAtMs: dueMs, leasedUntilMs } = memory.deliveries.get(id)!;
      soonestMs = Math.min(soonestMs, Math.max(dueMs, leasedUntilMs ?? 0));
    }
  }
  return soonestMs;
}

/** The time at which the service may end the next delivery of a disabled or deleted endpoint. */
function strandedAtMs({ memory }: WebhookStage): number {
  let soonestMs = Number.POSITIVE_INFINITY;
  for (const [id, { endpoint, deletedAtMs }] of memory.endpoints) {
    if (endpoint.state === 'enabled' && deletedAtMs === null) continue;
    for (const { leasedUntilMs } of pendingOf(memory, id))
      soonestMs = Math.min(soonestMs, leasedUntilMs ?? 0);
  }
  return soonestMs;
}
