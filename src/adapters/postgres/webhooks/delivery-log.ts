// Stores the delivery log of webhooks in PostgreSQL, and the deliveries that a business requests again.
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import type { DeliveryAttempt } from '../../../domain/webhooks/delivery.ts';
import type { DeliveryLog } from '../../../ports/webhooks.ts';
import { columnArrays, inputOf, namesOf } from '../connection/column-arrays.ts';
import type { Database } from '../connection/database.ts';
import { all, defineColumns, plainColumn, timeColumn } from '../connection/record-columns.ts';
import { addAccountEvent } from './endpoints.ts';
import { NEW_DELIVERY_COLUMNS } from './fan-out.ts';
import { DELIVERY } from './rows.ts';

const FIND = `
  select ${DELIVERY.list('d')} from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
  where d.id = $1 and e.business_id = $2 and e.mode = $3 and e.deleted_at is null`;

/** Ids are in the order of time, so a range of times is a range of ids. */
const LIST = `
  select ${DELIVERY.list('d')} from webhook_deliveries d
  where endpoint_id = $1 and id >= $2 and id < $3
    and ($4::text is null or state = $4) and ($5::text is null or event_id = $5)
  order by id desc limit $6`;

const ATTEMPT = defineColumns<DeliveryAttempt>({
  ...all(plainColumn, 'no', 'durationMs', 'status', 'outcome', 'error', 'answer'),
  atMs: timeColumn,
});
const ATTEMPTS = `select ${ATTEMPT.list()} from webhook_attempts where delivery_id = $1 order by no`;

/**
 * A new round continues the numbering of attempts, so that each attempt has a unique number. A delivery that waits for its next
 * attempt becomes due now, in the same round. A delivery that is in progress or was never tried stays as it is. The fence is
 * raised, so that an outcome under an earlier lease is not written.
 */
const QUEUE_AGAIN = `
  insert into webhook_deliveries as d (${namesOf(NEW_DELIVERY_COLUMNS)}, state, due_at, created_at, updated_at)
  select i.*, 'pending', $1, $1, $1 from ${inputOf(NEW_DELIVERY_COLUMNS, 2)} order by i.endpoint_id, i.event_id
  on conflict (endpoint_id, event_id) do update set state = 'pending', reason = null, due_at = $1, leased_until = null,
    fence = d.fence + 1, retry = d.state = 'pending', updated_at = $1,
    round_start = case when d.state = 'pending' then d.round_start else d.attempts end
  where d.state = 'failed' or (d.state = 'delivered' and not $2)
    or (d.state = 'pending' and d.retry and d.due_at > $1 and d.leased_until is null)`;

/** The event cannot be read until fan-out has processed it. Fan-out then makes the delivery of the event due. */
const UNTIL_FAN_OUT_MS = 60_000;

const LAST_ID = 'whd_~';

export function makeDeliveryLog(database: Database): DeliveryLog {
  return {
    find: async ({ businessId, mode }, id) => {
      const { rows } = await database.query({
        name: 'webhook-delivery',
        text: FIND,
        values: [id, businessId, mode],
      });
      return rows.map(DELIVERY.read)[0];
    },
    list: async (endpointId, { state, eventId, fromMs, toMs, before, limit }) => {
      const end = toMs === undefined ? LAST_ID : findIdLowerBound('whd', toMs + 1);
      const { rows } = await database.query({
        name: 'webhook-delivery-list',
        text: LIST,
        values: [
          ...[endpointId, fromMs === undefined ? '' : findIdLowerBound('whd', fromMs)],
          ...[before !== undefined && before < end ? before : end, state ?? null, eventId ?? null, limit],
        ],
      });
      return rows.map(DELIVERY.read);
    },
    attempts: async (deliveryId) => {
      const { rows } = await database.query({
        name: 'webhook-attempts',
        text: ATTEMPTS,
        values: [deliveryId],
      });
      return rows.map(ATTEMPT.read);
    },
    queueAgain: async (deliveries, onlyFailed, atMs) => {
      const { rowCount } = await database.query({
        name: 'webhook-queue-again',
        text: QUEUE_AGAIN,
        values: [new Date(atMs), onlyFailed, ...columnArrays(NEW_DELIVERY_COLUMNS, deliveries)],
      });
      return rowCount ?? 0;
    },
    addTest: (event, { id, endpointId, eventId, eventType }) =>
      database.transaction(async (client) => {
        const { rows } = await client.query(
          `insert into webhook_deliveries as d (id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
           values ($1, $2, $3, $4, 'pending', $5, $6, $6) on conflict (id) do nothing
           returning ${DELIVERY.list('d')}`,
          [id, endpointId, eventId, eventType, new Date(event.atMs + UNTIL_FAN_OUT_MS), new Date(event.atMs)],
        );
        if (rows[0] !== undefined) {
          await addAccountEvent(client, event);
          return DELIVERY.read(rows[0]);
        }
        // If no row was added, the same request was processed concurrently, and its delivery is returned.
        const made = `select ${DELIVERY.list('d')} from webhook_deliveries d where id = $1`;
        return DELIVERY.read((await client.query(made, [id])).rows[0]!);
      }),
  };
}
