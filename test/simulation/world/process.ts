// One simulated process of the service: its stages and feeds as the service runs them, its requests, its own clock, and
// its deaths. It takes its turns from the agenda; what it holds in memory is gone when it dies.
import { makeNetworks } from '../../../src/adapters/networks/registry.ts';
import type { SubmissionDeps } from '../../../src/app/intake/submission.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import { playScenarios } from '../../../src/app/sandbox/play-scenario.ts';
import type { SettlementDeps } from '../../../src/app/settlement/context.ts';
import { makeTurns } from '../../../src/app/settlement/turns.ts';
import { makeTreasuryGuard } from '../../../src/app/treasury/guard-treasury.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Screening } from '../../../src/ports/screening.ts';
import {
  type FeedSpec,
  type HandOver,
  type StageName,
  type StageSpec,
  type StageSpecs,
  settlementFeeds,
  settlementStages,
} from '../../../src/workers/settlement-stages.ts';
import { makeDice } from '../../support/dice.ts';
import { expected } from '../report/expected.ts';
import { dueTimes, STAGES } from './due.ts';
import { type GateParts, type Life, makeGate } from './gate.ts';
import { type Asking, gatedBank, gatedDesk, gatedNetwork, gatedStore } from './ports.ts';
import type { Setting } from './setting.ts';

export interface Machine extends Life {
  readonly review: ReviewDeps;
  readonly submission: () => SubmissionDeps;
  /** There may be something to do. */
  wake(soonMs: number): void;
  /** It dies now. */
  fall(why: string): void;
  /** Its machine is fixed, its clock is set right, and it runs. */
  mend(): void;
}

const LEASE_MS = 15_000;
const LANES = 2;
const GATHER_MS = 50;
const DOWN_MS = [100, 20_000] as const;
const SKEWS_MS = [0, 0, 0, 400, -400, 4_000, -4_000, 20_000, -20_000] as const;
const BOUNDS = { minMinor: 100n, maxMinor: 10n ** 13n };

/** What is lost with a process. */
interface Mind {
  readonly deps: SettlementDeps;
  readonly stages: StageSpecs;
  readonly feeds: readonly FeedSpec[];
  readonly offered: Map<StageName, unknown[]>;
  readonly busy: Map<string, number>;
  readonly batch: number;
}

