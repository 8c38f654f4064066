// Opens the simulated world for the contract suites, in memory and in PostgreSQL. The test causes troubles and moves the clock.
import { openPostgresWorld } from '../../../src/adapters/simulation/postgres-world.ts';
import { PAYING_FATES, type SimulatedWorld } from '../../../src/adapters/simulation/simulated-world.ts';
import { makeChance, type Simulation } from '../../../src/adapters/simulation/simulation.ts';
import type { Scenario } from '../../../src/ports/sandbox.ts';
import { openTestDatabase } from '../../http/store-fixtures.ts';
import { freshDatabase } from '../../support/database.ts';
import { makeMemoryWorld } from '../../support/memory-world.ts';

const PACE_MS = 240;
const LONG_MS = 8 * PACE_MS;
const STEP_MS = 15;
const BATCH = 4;

export interface Stage {
  readonly simulation: Simulation;
  restarted(): Simulation;
  meets(operation: string, subject: string, kind: string): void;
  draws(subject: string, value: number): void;
  addPlay(transactionId: string, scenario: Scenario): Promise<void>;
  /** Returns the amount that was paid to an address, or that will certainly be paid. */
  received(address: string): Promise<bigint>;
  now(): number;
  setTo(atMs: number): void;
  /** Runs `step` before time passes and after each small step of time, for long enough that nothing changes any more. */
  untilSettled(step: () => Promise<void>): Promise<void>;
}

type Storage = () => { open(): SimulatedWorld } & Pick<Stage, 'addPlay' | 'received'>;

export function inMemory(): Storage {
  return () => {
    const world = makeMemoryWorld();
    return {
      open: () => world,
      addPlay: async (transactionId, scenario) => world.addPlay(transactionId, scenario, 0),
      received: async (address) => {
        let sum = 0n;
        for (const row of world.transfers.all())
          if (row.address === address && PAYING_FATES.includes(row.fate)) sum += row.amountMinor;
        return sum;
      },
    };
  };
}

export async function inPostgres(): Promise<Storage> {
  const database = openTestDatabase(await freshDatabase());
  const storage = {
    open: () => openPostgresWorld(database),
    addPlay: async (transactionId: string, scenario: Scenario) => {
      const text = 'insert into simulated_plays (transaction_id, scenario) values ($1, $2)';
      await database.query({ text, values: [transactionId, scenario] });
    },
    received: async (address: string) => {
      const text = `select coalesce(sum(amount_minor), 0) as sum from simulated_transfers
        where address = $1 and fate = any($2)`;
      const { rows } = await database.query<{ sum: string }>({ text, values: [address, PAYING_FATES] });
      return BigInt(rows[0]!.sum);
    },
  };
  return () => storage;
}

/** Makes a stage for every test. With a shared database, the time continues from the previous test. */
export function makeStages(storage: Storage): () => Stage {
  let nowMs = Date.parse('2026-11-14T09:30:00Z');
  return () => {
    const { open, addPlay, received } = storage();
    const draws = new Map<string, number>();
    const plain = makeChance({ seed: 'contract', faultPercent: 0 });
    const script = new Map<string, string>();
    const chance = {
      between: (subject: string, lowest: number, highest: number) =>
        draws.get(subject) ?? plain.between(subject, lowest, highest),
      trouble: <Kind extends string>(operation: string, subject: string, kinds: readonly Kind[]) => {
        const key = `${operation} ${subject}`;
        const kind = kinds.find((each) => each === script.get(key));
        if (kind !== undefined) script.delete(key);
        return kind;
      },
    };
    const clock = { now: () => nowMs };
    const restarted = () => ({ world: open(), clock, chance, paceMs: PACE_MS, batch: BATCH });
    return {
      simulation: restarted(),
      restarted,
      meets: (operation, subject, kind) => script.set(`${operation} ${subject}`, kind),
      draws: (subject, value) => draws.set(subject, value),
      addPlay,
      received,
      now: clock.now,
      setTo: (atMs) => {
        nowMs = Math.max(nowMs, atMs);
      },
      untilSettled: async (step) => {
        const endMs = nowMs + LONG_MS;
        for (; nowMs < endMs; nowMs += STEP_MS) await step();
        await step();
      },
    };
  };
}
