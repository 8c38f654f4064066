// Where data is stored: the operator's own PostgreSQL, or the embedded one in DATA_DIR.
import path from 'node:path';
import type { SettingReader } from './setting-reader.ts';

export interface DatabaseConfig {
  readonly dataDir: string;
  /** Null: the embedded database in dataDir. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly databaseTimeoutMs: number;
}

export function readDatabaseConfig(settings: SettingReader): DatabaseConfig {
  return {
    dataDir: settings.location('DATA_DIR') ?? path.resolve('data'),
    databaseUrl: settings.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: settings.integer('DATABASE_POOL_SIZE', { fallback: 10, min: 3, max: 500 }),
    databaseTimeoutMs: settings.integer('DATABASE_TIMEOUT_MS', { fallback: 5_000, min: 100, max: 60_000 }),
  };
}
