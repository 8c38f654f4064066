// The pool of connections, and the one place that tells "the database is away" from a bug: the first becomes
// StoreUnavailable, everything else stays what it is.
import pg from 'pg';
import { StoreUnavailable } from '../../ports/store.ts';

export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

export interface DatabaseOptions {
  readonly connection: ConnectionSettings;
  readonly poolSize: number;
  /** An answer that takes longer is treated as lost. */
  readonly answerTimeoutMs: number;
  readonly applicationName: string;
  readonly onError: (error: Error) => void;
}

export interface Database {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  /** Runs the work in one transaction; rolls back when it throws. */
  transaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// Every statement of ours finds its rows by an index. A plan made while a table was still empty would read it from end
// to end, and be kept while the table grows; compiling a statement that takes a millisecond does not pay either.
const PLANNER = '-c enable_seqscan=off -c jit=off';

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...options.connection,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.answerTimeoutMs,
    query_timeout: options.answerTimeoutMs,
    keepAlive: true,
    options: PLANNER,
  });
  pool.on('error', options.onError);

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error) => rethrow(error, false));
    let broken: Error | undefined;
    // A connection that dies while checked out reports it here as well as to the query; unheard, it would throw.
    const onClientError = (error: Error) => {
      broken = error;
    };
    client.on('error', onClientError);
    try {
      return await work(client);
    } catch (error) {
      if (isAway(error)) broken = error as Error;
      return rethrow(error, true);
    } finally {
      client.off('error', onClientError);
      client.release(broken);
    }
  };

  return {
    query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig) =>
      withClient((client) => client.query<Row>(query)),
    transaction: (work) =>
      withClient(async (client) => {
        await client.query('begin');
        try {
          const result = await work(client);
          await client.query('commit');
          return result;
        } catch (error) {
          if (!isAway(error)) await client.query('rollback');
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}

/** SQLSTATE classes in which the server, not the statement, is the trouble. */
const AWAY_STATES = /^(08|53|57P|58|XX001|25006)/;

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return AWAY_STATES.test(code);
  // No SQLSTATE: the socket, a time-out or the driver's own word that the connection is gone.
  return typeof code === 'string'
    ? /^E[A-Z]+$/.test(code)
    : /timeout|terminated|connection|not queryable/i.test(error.message);
}

function rethrow(error: unknown, mayHaveActed: boolean): never {
  if (error instanceof StoreUnavailable) throw error;
  if (isAway(error)) throw new StoreUnavailable((error as Error).message, { cause: error, mayHaveActed });
  throw error;
}

/** The SQLSTATE of a database error, for the few that mean something to us. */
export function sqlState(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
