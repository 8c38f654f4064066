// Describes a layout of a statement file and its expected result, and compares it with what the import stored in the database.

import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { type Database, openDatabase } from '../../src/adapters/postgres/connection/database.ts';
import { makeStatementStore } from '../../src/adapters/postgres/statements/statement-store.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { type ImportStatementDeps, importStatement } from '../../src/app/statements/import-statement.ts';
import type { StatementReaders } from '../../src/ports/statements.ts';
import { freshDatabase } from '../support/database.ts';
import { databaseTimeoutMs } from '../support/patience.ts';

/** `released`: the amounts in kobo of the rows that settlement may read, sorted as text. */
export type Expected =
  | {
      readonly kind: 'accepted';
      readonly released: readonly string[];
      readonly by: readonly ('side' | 'balance' | 'signs')[];
    }
  | { readonly kind: 'held'; readonly why: RegExp; readonly released?: readonly string[] }
  | { readonly kind: 'refused'; readonly why: RegExp };

export interface Layout {
  readonly name: string;
  readonly text: string;
  readonly expected: Expected;
}

export interface FoundLayout {
  readonly refusal: string | null;
  readonly reasons: readonly string[];
  readonly stored: readonly string[];
  readonly released: readonly string[];
  readonly by: readonly string[];
  readonly days: readonly string[];
  readonly files: readonly string[];
}

export async function importLayout(
  { database, deps }: Imports,
  account: string,
  text: string,
): Promise<FoundLayout> {
  const number = account.slice(account.indexOf(':') + 1);
  const result = await importStatement(deps, {
    account: { mode: 'test', account, number, vendorId: 'vnd_1' },
    ...{ name: 'file', profile: null, profileChange: false, dryRun: false, actor: 'os:test' },
    bytes: (async function* () {
      yield Buffer.from(text);
    })(),
  });
  const { rows } = await database.query<{ amount: string; released: boolean; by: string }>({
    text: `select amount_minor::text as amount, release_no is not null as released, direction_by as by
      from statement_rows where account = $1 order by 1`,
    values: [account],
  });
  const days = await deps.statements.listDays({ account, limit: 20 });
  const files = await deps.statements.listFiles({ account, limit: 20 });
  return {
    refusal: result.ok ? null : result.error.message,
    reasons: result.ok ? result.value.file.problems.list.map(({ reason }) => reason) : [],
    stored: rows.map(({ amount }) => amount),
    released: rows
      .filter(({ released }) => released)
      .map(({ amount }) => amount)
      .sort(),
    by: rows.map(({ by }) => by),
    days: days.map(({ day, state }) => `${day} ${state}`).sort(),
    files: files.map(({ state }) => state),
  };
}

const BOTH = ['-2500000', '4000000'];

export const bySide = (released: readonly string[] = BOTH): Expected => ({
  ...{ kind: 'accepted', released, by: ['side'] },
});
export const byBalance = (released: readonly string[] = BOTH): Expected => ({
  ...{ kind: 'accepted', released, by: ['balance'] },
});
export const refused = (why: RegExp): Expected => ({ kind: 'refused', why });
export const held = (why: RegExp): Expected => ({ kind: 'held', why });

// Imports statements into a separate database, without a running service.

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
  const source = { source: 'statements', others: false, version: 1 };
  const deps: ImportStatementDeps = {
    store: { creditSources: async (_, accounts) => new Map(accounts.map((each) => [each, source])) },
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
