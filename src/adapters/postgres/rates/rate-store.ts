// Stores rates in PostgreSQL.
import type { RateStore } from '../../../ports/rates.ts';
import type { Database } from '../connection/database.ts';
import { makeDecisionRows } from './decisions.ts';
import { makeDeskRows } from './desk-prices.ts';
import { makeHistoryRows } from './history.ts';
import { makeSourceRows } from './sources.ts';

export function makeRateStore(database: Database): RateStore {
  return {
    ...makeSourceRows(database),
    ...makeDecisionRows(database),
    ...makeDeskRows(database),
    ...makeHistoryRows(database),
  };
}
