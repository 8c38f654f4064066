// How many streams of events one process keeps open.
import type { SettingReader } from './setting-reader.ts';

export interface EventsConfig {
  readonly maxStreams: number;
  readonly streamsPerKey: number;
}

export function readEventsConfig(settings: SettingReader): EventsConfig {
  const count = (name: string, fallback: number) =>
    settings.integer(name, { fallback, min: 1, max: 1_000_000 });
  return { maxStreams: count('MAX_STREAMS', 2_000), streamsPerKey: count('STREAMS_PER_KEY', 100) };
}
