// Stores routes, caps and pauses of rails in PostgreSQL. The catalogue reads all of them, and each write records who made it.
import {
  type RailCap,
  type RailDoubt,
  type RailPause,
  type RailSettings,
  type Route,
  usageKey,
} from '../../../domain/rails/settings.ts';
import { lagosDay, lagosDayStart } from '../../../domain/values/calendar.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { SettingWrite } from '../../../ports/setting-store.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  convertedColumn,
  defineColumns,
  plainColumn,
  type RecordColumns,
  timeColumn,
} from '../connection/record-columns.ts';

type ReadRows = <Row extends object>(text: string) => Promise<{ readonly rows: readonly Row[] }>;

const ROUTE = defineColumns<Route>({
  ...{ id: convertedColumn(Number), ...all(bigintColumn, 'minMinor', 'maxMinor', 'costMinor') },
  ...all(plainColumn, 'mode', 'rail', 'priority', 'weight', 'bankCodes', 'enabled'),
});
const CAP = defineColumns<RailCap>({ mode: plainColumn, rail: plainColumn, perDayMinor: bigintColumn });
const PAUSE = defineColumns<RailPause>({
  ...all(plainColumn, 'mode', 'rail', 'byHealth', 'actor', 'reason'),
  sinceMs: timeColumn,
});
const DOUBT = defineColumns<RailDoubt>({
  mode: plainColumn,
  rail: plainColumn,
  movementId: plainColumn,
  sinceMs: timeColumn,
});

/** Reads the routes in the order in which the service tries them. */
export async function readRailSettings(read: ReadRows): Promise<RailSettings> {
  const list = async <Each>({ list: names, read: one }: RecordColumns<Each>, where: string) =>
    (await read(`select ${names()} from ${where}`)).rows.map(one);
  return {
    routes: await list(ROUTE, 'rail_routes order by mode, priority, id'),
    caps: await list(CAP, 'rail_caps order by mode, rail'),
    pauses: await list(PAUSE, 'rail_pauses order by mode, rail, by_health'),
    doubts: await list(DOUBT, 'rail_doubts order by mode, rail'),
  };
}

type WriteOf<Name> = Extract<SettingWrite, { readonly setting: Name }>;

