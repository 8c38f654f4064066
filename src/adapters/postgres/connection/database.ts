// Opens the pool of connections, and is the one place that decides whether an error means that the database is unavailable.
// Such an error becomes StoreUnavailable; every other error is a bug and is thrown unchanged. A result that the standby may not
// have is not returned (replication-doubt.ts).
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { ERASED_VALUES } from './erased-values.ts';
import { makeReplicationDoubt } from './replication-doubt.ts';

export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

export interface DatabaseOptions {
  readonly connection: ConnectionSettings;
  readonly poolSize: number;
  /** The time after which a missing response of the server is treated as lost. */
  readonly answerTimeoutMs: number;
  readonly applicationName: string;
  readonly onError: (error: Error) => void;
}

export interface Database {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  /** Runs the work in one transaction. If the work throws, the transaction is rolled back. */
  transaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// All statements of the service find their rows by an index. A plan that is made while a table is empty would scan the whole
// table, and would be kept while the table grows. Generic plans are enough, because every statement uses an index. A new plan
// for every batch would cost more than the batch. For a statement that takes a millisecond, compiling (jit) costs more than it
// saves.
const PLANNER = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c jit=off';

export function openDatabase(options: DatabaseOptions): Database {
  const { pool, close } = openPool(options);
  const checkedOut = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
    withPooledClient(pool, work, () => doubt.arise());
  const doubt = makeReplicationDoubt(checkedOut);
  pool.on('connect', (client) => doubt.watch(client));
  // This runs only after the connection was released, because ending the doubt about a commit needs a connection too.
  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const result = await checkedOut(work);
    await doubt.settled();
    return result;
  };
  return {
    query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig) =>
      withClient((client) => client.query<Row>(query)),
    transaction: (work) => withClient((client) => inTransaction(client, work)),
    close,
  };
}

function openPool(options: DatabaseOptions): { readonly pool: pg.Pool; close(): Promise<void> } {
  const pool = new pg.Pool({
    ...options.connection,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.answerTimeoutMs,
    query_timeout: options.answerTimeoutMs,
    keepAlive: true,
    options: PLANNER,
    types: ERASED_VALUES,
  });
  let closing = false;
  // If the server also stops while the pool closes, the server ends every connection with an error. This error is expected and
  // not reported.
  pool.on('error', (error) => {
    if (!closing) options.onError(error);
  });
  const open = new Set<pg.PoolClient>();
  // The pool removes its error listener when it hands out a connection, and the calling code adds another listener a moment
  // later. An error event between these two moments would have no listener and would end the process. With this listener, only
  // the next query fails.
  pool.on('connect', (client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    client.on('error', () => undefined);
  });
  const end = async () => {
    // `pool.end()` resolves when the pool has sent the messages that close the connections. A caller that then stops the server
    // needs every connection to be closed.
    const parting = [...open].map((client) => once(client, 'end'));
    await pool.end();
    await Promise.all(parting);
  };
  const close = () => {
    closing = true;
    return waitAtMost(end(), options.answerTimeoutMs);
  };
  return { pool, close };
}

/** The function calls `onUnknown` when the response was lost and the work may have been committed. */
async function withPooledClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  onUnknown: () => void,
): Promise<T> {
  const client = await pool.connect().catch((error) => rethrowUnavailable(error, false));
  let broken: Error | undefined;
  // A connection that dies while it is in use emits an error here and fails the query. Without this listener the error would be
  // thrown.
  const onClientError = (error: Error) => {
    broken = error;
  };
  client.on('error', onClientError);
  try {
    return await work(client);
  } catch (error) {
    if (isUnavailable(error)) broken = error as Error;
    try {
      return rethrowUnavailable(error, true);
    } catch (thrown) {
      if (thrown instanceof StoreUnavailable && thrown.mayHaveActed) onUnknown();
      throw thrown;
    }
  } finally {
    client.off('error', onClientError);
    client.release(broken);
  }
}

async function inTransaction<T>(
  client: pg.ClientBase,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    if (!isUnavailable(error)) await client.query('rollback');
    throw error;
  }
}

/**
 * A connection closes when the server closes its side. A server that does not respond never does this, so the time is limited.
 */
export async function waitAtMost(parting: Promise<unknown>, timeoutMs: number): Promise<void> {
  await Promise.race([parting.catch(() => undefined), sleep(timeoutMs, undefined, { ref: false })]);
}

/** SQLSTATE classes that mean a problem of the server and not of the statement. */
const AWAY_STATES = /^(08|53|57P|58|XX001|25006)/;

/** Error codes of sockets, name lookup and closed streams. Other ERR_… codes are bugs in the service. */
const AWAY_CODES = /^(E(?!RR_)[A-Z_]+|ERR_(STREAM|SOCKET)_[A-Z_]+)$/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== undefined) return AWAY_STATES.test(state);
  const { code } = error as { code?: unknown };
  return typeof code === 'string'
    ? AWAY_CODES.test(code)
    : /timeout|terminated|connection|not queryable/i.test(error.message);
}

/** SQLSTATE codes with which the server reports that it changed nothing, because it has no resources left or is read-only. */
const ROLLED_BACK = /^(53|25006)/;

function rethrowUnavailable(error: unknown, mayHaveActed: boolean): never {
  if (error instanceof StoreUnavailable) throw error;
  if (isUnavailable(error)) {
    const acted = mayHaveActed && !ROLLED_BACK.test(sqlState(error) ?? '');
    throw new StoreUnavailable((error as Error).message, { cause: error, mayHaveActed: acted });
  }
  throw error;
}

/**
 * Returns the SQLSTATE of an error that the server itself returned. The code EPIPE of a socket has the same form, so the class
 * of the error is checked.
 */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export async function isSuperuser(database: Database): Promise<boolean> {
  const { rows } = await database.query({
    text: 'select from pg_roles where rolname = current_user and rolsuper',
  });
  return rows.length > 0;
}
