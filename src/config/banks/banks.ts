// The bank rails that move real naira, and the statement files of bank accounts. What files hold is checked when they are opened
// (adapters/banks/settings, adapters/statements).
import type { SettingReader } from '../setting-reader.ts';

export interface BanksConfig {
  /** Null: no rail is configured; test mode has the simulated bank. */
  readonly banksFile: {
    readonly file: string;
    /** An environment variable that the file names: a secret of a rail. A function, so that a printed Config does not show it. */
    readonly variable: (name: string) => string | undefined;
  } | null;
  /** Column profiles of statement files; null: only those that are shipped. */
  readonly statementProfilesFile: string | null;
  /** Of an upload. */
  readonly statementMaxBytes: number;
}

export function readBanksConfig(settings: SettingReader): BanksConfig {
  const file = settings.location('BANKS_FILE');
  return {
    banksFile: file === null ? null : { file, variable: (name) => settings.variable(name) },
    statementProfilesFile: settings.location('STATEMENT_PROFILES_FILE'),
    statementMaxBytes: settings.integer('STATEMENT_MAX_BYTES', {
      ...{ fallback: 200_000_000, min: 10_000, max: 10_000_000_000 },
    }),
  };
}
