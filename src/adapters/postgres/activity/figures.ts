// Reads the daily figures of a business and its waiting transactions, with one statement for each. Every statement reads ranges
// of indexes and a limited number of rows, no matter how many transactions the business has.
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import {
  type ActivityFigureReads,
  COUNT_LIMIT,
  type DailyFigures,
  type DayDurations,
  type DayFigures,
  type WaitingCounts,
} from '../../../ports/activity.ts';
import type { Database } from '../connection/database.ts';
import { columnFrom, defineColumns, plainColumn } from '../connection/record-columns.ts';

/** How many transactions of one type are counted at most, and of how many completed transactions the timeline is read. */
const MOST_COUNTED = 50_000;
const MOST_TIMED = 10_000;
const MOST_DELIVERIES = 10_000;

/** Lagos is one hour ahead of UTC all year (src/domain/values/calendar.ts). */
const LAGOS_DAY = `to_char(created_at at time zone 'UTC' + interval '1 hour', 'YYYY-MM-DD')`;

const countStatesSql = (states: readonly string[]) =>
  `count(*) filter (where state in (${states.map((state) => `'${state}'`).join(', ')}))::int`;

const BY_DAY = `
with newest as materialized (
  select r.* from (values ('buy'), ('sell')) as wanted(wanted_type) cross join lateral (
    select id, type, created_at, amount_minor from transactions
    where business_id = $1 and mode = $2 and type = wanted_type and created_at >= $3
    order by created_at desc, id desc limit $4) r)
select ${LAGOS_DAY} as day,
  count(*) filter (where type = 'buy')::int as buys,
  count(*) filter (where type = 'sell')::int as sells,
  coalesce(sum(amount_minor) filter (where type = 'buy' and state = 'completed'), 0)::text as bought,
  coalesce(sum(amount_minor) filter (where type = 'sell' and state = 'completed'), 0)::text as sold,
  ${countStatesSql(['completed'])} as completed,
  ${countStatesSql(['on_hold'])} as on_hold,
  ${countStatesSql(['rejected', 'payout_failed'])} as failed,
  ${countStatesSql(['refunded'])} as refunded,
  ${countStatesSql(['expired', 'cancelled'])} as lapsed,
  count(*)::int as all
from newest cross join lateral (select state from transaction_states where transaction_id = newest.id limit 1) s
group by day order by day`;

/** The money of a transaction has arrived when it reaches the first of these states. */
const ARRIVED = `('paid', 'deposited', 'confirming', 'on_hold')`;

const DURATIONS = `
with newest as materialized (
  select r.* from (values ('buy'), ('sell')) as wanted(wanted_type) cross join lateral (
    select transaction_id, type, created_at from transaction_states
    where business_id = $1 and mode = $2 and type = wanted_type and listed = 'completed' and created_at >= $3
    order by created_at desc, transaction_id desc limit $4) r)
select day, type, count(*)::int as completed,
  percentile_disc(0.5) within group (order by ms)::text as p50,
  percentile_disc(0.95) within group (order by ms)::text as p95
from (
  select ${LAGOS_DAY} as day, type, (extract(epoch from ended - arrived) * 1000)::bigint as ms
  from newest cross join lateral (
    select max(at) filter (where to_state = 'completed') as ended, min(at) filter (where to_state in ${ARRIVED}) as arrived
    from timeline l where l.transaction_id = newest.transaction_id) times
  where ended is not null and arrived is not null) timed
group by grouping sets ((day), (day, type)) order by day`;

const countListedSql = (type: string, state: string) => `(select count(*) from (
  select from transaction_states where business_id = $1 and mode = $2 and type = '${type}' and listed = '${state}'
  limit $3) few)::int`;

