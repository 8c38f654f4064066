// What is read about matching besides the records: decisions of the past, and buys that nothing was paid for.
import type { Database } from '../../adapters/postgres/connection/database.ts';
import { makeMatchHistory } from '../../adapters/postgres/matching/match-history.ts';
import { makeClaimLimits } from '../../adapters/postgres/reads/claim-limits.ts';
import type { Config } from '../../config.ts';
import type { ClaimLimits } from '../../ports/matching/claim-limits.ts';
import type { MatchHistory } from '../../ports/matching/match-history.ts';

export interface Matching {
  readonly matchHistory: MatchHistory;
  readonly claimLimits: ClaimLimits;
}

export function openMatching(database: Database, { unmatchedClaims }: Config): Matching {
  return {
    matchHistory: makeMatchHistory(database),
    claimLimits: makeClaimLimits(database, unmatchedClaims),
  };
}
