// Keeps one connection that listens for notifications. The connection is checked every second and replaced when it dies. Code
// that depends on every notification must not trust the connection while it may be dead.
import pg from 'pg';
import { type ConnectionSettings, waitAtMost } from './database.ts';

const HEARTBEAT_MS = 1_000;
const RECONNECT_MS = 250;

export interface NotificationListener {
  alive(): boolean;
  close(): Promise<void>;
}

export function openListener(options: {
  channel: string;
  connection: ConnectionSettings;
  onUp: () => Promise<unknown>;
  onDown: (error: Error) => void;
  onChange: (payload: string) => void;
}): NotificationListener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let up = false;
  let closed = false;

  const down = (error: Error) => {
    const dead = client;
    client = undefined;
    clearTimeout(timer);
    if (dead === undefined || closed) return;
    if (up) options.onDown(error);
    up = false;
    dead.end().catch(() => undefined);
    timer = setTimeout(connect, RECONNECT_MS);
  };
  const beat = (of: pg.Client) => {
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => client === of && beat(of),
        (error) => client === of && down(error),
      );
    }, HEARTBEAT_MS);
  };
  const connect = async () => {
    const fresh = new pg.Client({
      ...options.connection,
      application_name: 'sliproad-listen',
      connectionTimeoutMillis: HEARTBEAT_MS * 2,
      query_timeout: HEARTBEAT_MS * 2,
    });
    client = fresh;
    fresh.on('error', (error) => client === fresh && down(error));
    fresh.on('end', () => client === fresh && down(new Error('the listening connection ended')));
    fresh.on('notification', ({ payload }) => options.onChange(payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`listen ${pg.escapeIdentifier(options.channel)}`);
      await options.onUp(); // This reads after LISTEN took effect, so no change is missed.
      if (client !== fresh) return; // this connection has died in the meantime
      up = true;
      beat(fresh);
    } catch (error) {
      if (client === fresh) down(error as Error);
    }
  };
  void connect();
  return {
    alive: () => up && !closed,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      if (client !== undefined) await waitAtMost(client.end(), HEARTBEAT_MS);
    },
  };
}
