// Each process that uses the embedded database holds a shared advisory lock on a separate session. Only the process that gets
// the exclusive lock may stop the server. So a process cannot stop the server while another process uses it.
import type pg from 'pg';
import { codeOf, EmbeddedError, messageOf } from '../files/errors.ts';
import { connectMaintenance, type EmbeddedConnection } from './connection.ts';
import { isHandedOver, prepareRoles } from './roles.ts';

export interface ServerHold {
  readonly client: pg.Client;
  readonly lost: boolean;
  onLost(listener: () => void): void;
  /** After this call, the session no longer keeps a finished process alive. */
  rest(): void;
  /** Releases the shared lock and tries to get the exclusive lock. */
  giveUp(): Promise<'exclusive' | 'others' | 'lost'>;
  close(): Promise<void>;
}

// Advisory lock numbers are per database, and only the processes of the service use this database. The value has no meaning.
const lockKey = [0x51_1b, 0x0a_d0];

/** Returns the hold on the server, or a text that says what the process still waits for. Throws if waiting would not help. */
export async function takeHold(
  connection: EmbeddedConnection,
  letIn: () => boolean,
): Promise<ServerHold | { readonly notYet: string }> {
  let client: pg.Client | undefined;
  try {
    client = await connectAsService(connection, letIn);
    if (client === undefined) return { notYet: 'the server to know the role of the service' };
    const { rows } = await client.query('select pg_try_advisory_lock_shared($1, $2) as held', lockKey);
    if (rows[0]?.held === true) {
      // This runs while the lock is held, so that no other process stops the server in the meantime.
      if (!(await isHandedOver(client))) await prepareRoles(connection);
      return makeServerHold(client);
    }
    await client.end();
    return { notYet: 'another process is stopping the database' };
  } catch (error) {
    await client?.end().catch(() => {});
    if (!isFinal(error)) return { notYet: messageOf(error) };
    throw new EmbeddedError(
      'access_refused',
      `The embedded database runs but refuses access to this process: ${messageOf(error)}. ` +
        'Run as the user that started it, or stop it and start again.',
      error,
    );
  }
}

/** The service's role may be missing: on a first start, and on a server of an earlier release. */
async function connectAsService(
  connection: EmbeddedConnection,
  letIn: () => boolean,
): Promise<pg.Client | undefined> {
  try {
    return await connectMaintenance(connection, 'sliproad-hold');
  } catch (error) {
    if (codeOf(error) !== '28000') throw error;
    // If the process can connect as the superuser, its user has access. Then the service's role will soon be able to connect.
    if (!letIn()) await prepareRoles(connection);
    return undefined;
  }
}

/**
 * True only for errors that a retry would not change: access denied or missing rights. A stopping server can return any other
 * error.
 */
const isFinal = (error: unknown): boolean =>
  /^(28...|3D000|42501|EACCES|EPERM|ENOTSOCK)$/.test(codeOf(error) ?? '');

function makeServerHold(client: pg.Client): ServerHold {
  let lost = false;
  const listeners: (() => void)[] = [];
  const lose = () => {
    if (lost) return;
    lost = true;
    for (const listener of listeners) listener();
  };
  client.on('error', lose);
  client.on('end', lose);
  // @types/pg lacks these methods. While a query is running, the session must keep the process alive again.
  const counting = client as unknown as { ref(): void; unref(): void };
  return {
    client,
    get lost() {
      return lost;
    },
    onLost: (listener) => {
      listeners.push(listener);
      if (lost) listener();
    },
    rest: () => counting.unref(),
    giveUp: async () => {
      counting.ref();
      try {
        await client.query('select pg_advisory_unlock_shared($1, $2)', lockKey);
        const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as held', lockKey);
        return rows[0]?.held === true ? 'exclusive' : 'others';
      } catch {
        return 'lost';
      }
    },
    close: async () => {
      counting.ref();
      await client.end().catch(() => {});
    },
  };
}