/** Returns false if the route to be changed no longer exists. */
export function setRoute(
  database: Database,
  { mode, route }: WriteOf<'rail_route_set'>,
  doing: AuditStamp,
): Promise<boolean> {
  const { id, rail, priority, weight, minMinor, maxMinor, bankCodes, costMinor, enabled } = route;
  const amounts = [minMinor, maxMinor, costMinor].map((minor) => minor?.toString() ?? null);
  const [min, max, cost] = amounts;
  const detail = { mode, ...route, minMinor: min, maxMinor: max, costMinor: cost };
  const values = [mode, rail, priority, weight, min, max, bankCodes, cost, enabled, new Date(doing.atMs)];
  return makeRunAudited(database)(doing, 'rail.route_set', withSubjectId(detail), async (client) => {
    const { rowCount } =
      id === null
        ? await client.query(
            `insert into rail_routes
               (mode, rail, priority, weight, min_minor, max_minor, bank_codes, cost_minor, enabled, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
            values,
          )
        : await client.query(
            `update rail_routes set rail = $2, priority = $3, weight = $4, min_minor = $5, max_minor = $6,
               bank_codes = $7, cost_minor = $8, enabled = $9, updated_at = $10
             where mode = $1 and id = $11`,
            [...values, id],
          );
    return (rowCount ?? 0) > 0;
  });
}

export function removeRoute(
  database: Database,
  { mode, routeId }: WriteOf<'rail_route_removed'>,
  doing: AuditStamp,
): Promise<boolean> {
  return makeRunAudited(database)(doing, 'rail.route_removed', { mode, routeId }, async (client) => {
    const { rowCount } = await client.query('delete from rail_routes where mode = $1 and id = $2', [
      mode,
      routeId,
    ]);
    return (rowCount ?? 0) > 0;
  });
}

/** A cap counts all payments since the beginning of the day, even if there was no cap earlier that day. */
export function setCap(
  database: Database,
  { mode, rail, perDayMinor }: WriteOf<'rail_cap_set'>,
  doing: AuditStamp,
): Promise<boolean> {
  const cap = perDayMinor?.toString() ?? null;
  const at = new Date(doing.atMs);
  return makeRunAudited(database)(
    doing,
    'rail.cap_set',
    withSubjectId({ mode, rail, perDayMinor: cap }),
    async (client) => {
      if (cap === null) {
        const { rowCount } = await client.query('delete from rail_caps where mode = $1 and rail = $2', [
          mode,
          rail,
        ]);
        return (rowCount ?? 0) > 0;
      }
      await client.query(
        `insert into rail_caps (mode, rail, per_day_minor, updated_at) values ($1, $2, $3, $4)
       on conflict (mode, rail) do update set per_day_minor = $3, updated_at = $4`,
        [mode, rail, cap, at],
      );
      await client.query(
        `insert into limit_usage as t (business_id, mode, period, used_minor, limit_minor)
       select $1, $2, $3, ${USED}, null
       on conflict (business_id, mode, period) do update
         set used_minor = greatest(t.used_minor, excluded.used_minor), limit_minor = null`,
        [usageKey(rail), mode, lagosDay(doing.atMs), rail, new Date(lagosDayStart(doing.atMs))],
      );
      return true;
    },
  );
}

/** The naira amount of attempts on a rail ($4) in a mode ($2) since a moment ($5). */
const USED = `(select coalesce(sum(m.naira_minor), 0)::bigint from movement_attempts a join movements m on m.id = a.movement_id
  where a.mode = $2 and a.rail = $4 and a.rail is not null and a.at >= $5)`;

/** Returns false if people have already paused the rail. */
export function pauseRail(
  database: Database,
  { mode, rail, reason }: WriteOf<'rail_paused'>,
  doing: AuditStamp,
): Promise<boolean> {
  return makeRunAudited(database)(
    doing,
    'rail.paused',
    withSubjectId({ mode, rail, reason }),
    async (client) => {
      const { rowCount } = await client.query(
        `insert into rail_pauses (mode, rail, by_health, actor, reason, since) values ($1, $2, false, $3, $4, $5)
       on conflict do nothing`,
        [mode, rail, doing.actor, reason, new Date(doing.atMs)],
      );
      return (rowCount ?? 0) > 0;
    },
  );
}

/**
 * This also ends a pause by the health check. The health check then uses only later events to decide about the rail. The person
 * who resumes the rail has seen the payments that stopped it, so these payments do not stop the rail again.
 */
export function resumeRail(
  database: Database,
  { mode, rail, reason }: WriteOf<'rail_resumed'>,
  doing: AuditStamp,
): Promise<boolean> {
  return makeRunAudited(database)(
    doing,
    'rail.resumed',
    withSubjectId({ mode, rail, reason }),
    async (client) => {
      const { rowCount } = await client.query('delete from rail_pauses where mode = $1 and rail = $2', [
        mode,
        rail,
      ]);
      await client.query(
        'update rail_health set judged_from = $3, bad_probes = 0, good_probes = 0, fence = fence + 1 where mode = $1 and rail = $2',
        [mode, rail, new Date(doing.atMs)],
      );
      await client.query(
        'update unexplained_payments set ended_at = $3, ended_by = $4 where mode = $1 and rail = $2 and ended_at is null',
        [mode, rail, new Date(doing.atMs), doing.actor],
      );
      return (rowCount ?? 0) > 0;
    },
  );
}

/** Returns false if no doubt about the rail was stored. */
export function trustRail(
  database: Database,
  { mode, rail, reason }: WriteOf<'rail_trusted'>,
  doing: AuditStamp,
): Promise<boolean> {
  return makeRunAudited(database)(
    doing,
    'rail.trusted',
    withSubjectId({ mode, rail, reason }),
    async (client) => {
      const values = [mode, rail];
      const { rowCount } = await client.query(
        'delete from rail_doubts where mode = $1 and rail = $2',
        values,
      );
      return (rowCount ?? 0) > 0;
    },
  );
}

function withSubjectId<Detail extends { readonly mode: Mode; readonly rail: string }>(
  detail: Detail,
): Detail & { readonly subjectId: string } {
  return { ...detail, subjectId: `rail ${detail.mode} ${detail.rail}` };
}

/** Like `readSettingBefore`, this returns the current value as one text and locks the existing rows. */
export function railBeforeQuery(
  request: Extract<SettingWrite, { readonly setting: `rail_${string}` }>,
): [string, unknown[]] {
  switch (request.setting) {
    case 'rail_paused':
    case 'rail_resumed':
      // The text contains the time of the pause and the newest payment that stopped the rail. If either is newer than the
      // proposal, the text differs and the proposal is out of date.
      return [
        `select json_build_array(by_health, since,
            (select max(id) from unexplained_payments u where u.mode = $1 and u.rail = $2 and ended_at is null))::text as before
          from rail_pauses where mode = $1 and rail = $2 order by by_health for update`,
        [request.mode, request.rail],
      ];
    case 'rail_trusted':
      // If the doubt about the rail is newer than the proposal, this text differs from the text in the proposal.
      return [
        'select json_build_array(movement_id, since)::text as before from rail_doubts where mode = $1 and rail = $2 for update',
        [request.mode, request.rail],
      ];
    case 'rail_route_set':
      if (request.route.id !== null) return routeBeforeQuery(request.mode, request.route.id);
      return ['select coalesce(max(id), 0)::text as before from rail_routes where mode = $1', [request.mode]];
    case 'rail_route_removed':
      return routeBeforeQuery(request.mode, request.routeId);
    case 'rail_cap_set':
      return [
        'select per_day_minor::text as before from rail_caps where mode = $1 and rail = $2 for update',
        [request.mode, request.rail],
      ];
  }
}

function routeBeforeQuery(mode: Mode, id: number): [string, unknown[]] {
  return [
    'select to_json(r)::text as before from rail_routes r where mode = $1 and id = $2 for update',
    [mode, id],
  ];
}