const WAITING = defineColumns<WaitingCounts>({
  awaitingWallet: columnFrom(countListedSql('buy', 'awaiting_wallet'), plainColumn),
  awaitingTrustline: columnFrom(countListedSql('buy', 'awaiting_trustline'), plainColumn),
  onHold: columnFrom(
    `${countListedSql('buy', 'on_hold')} + ${countListedSql('sell', 'on_hold')}`,
    plainColumn,
  ),
  payoutFailed: columnFrom(countListedSql('sell', 'payout_failed'), plainColumn),
  endpointsDisabled: columnFrom(
    `(select count(*) from webhook_endpoints
    where business_id = $1 and mode = $2 and deleted_at is null and state = 'disabled')::int`,
    plainColumn,
  ),
  deliveriesFailed: columnFrom(
    `(select coalesce(sum(failed), 0) from webhook_endpoints e cross join lateral (
    select count(*) filter (where state = 'failed') as failed from (
      select state from webhook_deliveries where endpoint_id = e.id and id >= $4
      order by id desc limit ${MOST_DELIVERIES}) newest) counted
    where e.business_id = $1 and e.mode = $2 and e.deleted_at is null)::int`,
    plainColumn,
  ),
});

export function makeActivityFigures(database: Database): ActivityFigureReads {
  return {
    byDay: async ({ businessId, mode }, sinceMs) => {
      const { rows } = await database.query<ActivityDayRow>({
        name: 'activity-by-day',
        text: BY_DAY,
        values: [businessId, mode, new Date(sinceMs), MOST_COUNTED],
      });
      return dropPartialDays(rows.map(dayOf), MOST_COUNTED, ({ buys, sells }) => [buys, sells]);
    },
    durations: async ({ businessId, mode }, sinceMs) => {
      const { rows } = await database.query<DurationRow>({
        name: 'activity-durations',
        text: DURATIONS,
        values: [businessId, mode, new Date(sinceMs), MOST_TIMED],
      });
      const ofType = (day: string, type: string) =>
        rows.find((row) => row.day === day && row.type === type)?.completed ?? 0;
      const days = rows.filter(({ type }) => type === null).map(durationsOf);
      return dropPartialDays(days, MOST_TIMED, ({ day }) => [ofType(day, 'buy'), ofType(day, 'sell')]);
    },
    waiting: async ({ businessId, mode }, deliveriesSinceMs) => {
      const { rows } = await database.query({
        name: 'activity-waiting',
        text: `select ${WAITING.list()}`,
        values: [businessId, mode, COUNT_LIMIT, findIdLowerBound('whd', deliveriesSinceMs)],
      });
      return WAITING.read(rows[0]!);
    },
  };
}

/** When the rows of a type reached the limit, its oldest day is incomplete. That day and all days before it are dropped. */
function dropPartialDays<T extends { readonly day: string }>(
  days: readonly T[],
  most: number,
  countsOf: (day: T) => readonly number[],
): DailyFigures<T> {
  const types = days[0] === undefined ? [] : countsOf(days[0]).map((_, type) => type);
  const cut = types.flatMap((type) => {
    const rows = days.reduce((sum, day) => sum + countsOf(day)[type]!, 0);
    return rows < most ? [] : [days.find((day) => countsOf(day)[type]! > 0)!.day];
  });
  const last = cut.toSorted().at(-1);
  return {
    days: last === undefined ? days : days.filter(({ day }) => day > last),
    whole: last === undefined,
  };
}

interface ActivityDayRow {
  day: string;
  buys: number;
  sells: number;
  bought: string;
  sold: string;
  completed: number;
  on_hold: number;
  failed: number;
  refunded: number;
  lapsed: number;
  all: number;
}

function dayOf({ bought, sold, on_hold: onHold, all, ...row }: ActivityDayRow): DayFigures {
  const open = all - row.completed - onHold - row.failed - row.refunded - row.lapsed;
  return { ...row, onHold, open, boughtMinor: BigInt(bought), soldMinor: BigInt(sold) };
}

interface DurationRow {
  day: string;
  type: string | null;
  completed: number;
  p50: string;
  p95: string;
}

function durationsOf({ day, completed, p50, p95 }: DurationRow): DayDurations {
  return { day, completed, p50Ms: Number(p50), p95Ms: Number(p95) };
}
