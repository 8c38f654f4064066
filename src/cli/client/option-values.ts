// Values of options that several client commands take.
import { UsageError } from '../terminal/failure.ts';

/** `2026-11-16`, `2026-11-16T05:00:00Z`. A time without a zone is one of this machine; a date is its midnight, in UTC. */
export function timeOption(value: string, name: string): string {
  const time = Date.parse(value);
  if (/^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(time)) return new Date(time).toISOString();
  throw new UsageError(`${name} must be a date or a time such as 2026-11-16 or 2026-11-16T05:00:00Z.`);
}
