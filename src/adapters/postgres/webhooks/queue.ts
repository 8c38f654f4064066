// The queue of webhook deliveries in PostgreSQL. A worker takes deliveries from one endpoint after another, so that many
// waiting deliveries of one endpoint do not delay the others. Outcomes that arrive together are stored by one statement.
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import type { DeliveryQueue, DeliveryTarget, LeasedDelivery } from '../../../ports/webhooks.ts';
import type { Database } from '../connection/database.ts';
import { disableEndpoint } from './endpoints.ts';
import { ENDPOINT_COLUMNS } from './rows.ts';
import { makeSettleDeliveries } from './settle-deliveries.ts';

/** Counting stops at this number, because a higher number would make no difference. */
const MOST_COUNTED = 10_000;

/** Selects the endpoints after $1 that have pending deliveries. Each endpoint needs one index read. */
const PLACES = `
  places as (
    select (select endpoint_id from webhook_deliveries where state = 'pending' and endpoint_id > $1
      order by endpoint_id limit 1) as id
    union all
    select (select endpoint_id from webhook_deliveries where state = 'pending' and endpoint_id > p.id
      order by endpoint_id limit 1) from places p where p.id is not null
  )`;

/**
 * Selects deliveries that are due and not leased. `retry` is a constant in each half of the query, so that the index is read
 * only up to the current time.
 */
const dueDeliveriesSql = (retry: boolean, limit: string) => `
  select * from (select d.id, d.attempts - d.round_start >= $8 as spent from webhook_deliveries d
    where d.endpoint_id = p.id and d.state = 'pending' and d.retry = ${retry} and d.due_at <= $2
      and (d.leased_until is null or d.leased_until <= $2)
    order by d.due_at limit ${limit} for no key update skip locked) as halves_${retry}`;

const ROOM = 'coalesce(b.room, $6::int)';
const CLAIM = `
  with recursive ${PLACES}, picked as materialized (
    select d.id, d.spent from places p
    join webhook_endpoints e on e.id = p.id and e.state = 'enabled' and e.deleted_at is null
    left join unnest($4::text[], $5::int[]) as b(id, room) on b.id = p.id
    cross join lateral (select * from (${dueDeliveriesSql(false, ROOM)} union all ${dueDeliveriesSql(true, ROOM)}) as both_halves limit ${ROOM}) d
    limit $7
  )
  update webhook_deliveries d set leased_until = $3, fence = d.fence + 1,
    attempts = d.attempts + case when picked.spent then 0 else 1 end
  from picked where d.id = picked.id
  returning d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", d.event_type as "eventType", d.fence,
    d.attempts as "no", d.attempts - d.round_start as "madeInRound", picked.spent`;

const TARGETS = `
  select ${ENDPOINT_COLUMNS.list('e')}, (select array_agg(s.sealed order by s.no desc) from webhook_secrets s
    where s.endpoint_id = e.id and (s.ends_at is null or s.ends_at > $2)) as sealed_keys
  from webhook_endpoints e where e.id = any ($1) and e.state = 'enabled' and e.deleted_at is null`;

const CARETAKERS = `
  select p.email from memberships m join people p on p.id = m.person_id
  where m.business_id = $1 and m.role in ('owner', 'developer') and p.disabled_at is null order by p.email`;

/** Deliveries in progress are not changed, because each ends with the outcome of its attempt. */
const END_STRANDED = `
  with stranded as (
    select d.id, case when e.deleted_at is null then 'endpoint_disabled' else 'endpoint_deleted' end as reason
    from webhook_endpoints e cross join lateral (
      select id from webhook_deliveries where endpoint_id = e.id and state = 'pending'
        and (leased_until is null or leased_until <= $1)
      limit $2 for no key update skip locked) d
    where e.state = 'disabled' or e.deleted_at is not null limit $2)
  update webhook_deliveries d set state = 'failed', reason = stranded.reason, leased_until = null, updated_at = $1
  from stranded where d.id = stranded.id`;

