// The documentation of events in the OpenAPI document: their schema, the list and the streams.
import { Type } from 'typebox';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../app/input/list-query.ts';
import { EVENT_TYPES } from '../../domain/events/event.ts';
import { STATES } from '../../domain/records/states.ts';
import { BUY_TRANSACTION } from './examples.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from './route-docs.ts';

const text = (description: string) => Type.String({ description });
const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const RefundSchema = Type.Object({
  refund_id: text('The mov_… id of the refund.'),
  amount: Type.Number({ description: 'Refunded amount in naira.' }),
  state: Type.String({ enum: ['done'] }),
  destination: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description:
      'network and wallet_address, or bank_code, account_number and account_name. If the account is not the one in your request, only its last four digits are shown.',
  }),
  tx_hash: textOrNull('The transfer on the network; null when the refund was made by bank.'),
  bank_reference: textOrNull('Our reference at the bank; null when the refund was made in tokens.'),
});

export const EventSchema = Type.Object(
  {
    id: text(
      'Starts with evt_. It is the same in lists, streams and webhooks. Use it to recognise repeated events.',
    ),
    type: Type.String({ enum: [...EVENT_TYPES] }),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    mode: Type.String({ enum: ['live', 'test'] }),
    sequence: Type.Integer({
      minimum: 1,
      description: 'Number of the event within its transaction: 1, 2, 3 …, without gaps.',
    }),
    data: Type.Object({
      transaction: Type.Optional(Type.Ref('Transaction')),
      change: Type.Optional(
        Type.Object({
          from: textOrNull('The previous state; null for the acceptance.'),
          to: Type.String({ enum: [...STATES] }),
          reason: text('The reason for the change, as a code for programs.'),
          message: text('The reason as a sentence. Its text may change: use reason in programs.'),
          actor: text('Who made the change, as in the timeline.'),
        }),
      ),
      refund: Type.Optional(RefundSchema),
      endpoint: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          description: 'webhook_endpoint.disabled: the endpoint.',
        }),
      ),
      reason: Type.Optional(text('webhook_endpoint.disabled: gone or failing.')),
    }),
  },
  { $id: 'Event', title: 'Event' },
);

const EXAMPLE = {
  id: `evt_${BUY_TRANSACTION.transaction_id.slice(4)}_1`,
  type: 'transaction.accepted',
  timestamp: BUY_TRANSACTION.created_at,
  mode: 'test',
  sequence: 1,
  data: {
    transaction: BUY_TRANSACTION,
    change: {
      from: null,
      to: BUY_TRANSACTION.state,
      reason: 'accepted',
      message: 'The transaction was accepted.',
      actor: 'key_01kfz3m8q4w7x2v9c5b6n1h0jb',
    },
  },
};

const typeFilter = {
  type: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description:
        'Only events of this type. Repeat the parameter or separate several types with commas; `transaction.*` is a group of types.',
    }),
  ),
};

const common = { tags: [TAGS.events], security: WITH_KEY };
const filterErrors = [...KEY_ERRORS, 'filter_invalid', 'cursor_invalid'] as const;

export const eventListDocs = {
  ...common,
  operationId: 'listEvents',
  summary: 'List events',
  description:
    'Oldest first. A new event is always listed after the events that you have already read. To poll, send the id of your last event as cursor.',
  querystring: Type.Object({
    ...typeFilter,
    transaction_id: Type.Optional(text('Only events of this transaction.')),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'At or after this time.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'At or before this time.' })),
    order: Type.Optional(Type.String({ enum: ['asc', 'desc'], default: 'asc' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })),
    cursor: Type.Optional(text('The id of an event: lists only the events after it, in this order.')),
  }),
  response: {
    200: jsonAnswer(
      'One page of events.',
      Type.Object({
        status: Type.String({ enum: ['success'] }),
        message: Type.String(),
        events: Type.Array(Type.Ref('Event')),
        next_cursor: textOrNull(
          'Send it as cursor to get the next page; null if there are no more events now.',
        ),
      }),
      { status: 'success', message: 'Events, oldest first.', events: [EXAMPLE], next_cursor: null },
    ),
    ...errorAnswers(...filterErrors),
  },
};

const streamAnswer = {
  description:
    'Server-sent events: `id` is the id of the event, `event` its type, `data` the event as JSON. A comment line is sent every 15 seconds. ' +
    'The last event is stream.ended with a reason: key_revoked, draining, too_slow or log_restarted.',
  content: {
    'text/event-stream': {
      schema: { type: 'string' },
      examples: {
        example: { value: `id: ${EXAMPLE.id}\nevent: ${EXAMPLE.type}\ndata: {"id":"${EXAMPLE.id}", …}\n\n` },
      },
    },
  },
};

const streamParts = {
  headers: Type.Object({
    'last-event-id': Type.Optional(
      text('The id of the last event you received: the stream continues after it.'),
    ),
  }),
  querystring: Type.Object({
    ...typeFilter,
    cursor: Type.Optional(text('The same as last-event-id, for clients that cannot send the header.')),
  }),
};

export const streamDocs = {
  ...common,
  ...streamParts,
  operationId: 'streamEvents',
  summary: 'Stream events',
  description:
    'Every event of your business in this mode, from now on or after last-event-id. The stream stays open.',
  response: { 200: streamAnswer, ...errorAnswers(...filterErrors) },
};

export const transactionEventsDocs = {
  ...common,
  ...streamParts,
  operationId: 'streamTransactionEvents',
  summary: 'Stream the events of a transaction',
  description:
    'All events since the acceptance, or after last-event-id. The stream stays open after the transaction has ended.',
  params: Type.Object({ transaction_id: text('The txn_… id of the transaction.') }),
  response: { 200: streamAnswer, ...errorAnswers(...filterErrors, 'transaction_not_found') },
};
