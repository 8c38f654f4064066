// The bank rails that move real naira. What the file holds is checked when it is opened (adapters/banks/settings).
import type { SettingReader } from '../setting-reader.ts';

export interface BanksConfig {
  /** Null: no rail is configured; test mode has the simulated bank. */
  readonly banksFile: {
    readonly file: string;
    /** An environment variable that the file names: a secret of a rail. A function, so that a printed Config does not show it. */
    readonly variable: (name: string) => string | undefined;
  } | null;
}

export function readBanksConfig(settings: SettingReader): BanksConfig {
  const file = settings.location('BANKS_FILE');
  return { banksFile: file === null ? null : { file, variable: (name) => settings.variable(name) } };
}
