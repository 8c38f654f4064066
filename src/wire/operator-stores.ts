// Opens what operators read from the database besides the records, on the pages and on the command line.
import type { NetworksFile } from '../adapters/networks/settings/networks-file.ts';
import type { Database } from '../adapters/postgres/connection/database.ts';
import { makeLedgerBook } from '../adapters/postgres/ledger/book.ts';
import { makeMatchHistory } from '../adapters/postgres/matching.ts';
import { makeOperationsStore } from '../adapters/postgres/operations/operations-store.ts';
import { makePrivacyStore } from '../adapters/postgres/privacy/privacy-store.ts';
import { makeClaimLimits } from '../adapters/postgres/reads/claim-limits.ts';
import { type CapsOf, makeTreasuryStore } from '../adapters/postgres/treasury/treasury-store.ts';
import { makePersonalHash } from '../adapters/secrets/secret-box.ts';
import type { Config } from '../config.ts';
import type { LedgerBook } from '../ports/ledger.ts';
import type { ClaimLimits, MatchHistory } from '../ports/matching.ts';
import type { OperationsStore } from '../ports/operations/operations-store.ts';
import type { SecretBox } from '../ports/people/credentials.ts';
import type { PersonalHash, PrivacyStore } from '../ports/privacy.ts';
import type { TreasuryStore } from '../ports/treasury.ts';

export interface OperatorStores {
  readonly operations: OperationsStore;
  readonly ledgerBook: LedgerBook;
  readonly treasuryDesk: TreasuryStore;
}

export function openOperatorStores(
  database: Database,
  { unknownPayoutMs }: Config,
  file: NetworksFile,
): OperatorStores {
  return {
    operations: makeOperationsStore(database, unknownPayoutMs),
    ledgerBook: makeLedgerBook(database),
    treasuryDesk: makeTreasuryStore(database, makeCapsLookup(file)),
  };
}

function makeCapsLookup({ networks }: NetworksFile): CapsOf {
  return (mode, network) => {
    const found = networks.find(({ settings }) => settings.mode === mode && settings.name === network);
    return (
      found && { perPaymentMinor: found.limits.perTransactionMinor, perDayMinor: found.limits.perDayMinor }
    );
  };
}

export interface MatchingStores {
  readonly matchHistory: MatchHistory;
  readonly claimLimits: ClaimLimits;
}

export function openMatchingStores(database: Database, { unmatchedClaims }: Config): MatchingStores {
  return {
    matchHistory: makeMatchHistory(database),
    claimLimits: makeClaimLimits(database, unmatchedClaims),
  };
}

export interface PrivacyParts {
  readonly privacy: PrivacyStore;
  readonly personalHash: PersonalHash;
}

export function openPrivacyParts(database: Database, box: SecretBox): PrivacyParts {
  const personalHash = makePersonalHash(box);
  return { privacy: makePrivacyStore(database, personalHash), personalHash };
}
