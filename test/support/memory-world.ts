// The simulated world in memory, for tests and for simulations on a simulated clock. It has exactly the same rules as the world
// in PostgreSQL, and the contract tests run on both.
import {
  PAYING_FATES,
  type PositionedRow,
  type SimulatedWorld,
  type StoredWorldRow,
  type WorldArrival,
  type WorldPayout,
  type WorldStatementRow,
  type WorldTransfer,
} from '../../src/adapters/simulation/simulated-world.ts';
import type { Play, Plays, Scenario } from '../../src/ports/sandbox.ts';

export interface MemoryWorld extends SimulatedWorld {
  readonly transfers: SimulatedWorld['transfers'] & { all(): Iterable<WorldTransfer> };
  /** Stores what the service stores when it accepts a transaction with a sandbox scenario. */
  addPlay(transactionId: string, scenario: Scenario, dueAtMs: number): void;
}

export function makeMemoryWorld(): MemoryWorld {
  const { addPlay, ...plays } = memoryPlays();
  const transfers = memoryTransfers();
  const arrivals = memoryArrivals();
  const payouts = new Map<string, StoredWorldRow<WorldPayout>>();
  return {
    transfers,
    arrivals,
    payouts: {
      put: async (row) => putIn(payouts, row.reference, row),
      find: async ({ reference }) => payouts.get(reference),
      ofTransaction: async (about) => [...payouts.values()].filter((row) => row.about === about),
    },
    statement: memoryStatement(),
    plays,
    settledMinor: async (network, atMs) => ({
      out: sum(transfers.all(), (row) => row.network === network && paid(row) && row.finalAtMs <= atMs),
      in: sum(arrivals.all(), (row) => row.network === network && settled(row) && row.settledAtMs <= atMs),
    }),
    drain: async () => undefined,
    addPlay,
  };
}

function memoryTransfers() {
  const orders = new Map<string, Map<string, StoredWorldRow<WorldTransfer>>>();
  const ofOrder = (orderId: string) => {
    const known = orders.get(orderId) ?? new Map<string, StoredWorldRow<WorldTransfer>>();
    orders.set(orderId, known);
    return known;
  };
  const all = () => orders.values().flatMap((order) => order.values());
  return {
    put: async (rows: readonly WorldTransfer[]) =>
      rows.map((row) => putIn(ofOrder(row.orderId), row.hash, row)),
    find: async ({ orderId, hash }: Pick<WorldTransfer, 'orderId' | 'hash'>) =>
      orders.get(orderId)?.get(hash),
    ofOrder: async (orderId: string) => [...(orders.get(orderId)?.values() ?? [])],
    paidSince: async (network: string, afterMs: number, nowMs: number) =>
      [...all()]
        .filter((row) => row.network === network && paid(row))
        .filter((row) => row.finalAtMs > afterMs && row.includedAtMs <= nowMs)
        .toSorted((a, b) => (`${a.hash} ${a.orderId}` < `${b.hash} ${b.orderId}` ? -1 : 1)),
    all,
  };
}

function memoryArrivals() {
  const rows = new Map<string, StoredWorldRow<PositionedRow<WorldArrival>>>();
  const ids = new Map<string, string>();
  const logs = new Map<string, ReturnType<typeof makeMemoryLog<string>>>();
  const logOf = (network: string) => {
    const log = logs.get(network) ?? makeMemoryLog<string>();
    logs.set(network, log);
    return log;
  };
  return {
    put: async (row: WorldArrival) => {
      const stored = rows.get(row.id);
      const { network, txHash, txIndex } = stored ?? row;
      const position = logOf(network).append(row.id);
      const next = { ...(stored ?? row), tries: (stored?.tries ?? 0) + 1, position };
      rows.set(row.id, next);
      ids.set(JSON.stringify([network, txHash, txIndex]), row.id);
      return next;
    },
    find: async ({ network, txHash, txIndex }: Pick<WorldArrival, 'network' | 'txHash' | 'txIndex'>) =>
      rows.get(ids.get(JSON.stringify([network, txHash, txIndex])) ?? ''),
    after: async (network: string, position: number, limit: number) =>
      logOf(network)
        .after(position, limit, (id, place) => rows.get(id)!.position === place)
        .map((id) => rows.get(id)!),
    all: () => rows.values(),
  };
}

