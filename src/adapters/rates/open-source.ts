// Opens a source that RATES_FILE describes. Opening makes no call.
import type { Clock } from '../../ports/clock.ts';
import type { RateSource } from '../../ports/rates.ts';
import { fetchAnswer } from './fetch-answer.ts';
import type { SourceSettings } from './settings/source-row.ts';

export interface SourceDeps {
  readonly clock: Clock;
  /** The `user-agent` header, unless the settings contain another. */
  readonly userAgent: string;
}

export function openSource(settings: SourceSettings, { clock, userAgent }: SourceDeps): RateSource {
  const { name, kindName, kind, url, everyMs, ageLimitMs, timeoutMs, mostBytes } = settings;
  return {
    name,
    kind: kindName,
    everyMs,
    timeoutMs,
    ageLimitMs,
    read: async (signal) => {
      const headers = { 'user-agent': userAgent, ...settings.headers() };
      return kind.parse(await fetchAnswer({ url, headers, timeoutMs, mostBytes }, clock, signal));
    },
  };
}
