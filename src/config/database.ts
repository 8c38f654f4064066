// Settings for where data is stored: in the operator's own PostgreSQL, or in the embedded database in DATA_DIR.
import path from 'node:path';
import type { SettingReader } from './setting-reader.ts';

export interface DatabaseConfig {
  readonly dataDir: string;
  /** Null: the service uses the embedded database in dataDir. */
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

/** The file with the keys that encrypt stored secrets, and the file in which the command line keeps its sessions. */
export interface SecretsConfig {
  readonly secretsKeyFile: string;
  /** Null: the session file is in the configuration directory of the operating-system user. */
  readonly cliSessionFile: string | null;
}

export function readSecretsConfig(
  settings: SettingReader,
  { dataDir, databaseUrl }: Pick<DatabaseConfig, 'dataDir' | 'databaseUrl'>,
): SecretsConfig {
  const named = settings.location('SECRETS_KEY_FILE');
  // Several machines may share one database. A key that one machine generates would not work on the other machines.
  settings.require(
    named !== null || databaseUrl === null,
    ['SECRETS_KEY_FILE', 'DATABASE_URL'],
    'must name the key file when DATABASE_URL is set: the same file on every machine. Create one with: bin/sliproad secrets make-key FILE',
  );
  return {
    secretsKeyFile: named ?? path.join(dataDir, 'secrets-key'),
    cliSessionFile: settings.location('CLI_SESSION_FILE'),
  };
}
