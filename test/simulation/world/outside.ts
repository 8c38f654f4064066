// The outside world of a seed: the simulated banks and networks with their memory. The simulation observes every write to it.
// At the end, the service's books are compared with this data, never with the service's own statements.
import { makeSimulatedNetworks } from '../../../src/adapters/networks/registry.ts';
import type { SimulatedNetwork } from '../../../src/adapters/networks/simulated/network.ts';
import { makeSandbox } from '../../../src/adapters/simulation/sandbox.ts';
import type { WorldArrival, WorldTransfer } from '../../../src/adapters/simulation/simulated-world.ts';
import type { Sandbox, Scenario } from '../../../src/ports/sandbox.ts';
import { makeDice } from '../../support/dice.ts';
import { type MemoryWorld, makeMemoryWorld } from '../../support/memory-world.ts';
import type { Agenda } from './agenda.ts';
import { quickChance } from './faults.ts';
import { drawLag, makeLagging, NO_LAG } from './lagging.ts';
import { NETWORKS, withWallets } from './places.ts';
import { FICKLE, type PaidRow, type RailWitness, type ReportedRow } from './rails/options.ts';
import { type BankRail, makeRails } from './rails/rails.ts';

/** Everything that really happened in the outside world, in order. Each row occurs once. */
export interface Happened {
  readonly transfers: WorldTransfer[];
  readonly payouts: PaidRow[];
  /**
   * `returned`: payouts whose money the bank returned. `late`: payouts that the bank made after it had reported them as failed
   * or returned.
   */
  readonly returned: PaidRow[];
  readonly late: PaidRow[];
  readonly arrivals: WorldArrival[];
  readonly lines: ReportedRow[];
}

/** Each method is called for every new row, before a process gets a response about the row. */
export interface Witness extends RailWitness {
  transfer(row: WorldTransfer): void;
  arrival(row: WorldArrival): void;
}

export interface Outside {
  readonly world: MemoryWorld;
  /** The rails in the order of the configuration. */
  readonly rails: readonly BankRail[];
  /** The bank that reports the payments of customers. */
  readonly bank: BankRail;
  readonly networks: readonly SimulatedNetwork[];
  readonly sandbox: Sandbox;
  readonly happened: Happened;
  /** The account from which a payment really came, by the bank's id of the payment. */
  readonly payers: Map<string, string>;
  /** The time at which a feed has new data after this position; Infinity if there is no new data. */
  unreadAtMs(feed: string, position: string | null): number;
  scenarioOf(transactionId: string): Scenario | undefined;
  /** The time at which the next sandbox scenario continues; Infinity if all scenarios have ended. */
  nextStoryAtMs(): number;
  /** From now on, nothing fails except what a scenario requires. */
  calm(): void;
}

export interface OutsideOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly paceMs: number;
  readonly troublePercent: number;
  readonly brokenPercent: number;
  readonly batch: number;
  readonly ordered: boolean;
  readonly unreadyUntilMs: ReadonlyMap<string, number>;
  readonly lags: boolean;
  readonly witness: Witness;
  readonly onNews: () => void;
}

export function makeOutside(options: OutsideOptions): Outside {
  const { seed, agenda, paceMs, batch, ordered } = options;
  const unread = makeUnread(options.onNews);
  const memory = makeMemoryWorld();
  const stories = watchStories(memory);
  const { happened, rows } = watchRows(memory, options, unread.add);
  const world: MemoryWorld = { ...memory, ...stories.parts, ...rows };
  const rails = openRails(options, world.plays, stories.scenarioOf, happened, unread.add);
  const bank = rails.find(({ name }) => name === FICKLE)!;
  const chance = quickChance(seed, () => options.troublePercent);
  const simulation = { world, clock: agenda, chance, paceMs, batch, ordered };
  const lagDice = makeDice(`${seed} lag`);
  const lag = options.lags ? drawLag(lagDice, agenda.now(), NETWORKS) : NO_LAG;
  const lagging = makeLagging(agenda, lagDice, lag);
  const behind =
    lag === NO_LAG
      ? []
      : makeSimulatedNetworks({ offCurve: 'accept' }, { ...simulation, clock: lagging.clock });
  const networks = makeSimulatedNetworks({ offCurve: 'accept' }, simulation).map((network, index) =>
    withWallets(lagging.over(network, behind[index] ?? network), agenda, options.unreadyUntilMs),
  );
  return {
    world,
    rails,
    bank,
    networks,
    sandbox: asRealBank({
      ...makeSandbox(bank, networks),
      returnPayout: async (reference) =>
        (await Promise.all(rails.map((rail) => rail.returnPayout(reference)))).includes(true),
    }),
    happened,
    payers: new Map(),
    unreadAtMs: unread.atMs,
    scenarioOf: stories.scenarioOf,
    nextStoryAtMs: stories.nextAtMs,
    calm: () => {
      chance.calm();
      for (const rail of rails) rail.calm();
      lagging.end();
    },
  };
}

