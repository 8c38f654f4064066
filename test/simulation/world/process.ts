// One simulated process of the service: its stages and feeds as the service runs them, its requests, its own clock, and
// its deaths. It takes its turns from the agenda; what it holds in memory is gone when it dies.
import { NO_CLAIM_LIMIT } from '../../../src/app/intake/claim-limit.ts';
import type { SubmissionDeps } from '../../../src/app/intake/submission.ts';
import { watchEndedPayouts } from '../../../src/app/movements/payouts/watch-ended-payouts.ts';
import * as checking from '../../../src/app/rails/check-rails.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import { playScenarios } from '../../../src/app/sandbox/play-scenario.ts';
import { movementOfReference } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { HandOver, StageName, StageSpec } from '../../../src/workers/settlement-stages.ts';
import { type Dice, makeDice } from '../../support/dice.ts';
import { expected } from '../report/expected.ts';
import { dueTimes, STAGES } from './due.ts';
import { type GateParts, makeGate } from './gate.ts';
import type { Machine } from './machine.ts';
import { type GatedPorts, gatePorts, LEASE_MS, type Mind, makeMind } from './mind.ts';
import { type Asking, gatedDesk } from './ports.ts';
import { railDueAtMs } from './rails/desk.ts';
import type { Setting } from './setting.ts';

const LANES = 2;
const GATHER_MS = 50;
const DOWN_MS = [100, 20_000] as const;
const SKEWS_MS = [0, 0, 0, 400, -400, 4_000, -4_000, 20_000, -20_000] as const;
const BOUNDS = { minMinor: 100n, maxMinor: 10n ** 13n };
const HAND_OVER_FAULTS = ['handover_lost', 'handover_doubled', 'handover_delayed'] as const;

export function startMachine(setting: Setting, name: string): Machine {
  const machine = new Process(setting, name);
  machine.start();
  return machine;
}

class Process implements Machine {
  readonly name: string;
  life = 0;
  up = false;
  stalledUntilMs = 0;
  readonly review: ReviewDeps;
  private readonly setting: Setting;
  readonly dice: Dice;
  private readonly ports: GatedPorts;
  /** When each step of settlement that is under way began. */
  private readonly began = new Map<symbol, number>();
  private skewMs = 0;
  private pollAtMs = Number.POSITIVE_INFINITY;
  private mind: Mind;

  constructor(setting: Setting, name: string) {
    this.setting = setting;
    this.name = name;
    this.dice = makeDice(`${setting.seed} ${name}`);
    const gate = makeGate(this.gateParts(), this);
    const oldestMs = () => Math.min(...this.began.values());
    const asking: Asking = {
      accepts: (acceptance) => setting.recorder.begins(acceptance),
      commits: (changes) => {
        for (const change of changes) setting.recorder.begins(change);
        setting.standstill.commits(changes, oldestMs());
      },
      pays: (asset, reference) => setting.standstill.pays(asset, reference, oldestMs()),
      hasty: (rail, reference) =>
        setting.broken(
          'what a rail may have is not ordered again',
          `${reference} on ${rail}`,
          movementOfReference(reference),
        ),
      epoch: () => setting.restore.epoch,
    };
    this.ports = gatePorts(setting, gate, asking, {
      clock: { now: () => setting.agenda.now() + this.skewMs },
      entropy: { bytes: (count: number) => this.dice.bytes(count) },
    });
    const { rails: _, railDesk: __, ...common } = this.ports;
    this.review = {
      ...common,
      reviewDesk: gatedDesk(gate, setting.model.core, asking),
      treasuryWatch: setting.treasuryWatch,
      banks: setting.directory,
    };
    this.mind = makeMind(setting, this.ports, this);
  }

  readonly submission = (): SubmissionDeps => {
    const { rails: _, railDesk: __, ...common } = this.ports;
    return {
      ...common,
      banks: this.setting.directory,
      rails: { live: false, test: true },
      claimLimit: NO_CLAIM_LIMIT,
      bounds: BOUNDS,
      expiryMs: this.setting.company.expiryMs,
      accepted: (transaction) => this.accepted(transaction),
    };
  };

