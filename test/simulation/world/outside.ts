// The outside world of a seed: the simulated bank and networks over their memory, with an eye on everything that is
// written there. What the books are compared with at the end is what stands here, and nothing the service says.
import { type SimulatedBank, simulatedBank } from '../../../src/adapters/banks/simulated/bank.ts';
import { simulatedNetworks } from '../../../src/adapters/networks/registry.ts';
import type { SimulatedNetwork } from '../../../src/adapters/networks/simulated/network.ts';
import type { Chance } from '../../../src/adapters/simulation/chance.ts';
import { makeSandbox } from '../../../src/adapters/simulation/sandbox.ts';
import type { Arrival, Payout, StatementRow, Transfer } from '../../../src/adapters/simulation/world.ts';
import type { Sandbox, Scenario } from '../../../src/ports/sandbox.ts';
import { makeDice, mix } from '../../support/dice.ts';
import { type MemoryWorld, makeMemoryWorld } from '../../support/simulated/memory-world.ts';
import type { Agenda } from './agenda.ts';
import { drawLag, makeLagging, NO_LAG } from './lagging.ts';
import { knowingOwners, NETWORKS, withWallets } from './places.ts';

/** What really happened, in the order it did. Each row once. */
export interface Happened {
  readonly transfers: Transfer[];
  readonly payouts: Payout[];
  readonly arrivals: Arrival[];
  /** Every report of a line of the bank's statement. */
  readonly lines: StatementRow[];
}

/** Called for every row when it is new, before any process gets an answer about it. */
export interface Witness {
  transfer(row: Transfer): void;
  payout(row: Payout): void;
  arrival(row: Arrival): void;
  line(row: StatementRow): void;
}

export interface Outside {
  readonly world: MemoryWorld;
  readonly bank: SimulatedBank;
  readonly networks: readonly SimulatedNetwork[];
  readonly sandbox: Sandbox;
  readonly happened: Happened;
  /** Which account a payment at the bank really came from, by its name there. */
  readonly payers: Map<string, string>;
  /** When a feed has something behind this position; Infinity when it has nothing. */
  unreadAtMs(feed: string, position: string | null): number;
  /** The story a transaction was created with. */
  scenarioOf(transactionId: string): Scenario | undefined;
  /** When the next story goes on; Infinity when all are over. */
  nextStoryAtMs(): number;
  /** From here on nothing goes wrong that no story asks for. */
  calm(): void;
}

export interface OutsideOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly paceMs: number;
  readonly troublePercent: number;
  readonly batch: number;
  readonly ordered: boolean;
  readonly unreadyUntilMs: ReadonlyMap<string, number>;
  /** Whether providers of networks are behind for a while. */
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
  const chance = quickChance(seed, options.troublePercent);
  const simulation = { world, clock: agenda, chance, paceMs, batch, ordered };
  const bank = knowingOwners(simulatedBank(simulation));
  const lagDice = makeDice(`${seed} lag`);
  const lag = options.lags ? drawLag(lagDice, agenda.now(), NETWORKS) : NO_LAG;
  const lagging = makeLagging(agenda, lagDice, lag);
  const behind =
    lag === NO_LAG ? [] : simulatedNetworks({ offCurve: 'accept' }, { ...simulation, clock: lagging.clock });
  const networks = simulatedNetworks({ offCurve: 'accept' }, simulation).map((network, index) =>
    withWallets(lagging.over(network, behind[index] ?? network), agenda, options.unreadyUntilMs),
  );
  return {
    world,
    bank,
    networks,
    sandbox: makeSandbox(bank, networks),
    happened,
    payers: new Map(),
    unreadAtMs: unread.atMs,
    scenarioOf: stories.scenarioOf,
    nextStoryAtMs: stories.nextAtMs,
    calm: () => {
      chance.calm();
      lagging.end();
    },
  };
}

/** What each feed has that was not read yet, and from when on it can be read. */
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

/** The stories of the sandbox, with an eye on when each goes on. */
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

/** The rows of the outside world: each is noted and shown to the witness when it is new. */
function watchRows(
  memory: MemoryWorld,
  { agenda, witness }: Pick<OutsideOptions, 'agenda' | 'witness'>,
  onUnread: (feed: string, position: number, atMs: number) => void,
) {
  const happened: Happened = { transfers: [], payouts: [], arrivals: [], lines: [] };
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
  const payouts: MemoryWorld['payouts'] = {
    ...memory.payouts,
    put: async (row) => {
      const stored = await memory.payouts.put(row);
      if (stored.tries === 1) {
        happened.payouts.push(row);
        witness.payout(row);
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
  const statement: MemoryWorld['statement'] = {
    ...memory.statement,
    put: async (row) => {
      const stored = await memory.statement.put(row);
      if (stored.tries === 1) {
        happened.lines.push(row);
        witness.line(row);
        onUnread('bank test simulated', positionOf(stored), row.reportedAtMs);
      }
      return stored;
    },
  };
  return { happened, rows: { transfers, payouts, arrivals, statement } };
}

/** As makeChance draws it, with a hash that costs less: a simulation draws a thousand times in a seed. */
function quickChance(seed: string, faultPercent: number): Chance & { calm(): void } {
  const salt = mix(seed, 11);
  const threshold = Math.round(faultPercent * 100);
  let calls = 0;
  let calm = faultPercent === 0;
  return {
    trouble: (operation, subject, kinds) => {
      if (calm) return undefined;
      const call = ++calls;
      if (mix(`${operation} ${subject}`, salt + call) % 10_000 >= threshold) return undefined;
      return kinds[mix(subject, salt - call) % kinds.length];
    },
    between: (subject, lowest, highest) => lowest + (mix(subject, salt) % (highest - lowest + 1)),
    calm: () => {
      calm = true;
    },
  };
}

/** The place of the first that is behind a position; positions rise. */
function firstBehind(log: readonly { readonly position: number }[], position: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (log[middle]!.position <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
