// Statement files: column profiles of the operator, and how large an upload may be.
import type { SettingReader } from '../setting-reader.ts';

export interface StatementsConfig {
  /** Null: only the profiles that are shipped. */
  readonly statementProfilesFile: string | null;
  readonly statementMaxBytes: number;
}

export function readStatementsConfig(settings: SettingReader): StatementsConfig {
  return {
    statementProfilesFile: settings.location('STATEMENT_PROFILES_FILE'),
    statementMaxBytes: settings.integer('STATEMENT_MAX_BYTES', {
      ...{ fallback: 200_000_000, min: 10_000, max: 10_000_000_000 },
    }),
  };
}
