// The pool of connections, and the one place that tells "the database is away" from a bug: the first becomes
// StoreUnavailable, everything else stays what it is. What may not be on the standby is not answered (replication-doubt.ts).
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailable } from '../../../ports/store/unavailable.ts';
import { makeReplicationDoubt } from './replication-doubt.ts';

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
// to end, and be kept while the table grows. For the same reason a plan never needs a look at the values: making one anew
// for every batch would cost more than the batch. Compiling a statement that takes a millisecond does not pay either.
const PLANNER = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c jit=off';

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
  let closing = false;
  // On the way out a server that stops meanwhile says so on every connection: that is no trouble.
  pool.on('error', (error) => {
    if (!closing) options.onError(error);
  });
  const open = new Set<pg.PoolClient>();
  // The pool stops listening when it hands a connection out, and whoever gets it hears of it a moment later: a server
  // that hangs up in between would be an error nobody listens to, and end the process. The query that follows fails.
  pool.on('connect', (client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    client.on('error', () => undefined);
    doubt.watch(client);
  });

  const checkedOut = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
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
      try {
        return rethrow(error, true);
      } catch (thrown) {
        if (thrown instanceof StoreUnavailable && thrown.mayHaveActed) doubt.arise();
        throw thrown;
      }
    } finally {
      client.off('error', onClientError);
      client.release(broken);
    }
  };

  const doubt = makeReplicationDoubt(checkedOut);
  // Only after the connection was given back: whoever settles the doubt needs one.
  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const result = await checkedOut(work);
    await doubt.settled();
    return result;
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
    close: () => {
      closing = true;
      // The pool has only sent its farewells when it says that it has ended; whoever stops the server waits for the rest.
      const ended = async () => {
        const parting = [...open].map((client) => once(client, 'end'));
        await pool.end();
        await Promise.all(parting);
      };
      return withoutWaitingFor(ended(), options.answerTimeoutMs);
    },
  };
}

/** Parting waits for the server to hang up, which one that does not answer never does. */
export async function withoutWaitingFor(parting: Promise<unknown>, timeoutMs: number): Promise<void> {
  await Promise.race([parting.catch(() => undefined), sleep(timeoutMs, undefined, { ref: false })]);
}

/** SQLSTATE classes in which the server, not the statement, is the trouble. */
const AWAY_STATES = /^(08|53|57P|58|XX001|25006)/;

/** Of the socket, of name look-up, or of a stream that is closed already; other ERR_… are mistakes of ours. */
const AWAY_CODES = /^(E(?!RR_)[A-Z_]+|ERR_(STREAM|SOCKET)_[A-Z_]+)$/;

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== undefined) return AWAY_STATES.test(state);
  const { code } = error as { code?: unknown };
  // No code: a time-out, or the driver's own word that the connection is gone.
  return typeof code === 'string'
    ? AWAY_CODES.test(code)
    : /timeout|terminated|connection|not queryable/i.test(error.message);
}

/** No room, or no writing here: the server itself says that it did nothing. */
const ROLLED_BACK = /^(53|25006)/;

function rethrow(error: unknown, mayHaveActed: boolean): never {
  if (error instanceof StoreUnavailable) throw error;
  if (isAway(error)) {
    const acted = mayHaveActed && !ROLLED_BACK.test(sqlState(error) ?? '');
    throw new StoreUnavailable((error as Error).message, { cause: error, mayHaveActed: acted });
  }
  throw error;
}

/** The SQLSTATE when the server itself answered with an error. EPIPE looks like one, so the form is not enough. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether our own role may do anything on the server: more than the service needs. */
export async function isSuperuser(database: Database): Promise<boolean> {
  const { rows } = await database.query({
    text: 'select from pg_roles where rolname = current_user and rolsuper',
  });
  return rows.length > 0;
}
