// Events for a business: a page of its log. Nothing outside the key's business and mode is ever found.
import type { BusinessEvent } from '../../domain/events/event.ts';
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { EventLog } from '../../ports/events/event-log.ts';
import { type Reader, scopeOf } from '../input/caller.ts';
import type { ListQuery } from '../input/list-query.ts';
import { parseEventsQuery } from './parse-events-query.ts';

export interface EventPage {
  readonly events: readonly BusinessEvent[];
  readonly nextCursor: string | null;
}

export async function listEvents(
  log: EventLog,
  caller: Reader,
  query: ListQuery,
): Promise<Result<EventPage, Refusal>> {
  const filter = parseEventsQuery(query);
  if (!filter.ok) return filter;
  const { limit } = filter.value;
  // One more than asked for tells whether there is a next page.
  const found = await log.list(scopeOf(caller), { ...filter.value, limit: limit + 1 });
  if (found === undefined) return fail(unknownCursor('cursor'));
  const events = found.slice(0, limit);
  return ok({ events, nextCursor: found.length > limit ? events.at(-1)!.id : null });
}

/** The same whether the event never was, or is of another business. */
export function unknownCursor(field: string): Refusal {
  const message = `${field} names no event of this business and mode. List the events to find where to go on: GET /events/v1.`;
  return fieldRefusal([{ field, code: 'cursor_invalid', message }]);
}
