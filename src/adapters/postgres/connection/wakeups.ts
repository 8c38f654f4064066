// Notifies the other processes on this database that there may be work, and receives their notifications. Notifications are
// only hints. If one is lost, the next poll of the queues finds the work.
import type { ConnectionSettings, Database } from './database.ts';
import { openListener } from './listener.ts';

/** A notification makes a commit slower. So all events within this time share one notification. */
const AT_MOST_EVERY_MS = 50;

export interface Wakeups {
  wake(): void;
  close(): Promise<void>;
}

export function openWakeups(options: {
  readonly database: Database;
  readonly connection: ConnectionSettings;
  readonly channel: string;
  /** The name of this process. The process ignores its own notifications. */
  readonly name: string;
  readonly onWake: () => void;
  readonly onError: (error: Error) => void;
}): Wakeups {
  const { database, connection, channel, name, onWake, onError } = options;
  const listener = openListener({
    channel,
    connection,
    onUp: async () => onWake(),
    onDown: onError,
    onChange: (payload) => {
      if (payload !== name) onWake();
    },
  });
  let waiting = false;
  return {
    wake: () => {
      if (waiting) return;
      waiting = true;
      setTimeout(() => {
        waiting = false;
        database
          .query({ name: 'wake-others', text: 'select pg_notify($1, $2)', values: [channel, name] })
          .catch(onError);
      }, AT_MOST_EVERY_MS).unref();
    },
    close: () => listener.close(),
  };
}