  start(): void {
    this.up = true;
    this.skewMs = this.dice.pick(SKEWS_MS);
    this.mind = makeMind(this.setting, this.ports, this);
    this.setting.tale.line(this.name, `starts, its clock ${this.skewMs} ms off`);
    this.run('register', 1, async () => {
      await checking.registerRails(this.railDeps());
      return [];
    });
    this.wake(this.dice.below(200));
  }

  fall(why: string): void {
    const { agenda, tale } = this.setting;
    this.up = false;
    this.life++;
    this.stalledUntilMs = 0;
    this.began.clear();
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
    const { agenda } = this.setting;
    const atMs = agenda.now() + soonMs;
    if (!this.up || atMs >= this.pollAtMs) return;
    this.pollAtMs = atMs;
    agenda.at(atMs, () => {
      if (this.pollAtMs === atMs) this.poll();
    });
  }

  private gateParts(): GateParts {
    const { agenda, faults, tale } = this.setting;
    return {
      agenda,
      dice: this.dice,
      faults,
      crash: (_, why) => this.fall(why),
      trace: tale.wanted
        ? (who, what, fault) => tale.line(who, fault === undefined ? what : `${what}  ~~ ${fault} ~~`)
        : null,
    };
  }

  /** Looks whether there is anything to do, as the service's own timers make it look. */
  private poll(): void {
    const { agenda, faults, model, outside, rails } = this.setting;
    this.pollAtMs = Number.POSITIVE_INFINITY;
    if (!this.up) return;
    if (agenda.now() < this.stalledUntilMs) {
      this.wake(this.stalledUntilMs - agenda.now());
      return;
    }
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const feed of this.mind.feeds) {
      const atMs = this.readableAtMs(feed.name);
      if (atMs <= agenda.now()) this.run(feed.name, 1, async () => (await feed.read()).handOvers);
      nextAtMs = Math.min(nextAtMs, atMs);
    }
    const due = dueTimes(model.tables);
    for (const stage of STAGES) nextAtMs = Math.min(nextAtMs, this.turn(stage, due[stage] - this.skewMs));
    const railsAtMs = railDueAtMs(rails, faults.ended()) - this.skewMs;
    if (railsAtMs <= agenda.now())
      for (const each of checking.checkedRails(this.mind.deps.banks))
        this.run(`rail ${each.rail.name}`, 1, () => this.checkRail(each));
    nextAtMs = Math.min(nextAtMs, railsAtMs);
    const endedAtMs = Math.min(...[...model.tables.endedPayouts.values()].map(({ dueAtMs }) => dueAtMs));
    if (endedAtMs - this.skewMs <= agenda.now()) this.run('ended', 1, () => this.watchEnded());
    nextAtMs = Math.min(nextAtMs, endedAtMs - this.skewMs);
    const storyAtMs = outside.nextStoryAtMs();
    if (storyAtMs <= agenda.now()) this.run('stories', 1, () => this.playStories());
    nextAtMs = Math.min(nextAtMs, storyAtMs);
    if (nextAtMs === Number.POSITIVE_INFINITY) return;
    this.wake(Math.max(this.dice.between(200, 1_500), nextAtMs - agenda.now()));
  }

  /** When there is something to read that no other process has the right to read; now and then it is tried all the same. */
  private readableAtMs(feed: string): number {
    const { model, outside } = this.setting;
    const held = model.tables.feeds.get(feed);
    const unreadAtMs = outside.unreadAtMs(feed, held?.position ?? null);
    if (held === undefined || held.holder === this.mind.deps.holder || this.dice.percent(10))
      return unreadAtMs;
    return Math.max(unreadAtMs, held.heldUntilMs - this.skewMs);
  }

  /** Works on what was handed over, or on what is due. Answers when the next of it is. */
  private turn(name: StageName, dueMs: number): number {
    const { agenda } = this.setting;
    const { mind } = this;
    const spec = mind.stages[name] as StageSpec<unknown>;
    if (spec.movesMoney && !mind.deps.moving()) {
      mind.offered.delete(name);
      return Number.POSITIVE_INFINITY;
    }
    const offered = mind.offered.get(name) ?? [];
    if (offered.length === 0 && dueMs > agenda.now()) return dueMs;
    const claims = offered.length === 0 || (dueMs <= agenda.now() && this.dice.percent(15));
    this.run(name, LANES, async () => {
      const items = claims ? await spec.lease(mind.batch) : offered.splice(0, mind.batch);
      return items.length === 0 ? [] : spec.work(items);
    });
    return dueMs;
  }

  /** A piece of work, unless as much of its kind is under way as may be. */
  private run(what: string, lanes: number, work: () => Promise<readonly HandOver[]>): void {
    const { agenda, company, broken } = this.setting;
    const { busy } = this.mind;
    const running = busy.get(what) ?? 0;
    if (running >= lanes) return;
    busy.set(what, running + 1);
    const step = Symbol(what);
    this.began.set(step, agenda.now());
    work()
      .then(
        (handOvers) => this.handOn(handOvers),
        (error: Error) => {
          if (!expected(error)) broken('no use-case fails by itself', `${what}: ${error.stack}`, null);
        },
      )
      .then(() => {
        this.began.delete(step);
        busy.set(what, busy.get(what)! - 1);
        if (busy === this.mind.busy) this.wake(this.dice.between(5, company.gatherMs));
      });
  }

  private handOn(handOvers: readonly HandOver[]): void {
    const { agenda, faults } = this.setting;
    for (const handOver of handOvers) {
      const fault = faults.place(`${this.name} to ${handOver.to}`)(HAND_OVER_FAULTS);
      if (fault === 'handover_lost') continue;
      const delayMs = fault === 'handover_delayed' ? this.dice.between(100, 40_000) : 0;
      const wantedAtMs = handOver.atMs === undefined ? 0 : handOver.atMs - this.skewMs;
      const atMs = Math.max(wantedAtMs, agenda.now()) + delayMs;
      this.give(handOver, atMs);
      if (fault === 'handover_doubled') this.give(handOver, atMs + this.dice.below(3_000));
    }
  }

  private give({ to, items }: HandOver, atMs: number): void {
    const { agenda, company } = this.setting;
    const { offered } = this.mind;
    if (items.length === 0) {
      this.wake(this.dice.between(1, company.gatherMs));
      return;
    }
    agenda.at(atMs, () => {
      if (offered !== this.mind.offered) return;
      offered.set(to, [...(offered.get(to) ?? []), ...items]);
      this.wake(this.dice.between(1, company.gatherMs));
    });
  }

  private async checkRail(rail: checking.RailOfMode): Promise<readonly HandOver[]> {
    await checking.checkRail(this.railDeps(), rail);
    return [];
  }

  private async watchEnded(): Promise<readonly HandOver[]> {
    const { news } = await watchEndedPayouts(this.mind.deps);
    return news > 0 ? [{ to: 'notices', items: [] }] : [];
  }

  private railDeps(): checking.CheckRailsDeps {
    const { railDesk, clock } = this.ports;
    return { railDesk, clock, banks: this.mind.deps.banks };
  }

  private async playStories(): Promise<readonly HandOver[]> {
    const { agenda, outside } = this.setting;
    const { world, sandbox } = outside;
    const deps = { plays: world.plays, sandbox, clock: agenda, store: this.ports.store };
    await playScenarios(deps, { limit: 20, leaseMs: LEASE_MS });
    return [];
  }

  private accepted(transaction: Transaction): void {
    if (transaction.type !== 'buy') return;
    const { agenda } = this.setting;
    const born = this.life;
    agenda.at(agenda.now() + GATHER_MS, () => {
      if (this.life !== born) return;
      this.run(`hasten ${transaction.id}`, 1, async () => {
        await this.ports.store.hastenCredits([transaction], this.ports.clock.now());
        return [];
      });
    });
  }
}
