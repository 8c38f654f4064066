// Imports of statements into a separate database, without a service.
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { type Database, openDatabase } from '../../src/adapters/postgres/connection/database.ts';
import { makeStatementStore } from '../../src/adapters/postgres/statements/statement-store.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import type { ImportStatementDeps } from '../../src/app/statements/import-statement.ts';
import type { StatementReaders } from '../../src/ports/statements.ts';
import { freshDatabase } from '../support/database.ts';
import { databaseTimeoutMs } from '../support/patience.ts';

export interface Imports {
  readonly database: Database;
  readonly deps: ImportStatementDeps;
  readonly close: () => Promise<void>;
}

/** `needsConfirmation`: unverified profiles wait for people, as in the product. Otherwise a test uses them at once. */
export async function openImports(needsConfirmation = false): Promise<Imports> {
  const connection = { connectionString: await freshDatabase() };
  const database = openDatabase({
    ...{ connection, poolSize: 2, answerTimeoutMs: databaseTimeoutMs(), applicationName: 'test' },
    onError: () => undefined,
  });
  let made = 0;
  const readers = makeStatementReaders(null);
  const deps: ImportStatementDeps = {
    statements: makeStatementStore(database, connection),
    ...{ statementReaders: needsConfirmation ? readers : trustProfiles(readers), banks: loadBankDirectory() },
    clock: { now: () => Date.parse('2026-11-17T10:00:00Z') + ++made },
    entropy: { bytes: (count: number) => new Uint8Array(count).fill(++made % 256) },
  };
  return { database, deps, close: () => database.close() };
}

/** For tests of files, to which the confirmation of profiles does not belong. */
export function trustProfiles(readers: StatementReaders): StatementReaders {
  return {
    ...readers,
    open: async (bytes, profile, preferred) => ({
      ...(await readers.open(bytes, profile, preferred)),
      isUnverified: false,
    }),
  };
}
