// Where rates come from in live mode. What the file holds is checked when it is opened (adapters/rates/settings).
import type { SettingReader } from './setting-reader.ts';

export interface RatesConfig {
  /** Null: there are no sources, and every product is priced from the desk alone. */
  readonly rates: {
    readonly file: string;
    /** An environment variable that the file names: the key of a source. A function, so that a printed Config does not show it. */
    readonly variable: (name: string) => string | undefined;
  } | null;
}

export function readRatesConfig(settings: SettingReader): RatesConfig {
  const file = settings.location('RATES_FILE');
  return { rates: file === null ? null : { file, variable: (name) => settings.variable(name) } };
}
