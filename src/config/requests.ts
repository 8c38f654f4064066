// How long the log of requests is kept, and personal data of customers after what it is about is over.
import type { SettingReader } from './setting-reader.ts';

export interface RequestsConfig {
  readonly requestLogKeepMs: number;
  /** Null: it is kept. */
  readonly personalDataKeepMs: number | null;
}

const DAY_MS = 86_400_000;

export function readRequestsConfig(settings: SettingReader): RequestsConfig {
  const requestLogKeepMs =
    settings.integer('REQUEST_LOG_DAYS', { fallback: 30, min: 1, max: 3_650 }) * DAY_MS;
  const days = settings.integer('PERSONAL_DATA_DAYS', { fallback: 0, min: 0, max: 36_500 });
  return { requestLogKeepMs, personalDataKeepMs: days === 0 ? null : days * DAY_MS };
}