/** Payments of a sandbox scenario do not name a tester, as at a real bank, so several businesses may claim them (threat 16). */
function asRealBank(sandbox: Sandbox): Sandbox {
  const named = new Map<string, string>();
  return {
    ...sandbox,
    payIn: (id, { tester, ...credit }, copies) => {
      if (tester !== undefined) named.set(tester.creditId, id);
      return sandbox.payIn(id, credit, copies);
    },
    reverse: (payment) =>
      sandbox.reverse(typeof payment === 'string' ? payment : (named.get(payment.creditId) ?? '')),
  };
}

function makeUnread(onNews: () => void) {
  const logs = new Map<string, { readonly position: number; readonly atMs: number }[]>();
  return {
    add: (feed: string, position: number, atMs: number) => {
      const log = logs.get(feed) ?? [];
      logs.set(feed, log);
      log.push({ position, atMs });
      onNews();
    },
    atMs: (feed: string, position: string | null) => {
      const log = logs.get(feed) ?? [];
      return log[firstBehind(log, Number(position ?? '0'))]?.atMs ?? Number.POSITIVE_INFINITY;
    },
  };
}

function watchStories(memory: MemoryWorld) {
  const storyAtMs = new Map<string, number>();
  const scenarios = new Map<string, Scenario>();
  const plays: MemoryWorld['plays'] = {
    ...memory.plays,
    lease: async (request) => {
      const claimed = await memory.plays.lease(request);
      for (const { transactionId } of claimed) storyAtMs.set(transactionId, request.atMs + request.leaseMs);
      return claimed;
    },
    move: async (play, next) => {
      if (next === null) storyAtMs.delete(play.transactionId);
      else storyAtMs.set(play.transactionId, next.dueAtMs);
      await memory.plays.move(play, next);
    },
  };
  const addPlay: MemoryWorld['addPlay'] = (transactionId, scenario, dueAtMs) => {
    storyAtMs.set(transactionId, dueAtMs);
    scenarios.set(transactionId, scenario);
    memory.addPlay(transactionId, scenario, dueAtMs);
  };
  return {
    parts: { plays, addPlay },
    scenarioOf: (transactionId: string) => scenarios.get(transactionId),
    nextAtMs: () => Math.min(...storyAtMs.values()),
  };
}

function watchRows(
  memory: MemoryWorld,
  { agenda, witness }: Pick<OutsideOptions, 'agenda' | 'witness'>,
  onUnread: (feed: string, position: number, atMs: number) => void,
) {
  const happened: Happened = { transfers: [], payouts: [], returned: [], late: [], arrivals: [], lines: [] };
  const positionOf = (stored: unknown) => (stored as { position: number }).position;
  const transfers: MemoryWorld['transfers'] = {
    ...memory.transfers,
    put: async (rows) => {
      const stored = await memory.transfers.put(rows);
      for (const [index, row] of rows.entries()) {
        if (stored[index]!.tries > 1) continue;
        happened.transfers.push(row);
        witness.transfer(row);
      }
      return stored;
    },
  };
  const arrivals: MemoryWorld['arrivals'] = {
    ...memory.arrivals,
    put: async (row) => {
      const stored = await memory.arrivals.put(row);
      if (stored.tries === 1) {
        happened.arrivals.push(row);
        witness.arrival(row);
      }
      onUnread(`network test ${row.network}`, positionOf(stored), agenda.now());
      return stored;
    },
  };
  return { happened, rows: { transfers, arrivals } };
}

function openRails(
  { seed, agenda, paceMs, troublePercent, brokenPercent, witness }: OutsideOptions,
  plays: MemoryWorld['plays'],
  scenarioOf: Outside['scenarioOf'],
  happened: Happened,
  onUnread: (feed: string, position: number, atMs: number) => void,
): readonly BankRail[] {
  const noted = <Row>(list: Row[], see: (row: Row) => void) => {
    return (row: Row) => {
      list.push(row);
      see(row);
    };
  };
  return makeRails({
    ...{ seed, agenda, paceMs, troublePercent, brokenPercent, plays, scenarioOf },
    witness: {
      payout: noted(happened.payouts, (row) => witness.payout(row)),
      returned: noted(happened.returned, (row) => witness.returned(row)),
      late: noted(happened.late, (row) => witness.late(row)),
      line: noted(happened.lines, (row) => witness.line(row)),
    },
    onLine: (rail, position, atMs) => onUnread(`bank test ${rail}`, position, atMs),
  });
}

/** The index of the first item after a position. The positions in the log increase. */
function firstBehind(log: readonly { readonly position: number }[], position: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (log[middle]!.position <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
