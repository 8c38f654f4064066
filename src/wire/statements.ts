// Opens the storage and the reader of statement files. Statement files are also a rail of settlement, which reports imported
// rows and makes no payouts.
import type { ConnectionSettings, Database } from '../adapters/postgres/connection/database.ts';
import { makeStatementsRail, STATEMENTS_RAIL } from '../adapters/postgres/statements/statement-feed.ts';
import { makeStatementStore } from '../adapters/postgres/statements/statement-store.ts';
import { readColumnProfiles } from '../adapters/statements/csv/column-profile.ts';
import { makeThreadedReaders } from '../adapters/statements/thread/threaded-readers.ts';
import type { Config } from '../config.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { Rail, RailRegistry } from '../ports/rails/rail.ts';
import type { StatementReaders, StatementStore } from '../ports/statements.ts';
import { lazy } from './lazy.ts';

export interface StatementParts {
  readonly statements: StatementStore;
  readonly statementReaders: StatementReaders;
}

/** The service reports an invalid profiles file only when it reads a statement, because nothing else needs that file. */
export function openStatements(
  { statementProfilesFile, statementReading }: Pick<Config, 'statementProfilesFile' | 'statementReading'>,
  database: Database,
  connection: ConnectionSettings,
): StatementParts {
  const readers = lazy(() =>
    makeThreadedReaders(readColumnProfiles(statementProfilesFile), statementReading),
  );
  return {
    statements: makeStatementStore(database, connection),
    statementReaders: {
      open: (bytes, profile, preferred) => readers().open(bytes, profile, preferred),
      profiles: () => readers().profiles(),
    },
  };
}

/** The statements rail comes last, and both modes have it, because people can import files at any time. */
export function addStatementsRail(banks: RailRegistry, database: Database): RailRegistry {
  const rails: Readonly<Record<Mode, Rail>> = {
    live: makeStatementsRail(database, 'live'),
    test: makeStatementsRail(database, 'test'),
  };
  return {
    find: (mode, rail) => (rail === STATEMENTS_RAIL ? rails[mode] : banks.find(mode, rail)),
    enabled: (mode) => [...banks.enabled(mode), rails[mode]],
  };
}
