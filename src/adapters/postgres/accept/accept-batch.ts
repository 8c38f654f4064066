// Accepts transactions with one statement for a whole batch. Single items are looked up only when some items of the batch were
// not inserted. A caller gets its response only when its row is durable. After a lost response the row is found by its id,
// which is assigned before the first try.
import type { Acceptance, AcceptOutcome } from '../../../ports/store/acceptance.ts';
import { columnArrays } from '../connection/column-arrays.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { retryUntilKnown } from '../connection/group-commit.ts';
import { chooseStatement } from './accept-statement.ts';
import { explainMissed } from './explain-missed.ts';

const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';
/** More conflicts than this without a conflicting row are a bug and not a race. */
const MAX_CONFLICTS = 3;

export async function acceptBatch(
  database: Database,
  batch: readonly Acceptance[],
): Promise<(AcceptOutcome | Error)[]> {
  const { unsure, refused } = await insertByMode(database, batch.toSorted(compareUniqueKeys));
  if (unsure.length === 0 && refused.size === 0) return batch.map(() => CREATED);
  const found = unsure.length === 0 ? undefined : await explainMissed(database, unsure);
  return batch.map(({ transaction: { id } }) => refused.get(id) ?? found?.get(id) ?? CREATED);
}

const CREATED: AcceptOutcome = { kind: 'created' };

/** All batches write their unique keys in the same order. Otherwise two batches could deadlock. */
function compareUniqueKeys({ transaction: a }: Acceptance, { transaction: b }: Acceptance): number {
  if (a.businessId !== b.businessId) return a.businessId < b.businessId ? -1 : 1;
  if (a.mode !== b.mode) return a.mode < b.mode ? -1 : 1;
  return a.reference < b.reference ? -1 : 1;
}

interface InsertedBatch {
  /** The items of batches that were not inserted completely. The outcome of each item must be looked up. */
  readonly unsure: readonly Acceptance[];
  readonly refused: ReadonlyMap<string, Error>;
}

/**
 * A live transaction never shares a statement with a transaction that has a scenario, because live acceptance touches no table
 * of test mode.
 */
async function insertByMode(database: Database, batch: readonly Acceptance[]): Promise<InsertedBatch> {
  const live = batch.filter(isLive);
  if (live.length === 0 || batch.every(({ scenario }) => scenario === null))
    return insertOrSplit(database, batch);
  const test = batch.filter((each) => !isLive(each));
  return mergeInserted(await insertOrSplit(database, live), await insertOrSplit(database, test));
}

function isLive({ transaction, scenario }: Acceptance): boolean {
  return transaction.mode === 'live' && scenario === null;
}

function mergeInserted(first: InsertedBatch, second: InsertedBatch): InsertedBatch {
  return {
    unsure: [...first.unsure, ...second.unsure],
    refused: new Map([...first.refused, ...second.refused]),
  };
}

/**
 * One constraint violation aborts the whole statement. The batch is split until only the item that causes the violation is
 * refused.
 */
async function insertOrSplit(
  database: Database,
  batch: readonly Acceptance[],
  conflicts = 0,
): Promise<InsertedBatch> {
  try {
    const count = await insertBatch(database, batch);
    return { unsure: count === batch.length ? [] : batch, refused: new Map() };
  } catch (error) {
    const state = sqlState(error);
    if (state === undefined) throw error;
    if ((state === UNIQUE_VIOLATION || state === DEADLOCK) && conflicts < MAX_CONFLICTS) {
      // Another process inserted the same key first. That row is committed now, so the next try finds it.
      return insertOrSplit(database, batch, conflicts + 1);
    }
    if (batch.length === 1) {
      return { unsure: [], refused: new Map([[batch[0]!.transaction.id, error as Error]]) };
    }
    const middle = batch.length >> 1;
    return mergeInserted(
      await insertOrSplit(database, batch.slice(0, middle)),
      await insertOrSplit(database, batch.slice(middle)),
    );
  }
}

async function insertBatch(database: Database, batch: readonly Acceptance[]): Promise<number> {
  const { name, text, columns } = chooseStatement(batch);
  const query = { name, text, values: columnArrays(columns, batch) };
  const { rows } = await retryUntilKnown(() => database.query<{ count: number }>(query));
  return rows[0]!.count;
}
