// Each process that uses the embedded database holds a shared advisory lock on a session of its own. The rule: only
// the process that gets that lock exclusively may stop the server, so none stops it while another uses it.
import type pg from 'pg';
import { codeOf, EmbeddedError, messageOf } from '../files/errors.ts';
import { connectMaintenance, type EmbeddedConnection } from './connection.ts';
import { isHandedOver, prepareRoles } from './roles.ts';

export interface ServerHold {
  readonly client: pg.Client;
  readonly lost: boolean;
  onLost(listener: () => void): void;
  /** From now on the session does not keep an otherwise finished process alive. */
  rest(): void;
  /** Gives up the shared lock and asks for the exclusive one. */
  giveUp(): Promise<'exclusive' | 'others' | 'lost'>;
  close(): Promise<void>;
}

// Advisory lock numbers are per database and only ours use this one; the value itself means nothing.
const lockKey = [0x51_1b, 0x0a_d0];

/** The hold, or what it still waits for. Throws when waiting would not help. */
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
      // Under the lock, so that the server is not stopped meanwhile.
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
      `The embedded database runs but does not let this process in: ${messageOf(error)}. ` +
        'Run as the user that started it, or stop it and start again.',
      error,
    );
  }
}

/** The role is missing on a first start, and unknown to a server that an earlier release started. */
async function connectAsService(
  connection: EmbeddedConnection,
  letIn: () => boolean,
): Promise<pg.Client | undefined> {
  try {
    return await connectMaintenance(connection, 'sliproad-hold');
  } catch (error) {
    if (codeOf(error) !== '28000') throw error;
    // That we come in as the superuser shows that this user may: what the service's role waits for is on its way.
    if (!letIn()) await prepareRoles(connection);
    return undefined;
  }
}

/** Only an answer that would be the same next time: not let in, or no right to do it. A dying server says anything. */
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
  // @types/pg does not know these. While an answer is awaited, the session has to count again.
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
