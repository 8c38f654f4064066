// Parses the query parameters that all lists have in common: a time, the page size and the cursor. The service refuses a
// parameter that occurs more than once.
import { parseInstant } from '../../domain/values/calendar.ts';
import type { FieldErrors } from './field-rules.ts';

export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** The query parameters as received. A name that occurs repeatedly has an array as its value. */
export type ListQuery = Readonly<Record<string, unknown>>;

export function singleParam(errors: FieldErrors, query: ListQuery, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  return errors.add(name, 'filter_invalid', `${name} appears more than once. Send it once.`);
}

export function parseTime(errors: FieldErrors, name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = parseInstant(text);
  return timeMs ?? errors.add(name, 'filter_invalid', `${name} must be a time such as 2026-11-14T09:30:00Z.`);
}

export function parseLimit(errors: FieldErrors, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  return errors.add('limit', 'filter_invalid', `limit must be a whole number from 1 to ${MAX_PAGE_SIZE}.`);
}

export function addCursorError(errors: FieldErrors): undefined {
  return errors.add('cursor', 'cursor_invalid', 'cursor must be a next_cursor from an earlier answer.');
}
