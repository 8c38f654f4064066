// The date from which on a rail reads money that came in.
import { lagosDay } from '../../../domain/values/calendar.ts';
import type { OptionReader } from './options.ts';

const DATE = { pattern: /^20\d\d-[01]\d-[0-3]\d$/, what: 'a date such as "2026-11-30"' };

/** Midnight in Lagos; null: it is left out, and nothing is read. */
export function readCreditsFrom(options: OptionReader): number | null {
  const date = options.optionalText('credits_from', DATE);
  if (date === null || date === '') return null;
  const ms = Date.parse(`${date}T00:00:00+01:00`);
  // A day that the month does not have would be read as one of the next month.
  if (!Number.isNaN(ms) && lagosDay(ms) === date) return ms;
  options.problem('credits_from', 'must be a date of the calendar');
  return null;
}