function memoryStatement(): SimulatedWorld['statement'] {
  const rows = new Map<string, StoredWorldRow<PositionedRow<WorldStatementRow>>>();
  const log = makeMemoryLog<string>();
  const keyOf = (kind: string, sourceId: string, copy: number) => `${kind} ${copy} ${sourceId}`;
  return {
    put: async (row) => {
      const key = keyOf(row.line.kind, row.line.sourceId, row.copy);
      const position = rows.get(key)?.position ?? log.append(key);
      return putIn(rows, key, { ...row, position });
    },
    find: async ({ kind, sourceId }) => rows.get(keyOf(kind, sourceId, 1)),
    after: async (position, limit) => log.after(position, limit, () => true).map((key) => rows.get(key)!),
  };
}

interface StoredPlay extends Play {
  readonly dueAtMs: number | null;
  readonly walletAskedAtMs: number | null;
}

function memoryPlays(): SimulatedWorld['plays'] & Pick<MemoryWorld, 'addPlay'> {
  const plays = new Map<string, StoredPlay>();
  // Most scenarios end soon, so a query for due scenarios does not scan the ended ones.
  const open = new Set<string>();
  const save = (play: StoredPlay) => {
    plays.set(play.transactionId, play);
    if (play.dueAtMs === null) open.delete(play.transactionId);
    else open.add(play.transactionId);
  };
  const lease: Plays['lease'] = async ({ atMs, leaseMs, limit }) => {
    const due = [...open]
      .map((id) => plays.get(id)!)
      .filter((play) => play.dueAtMs! <= atMs)
      .sort((a, b) => a.dueAtMs! - b.dueAtMs!)
      .slice(0, limit)
      .map((play) => ({ ...play, version: play.version + 1, dueAtMs: atMs + leaseMs }));
    for (const play of due) save(play);
    return due.map(({ dueAtMs, walletAskedAtMs, ...play }) => play);
  };
  return {
    lease,
    move: async ({ transactionId, version }, next) => {
      const play = plays.get(transactionId);
      if (play?.version !== version) return;
      const step = next?.step ?? play.step;
      save({ ...play, step, version: version + 1, dueAtMs: next?.dueAtMs ?? null });
    },
    scenarioOf: async (transactionId) => plays.get(transactionId)?.scenario,
    walletAskedAtMs: async (transactionId, atMs) => {
      const play = plays.get(transactionId);
      if (play === undefined) return atMs;
      const walletAskedAtMs = play.walletAskedAtMs ?? atMs;
      plays.set(transactionId, { ...play, walletAskedAtMs });
      return walletAskedAtMs;
    },
    addPlay: (transactionId, scenario, dueAtMs) =>
      save({ transactionId, scenario, step: 0, version: 1, dueAtMs, walletAskedAtMs: null }),
  };
}

function putIn<Row>(rows: Map<string, StoredWorldRow<Row>>, key: string, row: Row): StoredWorldRow<Row> {
  const stored = rows.get(key);
  const next = { ...(stored ?? row), tries: (stored?.tries ?? 0) + 1 } as StoredWorldRow<Row>;
  rows.set(key, next);
  return next;
}

function paid({ fate }: WorldTransfer): boolean {
  return PAYING_FATES.includes(fate);
}

function settled({ ourToken, fate }: WorldArrival): boolean {
  return ourToken && fate === 'settles';
}

function sum<Row extends { readonly amountMinor: bigint }>(
  rows: Iterable<Row>,
  counts: (row: Row) => boolean,
): bigint {
  let total = 0n;
  for (const row of rows) if (counts(row)) total += row.amountMinor;
  return total;
}

// A log in memory. Rows are appended at the end, and a read after a position does not scan earlier rows.

export interface MemoryLog<Row> {
  append(row: Row): number;
  after(position: number, limit: number, wanted: (row: Row, position: number) => boolean): Row[];
}

function makeMemoryLog<Row>(): MemoryLog<Row> {
  // The position of a row is its index plus one.
  const rows: Row[] = [];
  return {
    append: (row) => rows.push(row),
    after: (position, limit, wanted) => {
      const found: Row[] = [];
      for (let place = position + 1; place <= rows.length && found.length < limit; place++) {
        const row = rows[place - 1]!;
        if (wanted(row, place)) found.push(row);
      }
      return found;
    },
  };
}
