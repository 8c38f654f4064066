// The simulated world as the contract suites need it: on a clock driven by hand, with trouble on demand, in memory and
// in PostgreSQL.
import { makeChance } from '../../src/adapters/simulation/chance.ts';
import { makeMemoryWorld } from '../../src/adapters/simulation/memory-world.ts';
import { openPostgresWorld } from '../../src/adapters/simulation/postgres-world.ts';
import type { Simulation } from '../../src/adapters/simulation/simulation.ts';
import type { World } from '../../src/adapters/simulation/world.ts';
import type { Scenario } from '../../src/ports/sandbox.ts';
import { openTestDatabase } from '../http/store-fixtures.ts';
import { freshDatabase } from '../support/database.ts';

const PACE_MS = 240;
const LONG_MS = 8 * PACE_MS;
const STEP_MS = 15;

export interface Stage {
  readonly simulation: Simulation;
  /** The same world through another door, as another process has it. */
  restarted(): Simulation;
  /** The next such call meets this. */
  meets(operation: string, subject: string, kind: string): void;
  addPlay(transactionId: string, scenario: Scenario): Promise<void>;
  setTo(atMs: number): void;
  /** A step before time passes, and after each bit of it, until everything has settled. */
  untilSettled(step: () => Promise<void>): Promise<void>;
}

type Storage = () => { open(): World; addPlay(transactionId: string, scenario: Scenario): Promise<void> };

export function inMemory(): Storage {
  return () => {
    const world = makeMemoryWorld();
    return {
      open: () => world,
      addPlay: async (transactionId, scenario) => world.addPlay(transactionId, scenario, 0),
    };
  };
}

/** One database for the whole file, dropped with it. */
export async function inPostgres(): Promise<Storage> {
  const database = openTestDatabase(await freshDatabase());
  const storage = {
    open: () => openPostgresWorld(database),
    addPlay: async (transactionId: string, scenario: Scenario) => {
      const text = 'insert into simulated_plays (transaction_id, scenario) values ($1, $2)';
      await database.query({ text, values: [transactionId, scenario] });
    },
  };
  return () => storage;
}

/** A stage for every test; on a shared database time goes on where the test before left it. */
export function makeStages(storage: Storage): () => Stage {
  let nowMs = Date.parse('2026-11-14T09:30:00Z');
  return () => {
    const { open, addPlay } = storage();
    const script = new Map<string, string>();
    const chance = {
      ...makeChance({ seed: 'contract', faultPercent: 0 }),
      trouble: <Kind extends string>(operation: string, subject: string, kinds: readonly Kind[]) => {
        const key = `${operation} ${subject}`;
        const kind = kinds.find((each) => each === script.get(key));
        if (kind !== undefined) script.delete(key);
        return kind;
      },
    };
    const restarted = () => ({ world: open(), clock: { now: () => nowMs }, chance, paceMs: PACE_MS });
    return {
      simulation: restarted(),
      restarted,
      meets: (operation, subject, kind) => script.set(`${operation} ${subject}`, kind),
      addPlay,
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
