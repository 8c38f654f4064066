// Stores the results of fan-out in PostgreSQL. One statement writes the deliveries and the position. The statement does nothing
// if another process has already moved the position.
import type { EndpointSubscription } from '../../../domain/webhooks/endpoint.ts';
import type { DeliveryFanOut, NewDelivery } from '../../../ports/webhooks.ts';
import { type ArrayColumn, columnArrays, inputOf } from '../connection/column-arrays.ts';
import type { Database } from '../connection/database.ts';
import { all, plainColumn, written } from '../connection/record-columns.ts';

export const NEW_DELIVERY_COLUMNS: readonly ArrayColumn<NewDelivery>[] = written(
  all(plainColumn, 'id', 'endpointId', 'eventId', 'eventType'),
);

/**
 * A test delivery is created together with its event. The delivery becomes due here, because the event can be read from now on.
 * Endpoints may have been disabled or deleted since they were read, and a new endpoint gets no earlier events. The time is
 * compared in addition to the commit numbers, because commit numbers start again when the database is copied to another server.
 */
const SPREAD = `
  with moved as (
    update webhook_position set position = $2 where position is not distinct from $1 returning one
  ), wanted as (
    select * from ${inputOf(NEW_DELIVERY_COLUMNS, 3)}
  ), events as materialized (
    select w.event_id, c.committed_by, c.at from (select distinct event_id from wanted) as w
    cross join lateral event_commit(w.event_id) as c
  ), added as (
    insert into webhook_deliveries as d (id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
    select w.id, w.endpoint_id, w.event_id, w.event_type, 'pending', $3, $3, $3
    from wanted w join events using (event_id) join webhook_endpoints e on e.id = w.endpoint_id
    where exists (select from moved) and e.state = 'enabled' and e.deleted_at is null
      and (e.created_by <= events.committed_by or e.created_at < events.at - interval '1 minute')
    order by w.endpoint_id, w.event_id
    on conflict (endpoint_id, event_id) do update set due_at = excluded.due_at
      where d.state = 'pending' and d.attempts = 0 and d.due_at > excluded.due_at returning id
  )
  select (select count(*)::int from moved) as moved, (select count(*)::int from added) as added`;

export function makeDeliveryFanOut(database: Database): DeliveryFanOut {
  return {
    position: async () => {
      const { rows } = await database.query<{ position: string | null }>({
        name: 'webhook-position',
        text: 'select position from webhook_position',
      });
      return rows[0]!.position;
    },
    listening: async (businessIds) => {
      const { rows } = await database.query<EndpointSubscription & { id: string }>({
        name: 'webhook-listening',
        text: `select id, business_id as "businessId", mode, events from webhook_endpoints
               where business_id = any ($1) and state = 'enabled' and deleted_at is null order by id`,
        values: [businessIds],
      });
      return rows;
    },
    anyListens: async () => {
      const { rows } = await database.query<{ some: boolean }>({
        name: 'webhook-any-listens',
        text: `select exists (select from webhook_endpoints where state = 'enabled' and deleted_at is null) as some`,
      });
      return rows[0]!.some;
    },
    spread: async (from, to, deliveries, atMs) => {
      const { rows } = await database.query<{ moved: number; added: number }>({
        name: 'webhook-spread',
        text: SPREAD,
        values: [from, to, new Date(atMs), ...columnArrays(NEW_DELIVERY_COLUMNS, deliveries)],
      });
      const { moved, added } = rows[0]!;
      return moved === 1 ? added : undefined;
    },
  };
}
