// Settlement in one process: its stages run on timers, and each is woken by the stage before it. Any number of processes run the
// same stages on one database. A loop beside them queries rails again about payouts that have ended.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SettlementDeps } from '../app/engine/deps.ts';
import { watchEndedPayouts } from '../app/movements/payouts/watch-ended-payouts.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Guards } from '../ports/operations/guards.ts';
import { type Loop, startLoop } from './loop.ts';
import {
  type FeedSpec,
  type HandOver,
  makeSettlementFeeds,
  makeSettlementStages,
  type StageItems,
  type StageName,
  type StageSpec,
} from './settlement-stages.ts';
import { type Stage, type StageOptions, startStage } from './stage.ts';

export interface SettlementWorker {
  /** Signals that something new arrived at a bank or a network. */
  wakeFeeds(where: 'banks' | 'networks'): void;
  /** Signals that the service accepted a buy, so settlement checks earlier credits again. */
  accepted(transaction: Transaction): void;
  wakeAll(): void;
  stop(): Promise<void>;
}

export interface SettlementOptions {
  readonly deps: SettlementDeps;
  readonly maxBatch: number;
  readonly onError: (error: Error) => void;
  readonly onFeedError: (feed: string, error: Error) => void;
  readonly onBatch: (stage: string, size: number, seconds: number) => void;
}

/** A read that returns this many lines is full, so there may be more lines. */
const FULL_READING = 100;
/** The number of concurrent batches of one stage. While one batch waits for the database, the stage decides the next batch. */
const LANES = 2;
/** A stage that waits for banks or networks waits this long for a batch before it starts the next batch. */
const PATIENCE_MS = 250;
/** Settlement collects accepted claims for this long and then looks them up together. */
const GATHER_MS = 50;
const PARTING_MS = 1_000;

export function startSettlement({
  deps,
  maxBatch,
  onError,
  onFeedError,
  onBatch,
}: SettlementOptions): SettlementWorker {
  const specs = makeSettlementStages(deps);
  const start = <Name extends StageName>(name: Name): Stage<StageItems[Name]> => {
    const spec = specs[name];
    return startStage<StageItems[Name]>({
      lease: spec.lease,
      ...workInParts(spec, handOn),
      maxBatch,
      lanes: LANES,
      onError,
      onBatch: (size, seconds) => onBatch(name, size, seconds),
      ...(spec.movesMoney && { active: deps.moving }),
    });
  };
  const handOn = (handOvers: readonly HandOver[]) => {
    for (const { to, items, atMs } of handOvers) {
      const stage: Stage<never> = stages[to];
      const give = () => {
        if (items.length === 0) stage.wake();
        else stage.offer(items as readonly never[]);
      };
      if (atMs === undefined) give();
      else setTimeout(give, Math.max(0, atMs - deps.clock.now())).unref();
    }
  };
  const stages: { readonly [Name in StageName]: Stage<StageItems[Name]> } = {
    match: start('match'),
    confirm: start('confirm'),
    notices: start('notices'),
    reports: start('reports'),
    expire: start('expire'),
    send: start('send'),
    pay: start('pay'),
    follow: start('follow'),
  };
  const feeds = makeSettlementFeeds(deps).map((spec) => ({
    where: spec.where,
    letGo: spec.letGo,
    stage: startFeed(spec, handOn, (error) => onFeedError(spec.name, error), onBatch),
  }));
  const all: readonly Stage<never>[] = [...feeds.map(({ stage }) => stage), ...Object.values(stages)];
  const hasten = makeGatherer<Transaction>(async (claims) => {
    if ((await deps.store.hastenCredits(claims, deps.clock.now())) > 0) stages.match.wake();
  }, onError);
  return {
    wakeFeeds: (where) => {
      for (const feed of feeds) if (feed.where === where) feed.stage.wake();
    },
    accepted: (transaction) => {
      if (transaction.type === 'buy') hasten.add(transaction);
    },
    wakeAll: () => {
      for (const each of all) each.wake();
    },
    stop: async () => {
      await Promise.all(all.map((each) => each.stop()));
      // A database that cannot be reached must not delay the stop. In that case, the leases of the feeds expire.
      const parting = Promise.allSettled([hasten.flush(), ...feeds.map(({ letGo }) => letGo())]);
      await Promise.race([parting, sleep(PARTING_MS, undefined, { ref: false })]);
    },
  };
}

/** Parts of a batch do not wait for each other. Each part passes its results to other stages when it is finished. */
function workInParts<Item>(
  { work, partOf }: StageSpec<Item>,
  handOn: (handOvers: readonly HandOver[]) => void,
): Pick<StageOptions<Item>, 'work' | 'patienceMs'> {
  if (partOf === undefined) return { work: async (items) => handOn(await work(items)) };
  return {
    patienceMs: PATIENCE_MS,
    work: async (items) => {
      const parts = [...Map.groupBy(items, partOf).values()];
      const ends = await Promise.allSettled(parts.map(async (part) => handOn(await work(part))));
      const failure = ends.find((end) => end.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
    },
  };
}

/** A feed is a stage whose `lease` function reads and records the lines. After that it only wakes the next stage. */
function startFeed(
  { where, read }: FeedSpec,
  handOn: (handOvers: readonly HandOver[]) => void,
  onError: (error: Error) => void,
  onBatch: SettlementOptions['onBatch'],
): Stage<never> {
  const readOnce = async () => {
    const startedAtMs = performance.now();
    const { lines, handOvers, more = false } = await read();
    if (where === 'banks' && lines !== undefined && lines > 0)
      onBatch('feed', lines, (performance.now() - startedAtMs) / 1_000);
    handOn(handOvers);
    return more || (lines !== undefined && lines >= FULL_READING);
  };
  return startStage<never>({
    lease: async () => {
      // While a read returns many lines, the feed reads again at once; single lines are collected first. Another process may
      // also hold the feed.
      while (await readOnce());
      return [];
    },
    work: async () => undefined,
    maxBatch: 1,
    onError,
  });
}

function makeGatherer<Item>(
  work: (items: readonly Item[]) => Promise<void>,
  onError: (error: Error) => void,
): { add(item: Item): void; flush(): Promise<void> } {
  let items: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    const gathered = items;
    items = [];
    if (gathered.length > 0) await work(gathered).catch(onError);
  };
  return {
    add: (item) => {
      items.push(item);
      if (items.length === 1) timer = setTimeout(flush, GATHER_MS).unref();
    },
    flush,
  };
}

// Queries rails again about finished payouts when a query is due. A process leases each row, so only one process queries about
// each payout.

export function startEndedPayoutWatch(
  deps: SettlementDeps,
  options: {
    readonly everyMs: number;
    readonly guards: Pick<Guards, 'guard'>;
    readonly onError: (error: Error) => void;
    readonly onNews: () => void;
  },
): Loop {
  const { everyMs, guards, onError, onNews } = options;
  // A rail that cannot be reached must not stop the queries at other rails. The service reports it, and no money waits for it.
  const guard = guards.guard({ name: 'The watch over payouts that ended', everyMs, stops: 'nothing' });
  return startLoop({
    everyMs,
    guard,
    onError,
    turn: async () => {
      // The loop repeats while payouts are due: after a pause of the service there may be many.
      for (let { asked, news } = await watchEndedPayouts(deps); asked > 0; ) {
        guard.progressed();
        if (news > 0) onNews();
        ({ asked, news } = await watchEndedPayouts(deps));
      }
    },
  });
}
