// What a caller asks of its events, read from the query and from last-event-id: types, a transaction, a time, a page, and
// the event after which to go on. Every value that is not understood is refused with the way out.
import { covers, EVENT_TYPES, type EventType, isEventId, isSubscription } from '../../domain/events/event.ts';
import { isId } from '../../domain/values/ids.ts';
import { nearest } from '../../domain/values/nearest.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { EventFilter } from '../../ports/events/event-log.ts';
import { FieldErrors } from '../input/field-rules.ts';
import { DEFAULT_PAGE, type ListQuery, once, parseLimit, parseTime } from '../input/list-query.ts';

/** Types that lists and streams never have: they are for one endpoint only. */
const LISTED_TYPES = EVENT_TYPES.filter((type) => type !== 'webhook.test');
const KNOWN = ['transaction.*', ...LISTED_TYPES];
const SUCH_AS =
  'Use a type such as transaction.completed, or transaction.* for all of them; the API reference at /docs lists the types.';

export function parseEventsQuery(query: ListQuery): Result<EventFilter, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string) => once(errors, query, name);
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
    limit: limit ?? DEFAULT_PAGE,
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
  /** Undefined: from the beginning of what the stream is about. */
  readonly after: string | undefined;
}

/** `lastEventId`: the header, which a browser or a library sends when it connects again; it goes before `cursor`. */
export function parseStreamQuery(
  query: ListQuery,
  lastEventId: string | undefined,
): Result<StreamQuery, Refusal> {
  const errors = new FieldErrors();
  const types = parseTypes(errors, query.type);
  const cursor = parseCursor(errors, once(errors, query, 'cursor'));
  const resumed = parseCursor(errors, lastEventId === '' ? undefined : lastEventId, 'last-event-id');
  const refused = errors.refusal();
  return refused === undefined ? ok({ types, after: resumed ?? cursor }) : fail(refused);
}

function parseTypes(errors: FieldErrors, given: unknown): readonly EventType[] | undefined {
  if (given === undefined) return undefined;
  const words = [given].flat().flatMap((each) => String(each).split(','));
  for (const word of words) {
    if (isSubscription(word) && word !== 'webhook.test') continue;
    const meant = nearest(word, KNOWN);
    const hint = meant === undefined ? SUCH_AS : `Did you mean ${meant}?`;
    return errors.add(
      'type',
      'filter_invalid',
      `type ${JSON.stringify(shortened(word))} is not a type of event. ${hint}`,
    );
  }
  return LISTED_TYPES.filter((type) => covers(words, type));
}

function shortened(word: string): string {
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
