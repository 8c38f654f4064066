// What operators read of the database besides the records: on the pages and on the command line.
import type { NetworksFile } from '../../adapters/networks/settings/file.ts';
import type { Database } from '../../adapters/postgres/connection/database.ts';
import { makeLedgerBook } from '../../adapters/postgres/ledger/book.ts';
import { makeOperationsDesk } from '../../adapters/postgres/operations/operations-desk.ts';
import { type CapsOf, makeTreasuryDesk } from '../../adapters/postgres/treasury/treasury-desk.ts';
import type { Config } from '../../config.ts';
import type { LedgerBook } from '../../ports/ledger/ledger-book.ts';
import type { OperationsDesk } from '../../ports/operations/operations-desk.ts';
import type { TreasuryDesk } from '../../ports/treasury/treasury-desk.ts';

export interface OperatorReads {
  readonly operations: OperationsDesk;
  readonly ledgerBook: LedgerBook;
  readonly treasuryDesk: TreasuryDesk;
}

export function openOperatorReads(
  database: Database,
  { unknownPayoutMs }: Config,
  file: NetworksFile,
): OperatorReads {
  return {
    operations: makeOperationsDesk(database, unknownPayoutMs),
    ledgerBook: makeLedgerBook(database),
    treasuryDesk: makeTreasuryDesk(database, capsOf(file)),
  };
}

function capsOf({ networks }: NetworksFile): CapsOf {
  return (mode, network) => {
    const found = networks.find(({ settings }) => settings.mode === mode && settings.name === network);
    return (
      found && { perPaymentMinor: found.limits.perTransactionMinor, perDayMinor: found.limits.perDayMinor }
    );
  };
}
