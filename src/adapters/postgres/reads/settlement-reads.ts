// Everything settlement reads, put together. Each read finds its rows by an index, so its cost does not grow with the
// number of finished transactions.
import { FEW_CLAIMS } from '../../../ports/store/reads.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { makeAccountReads } from './account-reads.ts';
import { claimsOfAmount, findCandidates, hastenCredits } from './candidates.ts';
import { makeDepositTargetReads } from './deposit-target-reads.ts';
import { makeHastening } from './hasten.ts';
import { makeMovementReads } from './movement-reads.ts';
import { makeRecordReads } from './record-reads.ts';
import { makeReportReads } from './reports.ts';

export function settlementReads(database: Database) {
  return {
    ...makeDepositTargetReads(database),
    ...makeRecordReads(database),
    ...makeMovementReads(database),
    ...makeAccountReads(database),
    ...makeHastening(database),
    ...makeCandidateReads(database),
    ...makeReportReads(database),
  };
}

function makeCandidateReads(
  database: Database,
): Pick<Store, 'findCandidates' | 'claimsOfAmount' | 'hastenCredits'> {
  return {
    findCandidates: (credits, windowMs, most = FEW_CLAIMS) =>
      findCandidates(database, credits, windowMs, most),
    claimsOfAmount: (credits, windowMs, most) => claimsOfAmount(database, credits, windowMs, most),
    hastenCredits: (claims, atMs) => hastenCredits(database, claims, atMs),
  };
}
