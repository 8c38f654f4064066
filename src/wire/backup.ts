// Backs up and restores the embedded database.
import type { Logger } from 'pino';
import { type BackupOptions, type BackupResult, backupEmbedded } from '../adapters/embedded/backup/backup.ts';
import {
  type RestoreOptions,
  type RestoreResult,
  restoreEmbedded,
} from '../adapters/embedded/backup/restore.ts';
import { makeBackOffice } from '../adapters/postgres/back-office/back-office.ts';
import { openDatabase } from '../adapters/postgres/connection/database.ts';
import { migrate } from '../adapters/postgres/connection/migrate.ts';
import type { Config } from '../config.ts';
import { serviceActor } from '../domain/people/actor.ts';

export function backupData(
  config: Config,
  log: Logger,
  targetDir: string,
  onProgress: NonNullable<BackupOptions['onProgress']>,
): Promise<BackupResult> {
  const { dataDir } = config;
  return backupEmbedded({
    dataDir,
    targetDir,
    onProgress,
    log: (message, detail) => log.info(detail, message),
  });
}

/**
 * A restored copy lacks everything that happened after the backup, so the restored service starts with money movements paused.
 */
export function restoreData(
  config: Config,
  log: Logger,
  sourceDir: string,
  onProgress: NonNullable<RestoreOptions['onProgress']>,
): Promise<RestoreResult> {
  return restoreEmbedded({
    dataDir: config.dataDir,
    sourceDir,
    onProgress,
    log: (message, detail) => log.info(detail, message),
    onRestored: async (connection) => {
      await migrate(connection);
      const database = openDatabase({
        connection,
        poolSize: 1,
        answerTimeoutMs: config.databaseTimeoutMs,
        applicationName: 'sliproad-restore',
        onError: (error) => log.warn({ err: error }, 'database connection'),
      });
      const doing = { actor: serviceActor('restore'), atMs: Date.now() };
      await makeBackOffice(database)
        .setMovementsPaused(true, 'restored from a backup', doing)
        .finally(() => database.close());
    },
  });
}
