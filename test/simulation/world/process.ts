// One simulated process of the service: its stages and feeds as the service runs them, its requests, its own clock and its
// crashes. The agenda schedules its work, and the process loses its memory when it dies.
import { NO_CLAIM_LIMIT } from '../../../src/app/intake/claim-limit.ts';
import type { SubmissionDeps } from '../../../src/app/intake/submission.ts';
import { watchEndedPayouts } from '../../../src/app/movements/payouts/watch-ended-payouts.ts';
import * as checking from '../../../src/app/rails/check-rails.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import { playScenarios } from '../../../src/app/sandbox/play-scenario.ts';
import { parseBankReference } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { HandOver, StageName, StageSpec } from '../../../src/workers/settlement-stages.ts';
import { dueTimes, STAGES } from './due.ts';
import type { Machine } from './gate.ts';
import { type GatedPorts, gatePorts, LEASE_MS, type Mind, makeMind } from './mind.ts';
import { type Asking, gatedDesk } from './ports.ts';
import { railDueAtMs } from './rails/desk.ts';
import type { Setting } from './setting.ts';
import { PollingProcess } from './simulated-process.ts';

const LANES = 2;
const GATHER_MS = 50;
const SKEWS_MS = [0, 0, 0, 400, -400, 4_000, -4_000, 20_000, -20_000] as const;
const BOUNDS = { minMinor: 100n, maxMinor: 10n ** 13n };
const HAND_OVER_FAULTS = ['handover_lost', 'handover_doubled', 'handover_delayed'] as const;

export function startMachine(setting: Setting, name: string): Machine {
  const machine = new Process(setting, name);
  machine.start();
  return machine;
}

class Process extends PollingProcess implements Machine {
  readonly review: ReviewDeps;
  private readonly setting: Setting;
  private readonly ports: GatedPorts;
  private mind: Mind;

  constructor(setting: Setting, name: string) {
    super(setting, name, SKEWS_MS);
    this.setting = setting;
    const { clock, entropy, gate } = this;
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
          parseBankReference(reference),
        ),
      epoch: () => setting.restore.epoch,
    };
    this.ports = gatePorts(setting, gate, asking, { clock, entropy });
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

  protected forget(): void {
    this.mind = makeMind(this.setting, this.ports, this);
  }

  protected override begin(): void {
    this.run('register', () => checking.registerRails(this.railDeps()));
    super.begin();
  }

  protected override atEndOfWork(): void {
    this.wake(this.dice.between(5, this.setting.company.gatherMs));
  }

  protected look(nowMs: number): number {
    const { faults, model, outside, rails } = this.setting;
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const feed of this.mind.feeds) {
      const atMs = this.readableAtMs(feed.name);
      if (atMs <= nowMs) this.settle(feed.name, 1, async () => (await feed.read()).handOvers);
      nextAtMs = Math.min(nextAtMs, atMs);
    }
    const due = dueTimes(model.tables);
    for (const stage of STAGES) nextAtMs = Math.min(nextAtMs, this.turn(stage, due[stage] - this.skewMs));
    const railsAtMs = railDueAtMs(rails, faults.ended()) - this.skewMs;
    if (railsAtMs <= nowMs)
      for (const each of checking.listRailsToCheck(this.mind.deps.banks))
        this.run(`rail ${each.rail.name}`, () => checking.checkRail(this.railDeps(), each));
    nextAtMs = Math.min(nextAtMs, railsAtMs);
    const endedAtMs = Math.min(...[...model.tables.endedPayouts.values()].map(({ dueAtMs }) => dueAtMs));
    if (endedAtMs - this.skewMs <= nowMs) this.settle('ended', 1, () => this.watchEnded());
    nextAtMs = Math.min(nextAtMs, endedAtMs - this.skewMs);
    const storyAtMs = outside.nextStoryAtMs();
    if (storyAtMs <= nowMs) this.run('stories', () => this.playStories());
    return Math.min(nextAtMs, storyAtMs);
  }

  /**
   * The time at which the process may read new data of a feed that no other process has leased. Sometimes the process tries to
   * read although another process holds the lease.
   */
  private readableAtMs(feed: string): number {
    const { model, outside } = this.setting;
    const held = model.tables.feeds.get(feed);
    const unreadAtMs = outside.unreadAtMs(feed, held?.position ?? null);
    if (held === undefined || held.holder === this.mind.deps.holder || this.dice.percent(10))
      return unreadAtMs;
    return Math.max(unreadAtMs, held.heldUntilMs - this.skewMs);
  }

  /** Works on records that another stage handed over, or on due records. Returns when the next work is due. */
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
    this.settle(name, LANES, async () => {
      const items = claims ? await spec.lease(mind.batch) : offered.splice(0, mind.batch);
      return items.length === 0 ? [] : spec.work(items);
    });
    return dueMs;
  }

  private settle(what: string, lanes: number, work: () => Promise<readonly HandOver[]>): void {
    this.run(what, work, { lanes, use: (handOvers) => this.handOn(handOvers) });
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

  private async watchEnded(): Promise<readonly HandOver[]> {
    const { news } = await watchEndedPayouts(this.mind.deps);
    return news > 0 ? [{ to: 'notices', items: [] }] : [];
  }

  private railDeps(): checking.CheckRailsDeps {
    const { railDesk, clock } = this.ports;
    return { railDesk, clock, banks: this.mind.deps.banks };
  }

  private async playStories(): Promise<void> {
    const { agenda, outside } = this.setting;
    const { world, sandbox } = outside;
    const deps = { plays: world.plays, sandbox, clock: agenda, store: this.ports.store };
    await playScenarios(deps, { limit: 20, leaseMs: LEASE_MS });
  }

  private accepted(transaction: Transaction): void {
    if (transaction.type !== 'buy') return;
    const { agenda } = this.setting;
    const born = this.life;
    agenda.at(agenda.now() + GATHER_MS, () => {
      if (this.life !== born) return;
      this.run(`hasten ${transaction.id}`, () =>
        this.ports.store.hastenCredits([transaction], this.ports.clock.now()),
      );
    });
  }
}
