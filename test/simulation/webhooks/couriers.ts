// The processes that fan out and deliver, as the service runs them: each takes turns, waits for no attempt before the next turn,
// and forgets what it holds when it dies.
import { type DeliverDeps, deliverDue } from '../../../src/app/webhooks/deliver-due.ts';
import {
  type FanOutDeps,
  type FanOutMemory,
  fanOutEvents,
} from '../../../src/app/webhooks/fan-out-events.ts';
import type { WebhookDeps } from '../../../src/app/webhooks/webhook-deps.ts';
import { makeWindows, type Windows } from '../../../src/app/webhooks/windows.ts';
import { type Dice, makeDice } from '../../support/dice.ts';
import { expected } from '../report/expected.ts';
import { type Gate, type Life, makeGate } from '../world/gate.ts';
import { type CourierPorts, courierPorts, openTransactions } from './courier-ports.ts';
import { LEASE_MS, type WebhookStage } from './stage.ts';
import { isReceiving, pendingOf } from './store/memory.ts';

const DOWN_MS = [100, 20_000] as const;
const STRANDED = 100;

export interface Courier extends Life {
  readonly deps: WebhookDeps;
  wake(soonMs: number): void;
  fall(why: string): void;
  mend(): void;
}

export function startCourier(stage: WebhookStage, name: string): Courier {
  const courier = new DeliveringProcess(stage, name);
  courier.start();
  return courier;
}

class DeliveringProcess implements Courier {
  readonly name: string;
  life = 0;
  up = false;
  stalledUntilMs = 0;
  readonly deps: WebhookDeps;
  private readonly stage: WebhookStage;
  private readonly dice: Dice;
  private readonly open: ReturnType<typeof openTransactions>;
  private readonly delivering: DeliverDeps;
  private readonly spreading: FanOutDeps;
  private skewMs = 0;
  private pollAtMs = Number.POSITIVE_INFINITY;
  private busy = new Set<string>();
  private windows: Windows = makeWindows(1);
  private after = '';
  private jumps: FanOutMemory = { jumpedAtMs: 0 };

  constructor(stage: WebhookStage, name: string) {
    const { agenda, faults, tale, seed } = stage;
    this.stage = stage;
    this.name = name;
    this.dice = makeDice(`${seed} ${name}`);
    const gate: Gate = makeGate(
      {
        ...{ agenda, dice: this.dice, faults, crash: (_, why) => this.fall(why) },
        trace: tale.wanted
          ? (who, what, fault) => tale.line(who, fault === undefined ? what : `${what}  ~~ ${fault} ~~`)
          : null,
      },
      this,
    );
    this.open = openTransactions(stage.memory.log);
    const ports: CourierPorts = courierPorts(stage, gate, this.open, () => `${name}.${this.life}`);
    const clock = { now: () => agenda.now() + this.skewMs };
    const entropy = { bytes: (count: number) => this.dice.bytes(count) };
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

  start(): void {
    const { skewMs, tale } = this.stage;
    this.up = true;
    this.skewMs = this.dice.pick([0, 0, skewMs, -skewMs]);
    this.busy = new Set();
    this.windows = makeWindows(this.dice.pick([2, 8, 64]));
    this.after = '';
    this.jumps = { jumpedAtMs: 0 };
    tale.line(this.name, `starts, its clock ${this.skewMs} ms off`);
    this.wake(this.dice.below(200));
  }

  fall(why: string): void {
    const { agenda, tale } = this.stage;
    this.up = false;
    this.life++;
    this.stalledUntilMs = 0;
    this.open.abortAll();
    tale.line(this.name, `dies at ${why}`);
    const born = this.life;
    agenda.at(agenda.now() + this.dice.between(...DOWN_MS), () => {
      if (!this.up && this.life === born) this.start();
    });
  }

  mend(): void {
    this.stalledUntilMs = 0;
    if (!this.up) this.start();
    this.skewMs = 0;
    this.pollAtMs = Number.POSITIVE_INFINITY;
    this.wake(1);
  }

  wake(soonMs: number): void {
    const { agenda } = this.stage;
    const atMs = agenda.now() + soonMs;
    if (!this.up || atMs >= this.pollAtMs) return;
    this.pollAtMs = atMs;
    agenda.at(atMs, () => {
      if (this.pollAtMs === atMs) this.poll();
    });
  }

  /** Looks whether there is anything to do, as the service's own timers make it look. */
  private poll(): void {
    const { agenda, memory } = this.stage;
    this.pollAtMs = Number.POSITIVE_INFINITY;
    if (!this.up) return;
    const nowMs = agenda.now();
    if (nowMs < this.stalledUntilMs) {
      this.wake(this.stalledUntilMs - nowMs);
      return;
    }
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
    nextAtMs = Math.min(nextAtMs, dueMs, strandedMs);
    if (nextAtMs === Number.POSITIVE_INFINITY) return;
    this.wake(Math.max(this.dice.between(200, 1_500), nextAtMs - nowMs));
  }

  private async takeTurn(): Promise<void> {
    const { windows } = this;
    const turn = await deliverDue(this.delivering, windows, this.after);
    if (windows === this.windows) this.after = turn.after;
    void turn.finished.then(() => windows === this.windows && this.wake(this.dice.between(1, 20)));
  }

  private run(what: string, work: () => Promise<unknown>): void {
    const { busy } = this;
    if (busy.has(what)) return;
    busy.add(what);
    work()
      .catch((error: Error) => this.failed(what, error))
      .then(() => {
        busy.delete(what);
        if (busy === this.busy) this.wake(this.dice.between(5, 300));
      });
  }

  private failed(what: string, error: Error): void {
    if (!expected(error)) this.stage.broken('no use-case fails by itself', `${what}: ${error.stack}`, null);
  }
}

/** When the next delivery may be claimed, of those that this process has room for. What makes room wakes it. */
function dueAtMs({ memory }: WebhookStage, windows: Windows): number {
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

/** When the next delivery of an endpoint that no longer receives may be ended. */
function strandedAtMs({ memory }: WebhookStage): number {
  let soonestMs = Number.POSITIVE_INFINITY;
  for (const [id, { endpoint, deletedAtMs }] of memory.endpoints) {
    if (endpoint.state === 'enabled' && deletedAtMs === null) continue;
    for (const { leasedUntilMs } of pendingOf(memory, id))
      soonestMs = Math.min(soonestMs, leasedUntilMs ?? 0);
  }
  return soonestMs;
}
