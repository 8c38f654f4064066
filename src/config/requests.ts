// How long the log of requests is kept.
import type { SettingReader } from './setting-reader.ts';

export interface RequestsConfig {
  readonly requestLogKeepMs: number;
}

const DAY_MS = 86_400_000;

export function readRequestsConfig(settings: SettingReader): RequestsConfig {
  return {
    requestLogKeepMs: settings.integer('REQUEST_LOG_DAYS', { fallback: 30, min: 1, max: 3_650 }) * DAY_MS,
  };
}
