// How a process connects to the embedded server: through its local socket, with the service's role.
import pg from 'pg';
import { databaseName, maintenanceDatabase, serviceRole } from './settings.ts';

/** Settings for node-postgres. `ssl` is set explicitly, because PGSSLMODE would otherwise break a local socket. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

export const makeEmbeddedConnection = (host: string, port: number): EmbeddedConnection => ({
  host,
  port,
  user: serviceRole,
  database: databaseName,
  ssl: false,
});

const connectTimeoutMs = 5_000;

/** Opens a session for coordination between processes. It is not on the service's database, and it has no time limit. */
export async function connectMaintenance(connection: EmbeddedConnection, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    database: maintenanceDatabase,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A lost connection emits an error event. Without a listener, this event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('set idle_session_timeout = 0; set statement_timeout = 0; set lock_timeout = 0');
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
