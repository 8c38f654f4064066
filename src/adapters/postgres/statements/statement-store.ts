// Stores statement files, rows and days in PostgreSQL. An import has a separate connection with an advisory lock on its
// account.
import pg from 'pg';
import type { Mode } from '../../../domain/values/mode.ts';
import type { ImportSession, StatementStore } from '../../../ports/statements.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { ConnectionSettings, Database } from '../connection/database.ts';
import { listDoubts } from './doubts.ts';
import { makeImportSession, openStaging } from './import-session.ts';
import { DAY_COLUMNS, FILE_COLUMNS } from './rows.ts';
import { listUncertainPayments } from './uncertain-payments.ts';

export function makeStatementStore(database: Database, connection: ConnectionSettings): StatementStore {
  return {
    withImport: (mode, account, work) => withImport(connection, mode, account, work),
    listFiles: async ({ mode, account, limit }) => {
      const { rows } = await database.query({
        name: 'list-statement-files',
        text: `select ${FILE_COLUMNS.list()} from statement_files
          where ($1::text is null or mode = $1) and ($2::text is null or account = $2)
          order by started_at desc, id desc limit $3`,
        values: [mode ?? null, account ?? null, limit],
      });
      return rows.map(FILE_COLUMNS.read);
    },
    findFile: async (id) => {
      const { rows } = await database.query({
        name: 'find-statement-file',
        text: `select ${FILE_COLUMNS.list()} from statement_files where id = $1`,
        values: [id],
      });
      return rows[0] === undefined ? null : FILE_COLUMNS.read(rows[0]);
    },
    listDays: async ({ mode, account, fromDay, toDay, onlyOpen, limit }) => {
      const { rows } = await database.query({
        name: 'list-statement-days',
        text: `select ${DAY_COLUMNS.list()} from statement_days
          where ($1::text is null or mode = $1) and ($2::text is null or account = $2)
            and ($3::date is null or day >= $3) and ($4::date is null or day <= $4)
            and (not $5 or state = 'gap' or not complete)
          order by day desc, account limit $6`,
        values: [mode ?? null, account ?? null, fromDay ?? null, toDay ?? null, onlyOpen === true, limit],
      });
      return rows.map(DAY_COLUMNS.read);
    },
    listDoubts: (mode, limit) => listDoubts(database, mode, limit),
    listUncertain: (filter) => listUncertainPayments(database, filter),
  };
}

async function withImport<T>(
  connection: ConnectionSettings,
  mode: Mode,
  account: string,
  work: (session: ImportSession) => Promise<T>,
): Promise<T | undefined> {
  const client = new pg.Client({ ...connection, application_name: 'sliproad-statements' });
  client.on('error', () => undefined); // the query in progress reports it
  await client.connect().catch((error: Error) => {
    throw new StoreUnavailable(error.message, { cause: error, mayHaveActed: false });
  });
  try {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
      [`statements ${mode} ${account}`],
    );
    if (rows[0]?.held !== true) return undefined;
    await openStaging(client);
    return await work(makeImportSession(client, mode, account));
  } finally {
    await client.end();
  }
}