/** Deletes old deliveries by id, because ids are in the order of time. */
const FORGET = `
  with old as (
    select id from webhook_deliveries where id < $1 and state <> 'pending' order by id limit $2 for update skip locked
  ), log as (delete from webhook_attempts where delivery_id in (select id from old))
  delete from webhook_deliveries where id in (select id from old)`;

const DEPTH = `
  with recursive ${PLACES}
  select count(*)::int as due, min(due_at) as oldest from (
    select d.due_at from places p
    join webhook_endpoints e on e.id = p.id and e.state = 'enabled' and e.deleted_at is null
    cross join lateral (
      select due_at from webhook_deliveries where endpoint_id = p.id and state = 'pending' and not retry and due_at <= $2
        and (leased_until is null or leased_until <= $2)
      union all
      select due_at from webhook_deliveries where endpoint_id = p.id and state = 'pending' and retry and due_at <= $2
        and (leased_until is null or leased_until <= $2)) d
    limit ${MOST_COUNTED}) as counted`;

export function makeDeliveryQueue(database: Database): DeliveryQueue {
  const change = async (name: string, text: string, values: unknown[]) =>
    (await database.query({ name, text, values })).rowCount ?? 0;
  const claimAfter = async (after: string, values: readonly unknown[]) =>
    (
      await database.query<LeasedDelivery & { id: string }>({
        name: 'webhook-claim',
        text: CLAIM,
        values: [after, ...values],
      })
    ).rows;
  return {
    claim: async ({ atMs, leaseUntilMs, rooms, roomOfOthers, after, limit, mostAttempts }) => {
      const values = (left: number) => [
        ...[new Date(atMs), new Date(leaseUntilMs), [...rooms.keys()], [...rooms.values()]],
        ...[roomOfOthers, left, mostAttempts],
      ];
      const claimed = await claimAfter(after, values(limit));
      // Endpoints before `after` already had their turn. So their deliveries are taken only if the limit is not reached.
      if (after === '' || claimed.length >= limit) return claimed;
      const taken = new Map<string, number>();
      for (const { endpointId } of claimed) taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
      const left = new Map(rooms);
      for (const [id, count] of taken) left.set(id, (left.get(id) ?? roomOfOthers) - count);
      const [at, until, , , ...rest] = values(limit - claimed.length);
      return [
        ...claimed,
        ...(await claimAfter('', [at, until, [...left.keys()], [...left.values()], ...rest])),
      ];
    },
    targets: async (endpointIds, atMs) => {
      const { rows } = await database.query<{ id: string; sealed_keys: string[] | null }>({
        name: 'webhook-targets',
        text: TARGETS,
        values: [endpointIds, new Date(atMs)],
      });
      return new Map<string, DeliveryTarget>(
        rows.map((row) => [
          row.id,
          { endpoint: ENDPOINT_COLUMNS.read(row), sealedKeys: row.sealed_keys ?? [] },
        ]),
      );
    },
    settle: makeSettleDeliveries(database),
    disable: (disabling) => disableEndpoint(database, disabling),
    caretakers: async (businessId) => {
      const { rows } = await database.query<{ email: string }>({ text: CARETAKERS, values: [businessId] });
      return rows.map(({ email }) => email);
    },
    endStranded: (atMs, limit) => change('webhook-end-stranded', END_STRANDED, [new Date(atMs), limit]),
    forget: (beforeMs, limit) => change('webhook-forget', FORGET, [findIdLowerBound('whd', beforeMs), limit]),
    depth: async (atMs) => {
      const { rows } = await database.query<{ due: number; oldest: Date | null }>({
        name: 'webhook-depth',
        text: DEPTH,
        values: ['', new Date(atMs)],
      });
      return { due: rows[0]!.due, oldestDueMs: rows[0]!.oldest?.getTime() ?? null };
    },
  };
}
