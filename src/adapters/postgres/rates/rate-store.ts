// Rates on PostgreSQL.
import type { RateStore } from '../../../ports/rates.ts';
import type { Database } from '../connection/database.ts';
import { decisionRows } from './decisions.ts';
import { deskRows } from './desk.ts';
import { historyRows } from './history.ts';
import { sourceRows } from './sources.ts';

export function makeRateStore(database: Database): RateStore {
  return {
    ...sourceRows(database),
    ...decisionRows(database),
    ...deskRows(database),
    ...historyRows(database),
  };
}
