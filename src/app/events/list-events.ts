// Returns a page of events to a business. It never returns data of another business or mode than those of the key.
import {
  type BusinessEvent,
  EVENT_TYPES,
  type EventType,
  isEventId,
  isSubscribedTo,
  isSubscription,
} from '../../domain/events/event.ts';
import { isId } from '../../domain/values/ids.ts';
import { findNearestWord } from '../../domain/values/nearest-word.ts';
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { EventFilter, EventLog } from '../../ports/events.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import {
  DEFAULT_PAGE_SIZE,
  type ListQuery,
  parseLimit,
  parseTime,
  singleParam,
} from '../input/list-query.ts';

// Parses a request for events, from the query and the header last-event-id. It reads the types, a transaction, a time, a page,
// and the event after which to continue. The service refuses every invalid value with a hint.

/** Lists and streams never contain an event of type webhook.test, because it is for one endpoint only. */
const LISTED_TYPES = EVENT_TYPES.filter((type) => type !== 'webhook.test');
const KNOWN_TYPES = ['transaction.*', ...LISTED_TYPES];
const TYPE_HINT =
  'Use a type such as transaction.completed, or transaction.* for all types of a transaction; the API reference at /docs lists them.';

function parseEventsQuery(query: ListQuery): Result<EventFilter, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string) => singleParam(errors, query, name);
  const types = parseTypes(errors, query.type);
  const transactionId = parseTransactionId(errors, text('transaction_id'));
  const fromMs = parseTime(errors, 'from', text('from'));
  const toMs = parseTime(errors, 'to', text('to'));
  const newestFirst = parseOrder(errors, text('order'));
  const limit = parseLimit(errors, text('limit'));
  const after = parseCursor(errors, text('cursor'));
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  return ok({
    limit: limit ?? DEFAULT_PAGE_SIZE,
    ...(types !== undefined && { types }),
    ...(transactionId !== undefined && { transactionId }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(newestFirst !== undefined && { newestFirst }),
    ...(after !== undefined && { after }),
  });
}

export interface StreamQuery {
  readonly types: readonly EventType[] | undefined;
  /** Undefined means that the page begins at the start of the stream. */
  readonly after: string | undefined;
}

/** `lastEventId` is the header that a browser or a library sends when it reconnects. It takes precedence over `cursor`. */
export function parseStreamQuery(
  query: ListQuery,
  lastEventId: string | undefined,
): Result<StreamQuery, Refusal> {
  const errors = new FieldErrors();
  const types = parseTypes(errors, query.type);
  const cursor = parseCursor(errors, singleParam(errors, query, 'cursor'));
  const resumed = parseCursor(errors, lastEventId === '' ? undefined : lastEventId, 'last-event-id');
  const refused = errors.refusal();
  return refused === undefined ? ok({ types, after: resumed ?? cursor }) : fail(refused);
}

function parseTypes(errors: FieldErrors, given: unknown): readonly EventType[] | undefined {
  if (given === undefined) return undefined;
  const words = [given].flat().flatMap((each) => String(each).split(','));
  for (const word of words) {
    if (isSubscription(word) && word !== 'webhook.test') continue;
    const meant = findNearestWord(word, KNOWN_TYPES);
    const hint = meant === undefined ? TYPE_HINT : `Did you mean ${meant}?`;
    return errors.add(
      'type',
      'filter_invalid',
      `type ${JSON.stringify(truncateWord(word))} is not an event type. ${hint}`,
    );
  }
  return LISTED_TYPES.filter((type) => isSubscribedTo(words, type));
}

function truncateWord(word: string): string {
  return word.length > 60 ? `${word.slice(0, 60)}…` : word;
}

function parseTransactionId(errors: FieldErrors, text: string | undefined): string | undefined {
  if (text === undefined || isId('txn', text)) return text;
  return errors.add(
    'transaction_id',
    'filter_invalid',
    'transaction_id must be the txn_… id of a transaction.',
  );
}

function parseOrder(errors: FieldErrors, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === 'asc' || text === 'desc') return text === 'desc';
  return errors.add('order', 'filter_invalid', 'order must be asc (oldest first) or desc (newest first).');
}

function parseCursor(errors: FieldErrors, text: string | undefined, name = 'cursor'): string | undefined {
  if (text === undefined) return undefined;
  if (isEventId(text)) return text;
  return errors.add(name, 'cursor_invalid', `${name} must be the evt_… id of an event that you received.`);
}

export interface EventPage {
  readonly events: readonly BusinessEvent[];
  readonly nextCursor: string | null;
}

export async function listEvents(
  log: EventLog,
  caller: BusinessReader,
  query: ListQuery,
): Promise<Result<EventPage, Refusal>> {
  const filter = parseEventsQuery(query);
  if (!filter.ok) return filter;
  const { limit } = filter.value;
  const found = await log.list(scopeOf(caller), { ...filter.value, limit: limit + 1 });
  if (found === undefined) return fail(unknownCursor('cursor'));
  const events = found.slice(0, limit);
  return ok({ events, nextCursor: found.length > limit ? events.at(-1)!.id : null });
}

/** The response is the same for an event that never existed and for an event of another business. */
export function unknownCursor(field: string): Refusal {
  const message = `${field} is not an event of this business and mode. List the events to find the position: GET /events/v1.`;
  return fieldRefusal([{ field, code: 'cursor_invalid', message }]);
}
