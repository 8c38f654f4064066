// Opens the database server, embedded or provided by the operator, and applies its migrations.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openEmbedded } from '../adapters/embedded/server/open.ts';
import { type ConnectionSettings, openDatabase } from '../adapters/postgres/connection/database.ts';
import { migrate } from '../adapters/postgres/connection/migrate.ts';
import { startDatabaseClock } from '../adapters/system.ts';
import { type Config, ConfigError } from '../config.ts';
import type { CloseStack } from './close-stack.ts';

export const START_PATIENCE_MS = 30_000;

export async function openMigratedDatabase(closing: CloseStack, config: Config, log: Logger) {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection');
  const connection = await openDatabaseServer(closing, config, log);
  const applied = await retryUntilUp(log, () => migrate(connection, undefined, (text) => log.warn(text)));
  if (applied.length > 0) log.info({ migrations: applied }, 'migrated');
  const database = openDatabase({
    connection,
    poolSize: config.databasePoolSize,
    answerTimeoutMs: config.databaseTimeoutMs,
    applicationName: 'sliproad',
    onError,
  });
  closing.add(() => database.close());
  return { connection, migrated: applied, database, clock: await startDatabaseClock(database, onError) };
}

async function openDatabaseServer(
  closing: CloseStack,
  config: Config,
  log: Logger,
): Promise<ConnectionSettings> {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl };
  const embedded = await openEmbedded({
    dataDir: config.dataDir,
    log: (message, detail) => log.info({ ...detail }, message),
  });
  closing.add(() => embedded.release());
  return embedded.connection;
}

/**
 * If the database is missing or refuses the connection, the operator must see the name of the setting instead of a stack trace.
 */
export function explainDatabaseError(error: NodeJS.ErrnoException): Error {
  const { code = '', message } = error;
  if (!/^(08|28|3D|53|57P|42501|E[A-Z_]+$)/.test(code)) return error;
  return new ConfigError(`The database at DATABASE_URL cannot be used: ${message || code}.`, {
    cause: error,
  });
}

/**
 * The operator's database server may start at the same time as the service, so the service tries again until the server is up.
 */
async function retryUntilUp<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + START_PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const away = /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|57P03)$/.test(code ?? '');
      if (!away || performance.now() > giveUpAt) throw error;
      if (attempt === 1) log.warn({ code }, 'waiting for the database');
      await sleep(500);
    }
  }
}