export function startMachine(setting: Setting, name: string): Machine {
  const { agenda, faults, model, outside, company } = setting;
  const dice = makeDice(`${setting.seed} ${name}`);
  let skewMs = 0;
  let pollAtMs = Number.POSITIVE_INFINITY;
  const life: Life = { name, life: 0, up: false, stalledUntilMs: 0 };
  const clock = { now: () => agenda.now() + skewMs };
  const entropy = { bytes: (count: number) => dice.bytes(count) };
  const parts: GateParts = {
    agenda,
    dice,
    faults,
    crash: (_, why) => crash(why),
    trace: setting.tale.told
      ? (who, what, fault) => setting.tale.line(who, fault === undefined ? what : `${what}  ~~ ${fault} ~~`)
      : null,
  };
  const gate = makeGate(parts, life);
  /** When each step of settlement that is under way began. */
  const began = new Map<symbol, number>();
  const oldestMs = () => Math.min(...began.values());
  const asking: Asking = {
    commits: (changes) => setting.standstill.commits(changes, oldestMs()),
    pays: (asset, reference) => setting.standstill.pays(asset, reference, oldestMs()),
    epoch: () => setting.restore.epoch,
  };
  const store = gatedStore(gate, model.core, asking);
  const networks = outside.networks.map((network) => gatedNetwork(gate, network, asking));
  const registry = makeNetworks({ live: [], test: networks });
  const bank = gatedBank(gate, outside.bank, asking);
  const common = { store, clock, entropy, networks: registry };
  const screening: Screening = {
    isEmpty: () => company.listedAccounts.size === 0,
    screen: async (subjects) =>
      subjects
        .filter(
          ({ kind, value }) =>
            (kind === 'account' && company.listedAccounts.has(value)) ||
            (kind === 'wallet' && company.listedWallets.has(value)),
        )
        .map((subject) => ({ ...subject, entry: subject.value, reason: 'listed' })),
  };
  const thinking = (): Mind => {
    const onTrouble: SettlementDeps['onTrouble'] = (message, detail) => {
      if (setting.tale.told) setting.tale.line(name, `trouble: ${message} ${JSON.stringify(detail)}`);
    };
    const deps: SettlementDeps = {
      ...common,
      banks: { find: (mode) => (mode === 'test' ? bank : undefined) },
      directory: setting.directory,
      screening,
      catalogue: setting.catalogue,
      moving: () => !setting.catalogue().movementsPaused,
      policies: { live: company.policy, test: company.policy },
      leaseMs: LEASE_MS,
      holder: `${name}.${life.life}`,
      turns: makeTurns(),
      guard: makeTreasuryGuard({
        treasuryWatch: setting.treasuryWatch,
        clock,
        shortageOf: async () => 0n,
        onTrouble,
      }),
      onTrouble,
    };
    return {
      deps,
      stages: settlementStages(deps),
      feeds: settlementFeeds(deps),
      offered: new Map(),
      busy: new Map(),
      batch: dice.pick([1, 3, 20, 50]),
    };
  };
  let mind = thinking();

  const start = () => {
    life.up = true;
    skewMs = dice.pick(SKEWS_MS);
    mind = thinking();
    setting.tale.line(name, `starts, its clock ${skewMs} ms off`);
    wake(dice.below(200));
  };
  const crash = (why: string) => {
    life.up = false;
    life.life++;
    life.stalledUntilMs = 0;
    began.clear();
    setting.tale.line(name, `dies at ${why}`);
    const born = life.life;
    agenda.at(agenda.now() + dice.between(...DOWN_MS), () => {
      if (!life.up && life.life === born) start();
    });
  };
  const wake = (soonMs: number) => {
    const atMs = agenda.now() + soonMs;
    if (!life.up || atMs >= pollAtMs) return;
    pollAtMs = atMs;
    agenda.at(atMs, () => {
      if (pollAtMs === atMs) poll();
    });
  };

  /** Looks whether there is anything to do, as the service's own timers make it look. */
  const poll = () => {
    pollAtMs = Number.POSITIVE_INFINITY;
    if (!life.up) return;
    if (agenda.now() < life.stalledUntilMs) return wake(life.stalledUntilMs - agenda.now());
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const feed of mind.feeds) {
      const atMs = readableAtMs(feed.name);
      if (atMs <= agenda.now()) run(feed.name, 1, async () => (await feed.read()).handOvers);
      nextAtMs = Math.min(nextAtMs, atMs);
    }
    const due = dueTimes(model.tables);
    for (const stage of STAGES) nextAtMs = Math.min(nextAtMs, turn(stage, due[stage] - skewMs));
    const storyAtMs = outside.nextStoryAtMs();
    if (storyAtMs <= agenda.now()) run('stories', 1, tellStories);
    nextAtMs = Math.min(nextAtMs, storyAtMs);
    if (nextAtMs === Number.POSITIVE_INFINITY) return;
    wake(Math.max(dice.between(200, 1_500), nextAtMs - agenda.now()));
  };
  /** When there is something to read that nobody else has the right to read; now and then it is tried all the same. */
  const readableAtMs = (feed: string): number => {
    const held = model.tables.feeds.get(feed);
    const unreadAtMs = outside.unreadAtMs(feed, held?.position ?? null);
    if (held === undefined || held.holder === mind.deps.holder || dice.percent(10)) return unreadAtMs;
    return Math.max(unreadAtMs, held.heldUntilMs - skewMs);
  };
  /** Works on what was handed over, or on what is due. Answers when the next of it is. */
  const turn = (name: StageName, dueMs: number): number => {
    const spec = mind.stages[name] as StageSpec<unknown>;
    if (spec.movesMoney && !mind.deps.moving()) {
      mind.offered.delete(name);
      return Number.POSITIVE_INFINITY;
    }
    const offered = mind.offered.get(name) ?? [];
    if (offered.length === 0 && dueMs > agenda.now()) return dueMs;
    const claims = offered.length === 0 || (dueMs <= agenda.now() && dice.percent(15));
    run(name, LANES, async () => {
      const items = claims ? await spec.lease(mind.batch) : offered.splice(0, mind.batch);
      return items.length === 0 ? [] : spec.work(items);
    });
    return dueMs;
  };
  /** A piece of work, unless as much of its kind is under way as may be. */
  const run = (what: string, lanes: number, work: () => Promise<readonly HandOver[]>) => {
    const { busy } = mind;
    const running = busy.get(what) ?? 0;
    if (running >= lanes) return;
    busy.set(what, running + 1);
    const step = Symbol(what);
    began.set(step, agenda.now());
    work()
      .then(handOn, (error: Error) => {
        if (!expected(error)) setting.broken('no use-case fails by itself', `${what}: ${error.stack}`, null);
      })
      .then(() => {
        began.delete(step);
        busy.set(what, busy.get(what)! - 1);
        if (busy === mind.busy) wake(dice.between(5, company.gatherMs));
      });
  };
  const handOn = (handOvers: readonly HandOver[]) => {
    for (const handOver of handOvers) {
      const fault = faults.place(`${name} to ${handOver.to}`)(HAND_OVER_FAULTS);
      if (fault === 'handover_lost') continue;
      const delayMs = fault === 'handover_delayed' ? dice.between(100, 40_000) : 0;
      const atMs = Math.max(handOver.atMs === undefined ? 0 : handOver.atMs - skewMs, agenda.now()) + delayMs;
      give(handOver, atMs);
      if (fault === 'handover_doubled') give(handOver, atMs + dice.below(3_000));
    }
  };
  const give = ({ to, items }: HandOver, atMs: number) => {
    const { offered } = mind;
    if (items.length === 0) return wake(dice.between(1, company.gatherMs));
    agenda.at(atMs, () => {
      if (offered !== mind.offered) return;
      offered.set(to, [...(offered.get(to) ?? []), ...items]);
      wake(dice.between(1, company.gatherMs));
    });
  };
  const tellStories = async () => {
    const deps = {
      plays: outside.world.plays,
      sandbox: outside.sandbox,
      clock: agenda,
      store,
    };
    await playScenarios(deps, { limit: 20, leaseMs: LEASE_MS });
    return [];
  };
  const accepted = (transaction: Transaction) => {
    if (transaction.type !== 'buy') return;
    const born = life.life;
    agenda.at(agenda.now() + GATHER_MS, () => {
      if (life.life !== born) return;
      run(`hasten ${transaction.id}`, 1, async () => {
        await store.hastenCredits([transaction], clock.now());
        return [];
      });
    });
  };

  start();
  const machine: Machine = Object.assign(life, {
    review: {
      ...common,
      reviewDesk: gatedDesk(gate, model.core, asking),
      treasuryWatch: setting.treasuryWatch,
      banks: setting.directory,
    },
    submission: (): SubmissionDeps => ({
      ...common,
      banks: setting.directory,
      rails: { live: false, test: true },
      bounds: BOUNDS,
      expiryMs: company.expiryMs,
      accepted,
    }),
    wake,
    fall: (why: string) => crash(why),
    mend: () => {
      life.stalledUntilMs = 0;
      if (!life.up) start();
      skewMs = 0;
      pollAtMs = Number.POSITIVE_INFINITY;
      wake(1);
    },
  });
  return machine;
}

const HAND_OVER_FAULTS = ['handover_lost', 'handover_doubled', 'handover_delayed'] as const;
