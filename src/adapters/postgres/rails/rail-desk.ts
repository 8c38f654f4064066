// Rails in PostgreSQL. A probe is leased by one statement, and its result is written only under the fence of that lease, together
// with the pause it leads to and the line in the audit log.
import { serviceActor } from '../../../domain/people/actor.ts';
import { PENDING_LONG_MS, type RailFigures } from '../../../domain/rails/health.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type {
  LeasedRail,
  ProbedRail,
  RailDesk,
  RailName,
  StoredRail,
} from '../../../ports/rails/rail-desk.ts';
import { makeLogged } from '../back-office/logged.ts';
import type { Database } from '../connection/database.ts';
import { readGuards } from './payout-guard.ts';
import { readRailSettings } from './settings.ts';

const ACTOR = serviceActor('rails');

interface RailRow {
  mode: Mode;
  rail: string;
  account: string | null;
  place: number;
  seen_at: Date;
  fence: string;
  probed_at: Date | null;
  probe_failure: string | null;
  good_probes: number;
  bad_probes: number;
  pauses: number;
  paused_at: Date | null;
  judged_from: Date;
  balance_minor: string | null;
  balance_at: Date | null;
}

const PAUSED_AT = `(select since from rail_pauses p where p.mode = h.mode and p.rail = h.rail and p.by_health) as paused_at`;

export function makeRailDesk(database: Database): RailDesk {
  return {
    settings: () => readRailSettings((text) => database.query({ text })),
    list: async () => {
      const text = `select h.*, ${PAUSED_AT} from rail_health h order by mode, place, rail`;
      return (await database.query<RailRow>({ text })).rows.map(railOf);
    },
    guards: () => readGuards(database),
    figures: (of, fromMs, nowMs) => readFigures(database, of, fromMs, nowMs),
    usedMinor: async ({ mode, rail }, fromMs) => {
      const { rows } = await database.query<{ used: string }>({
        text: `select coalesce(sum(m.naira_minor), 0)::text as used from movement_attempts a
          join movements m on m.id = a.movement_id
          where a.mode = $1 and a.rail = $2 and a.rail is not null and a.at >= $3`,
        values: [mode, rail, new Date(fromMs)],
      });
      return BigInt(rows[0]!.used);
    },
    register: async (rails, atMs) => {
      await database.query({
        text: `insert into rail_health as t (mode, rail, account, place, seen_at, due_at, judged_from)
          select x.*, $5, $5, $5 from unnest($1::text[], $2::text[], $3::text[], $4::int[]) x
          on conflict (mode, rail) do update
            set account = excluded.account, place = excluded.place, seen_at = greatest(t.seen_at, excluded.seen_at)`,
        values: [
          rails.map(({ mode }) => mode),
          rails.map(({ rail }) => rail),
          rails.map(({ account }) => account),
          rails.map(({ place }) => place),
          new Date(atMs),
        ],
      });
    },
    lease: async ({ mode, rail }, atMs, leaseMs): Promise<LeasedRail | undefined> => {
      const { rows } = await database.query<RailRow>({
        text: `update rail_health h set due_at = $4, fence = fence + 1
          where mode = $1 and rail = $2 and due_at <= $3 returning h.*, ${PAUSED_AT}`,
        values: [mode, rail, new Date(atMs), new Date(atMs + leaseMs)],
      });
      return rows[0] && { stored: railOf(rows[0]), fence: BigInt(rows[0].fence) };
    },
    save: (probed) => save(database, probed),
  };
}

/** Refused because of the payout itself, and not sure yet: the rail did its work, whatever the account of a customer is. */
const DECLINED = `(state = 'unknown' and evidence->'refused'->>'fault' = 'payout')`;
const UNKNOWN = `(state = 'unknown' and evidence->'refused'->>'fault' is distinct from 'payout')`;
/** Said to be pending for so long that it is as unknown as the rest. */
const STUCK = `(state = 'accepted' and at < $4)`;

async function readFigures(
  database: Database,
  { mode, rail }: RailName,
  fromMs: number,
  nowMs: number,
): Promise<RailFigures> {
  const ms = `extract(epoch from updated_at - at) * 1000`;
  const { rows } = await database.query<Record<string, number> & { p50: number | null; p95: number | null }>({
    name: 'rail-figures',
    text: `select
        count(*) filter (where state = 'landed')::int as landed,
        count(*) filter (where ${DECLINED} or (state in ('failed', 'rejected') and evidence->>'fault' is distinct from 'rail'))::int as refused,
        count(*) filter (where state in ('failed', 'dead') and evidence->>'fault' = 'rail')::int as failed,
        count(*) filter (where ${UNKNOWN} or ${STUCK})::int as unknown,
        count(*) filter (where state = 'prepared' or (state = 'accepted' and not ${STUCK}))::int as under_way,
        percentile_disc(0.5) within group (order by ${ms}) filter (where state = 'landed')::int as p50,
        percentile_disc(0.95) within group (order by ${ms}) filter (where state = 'landed')::int as p95
      from movement_attempts where mode = $1 and rail = $2 and rail is not null and at >= $3`,
    values: [mode, rail, new Date(fromMs), new Date(nowMs - PENDING_LONG_MS)],
  });
  const { landed, refused, failed, unknown, under_way: underWay, p50, p95 } = rows[0]!;
  return {
    ...{ landed: landed!, refused: refused!, failed: failed!, unknown: unknown!, underWay: underWay! },
    ...{ p50Ms: p50, p95Ms: p95 },
  };
}

/** Whoever was faster has another fence. People may have resumed it meanwhile: then nothing of an older judgement is written. */
async function save(database: Database, probed: ProbedRail): Promise<boolean> {
  const { pause, resumed } = probed;
  if (pause === null && !resumed) return write(database, probed);
  const { mode, rail } = probed;
  const detail = { mode, rail, reason: pause, subjectId: `rail ${mode} ${rail}` };
  const action = resumed ? 'rail.resumed' : 'rail.paused';
  return makeLogged(database)({ actor: ACTOR, atMs: probed.atMs }, action, detail, async (client) => {
    const inside: Pick<Database, 'query'> = { query: (query) => client.query(query) };
    if (!(await write(inside, probed))) return false;
    await client.query(
      resumed
        ? 'delete from rail_pauses where mode = $1 and rail = $2 and by_health'
        : `insert into rail_pauses (mode, rail, by_health, actor, reason, since) values ($1, $2, true, $3, $4, $5)
           on conflict do nothing`,
      resumed ? [mode, rail] : [mode, rail, ACTOR, pause, new Date(probed.atMs)],
    );
    return true;
  });
}

async function write(database: Pick<Database, 'query'>, probed: ProbedRail): Promise<boolean> {
  const { mode, rail, fence, atMs, dueAtMs, next, probeFailure, balanceMinor } = probed;
  const { rowCount } = await database.query({
    text: `update rail_health set due_at = $4, fence = fence + 1, probed_at = $5, probe_failure = $6, good_probes = $7,
        bad_probes = $8, pauses = $9, judged_from = $10, balance_minor = coalesce($11, balance_minor),
        balance_at = case when $11::bigint is null then balance_at else $5 end
      where mode = $1 and rail = $2 and fence = $3`,
    values: [
      ...[mode, rail, fence.toString(), new Date(dueAtMs), new Date(atMs), probeFailure],
      ...[next.goodProbes, next.badProbes, next.pauses, new Date(next.judgedFromMs)],
      balanceMinor?.toString() ?? null,
    ],
  });
  return (rowCount ?? 0) > 0;
}

function railOf(row: RailRow): StoredRail {
  const { mode, rail, account, place } = row;
  return {
    ...{ mode, rail, account, place, seenAtMs: row.seen_at.getTime() },
    probedAtMs: row.probed_at?.getTime() ?? null,
    probeFailure: row.probe_failure,
    goodProbes: row.good_probes,
    badProbes: row.bad_probes,
    pauses: row.pauses,
    pausedAtMs: row.paused_at?.getTime() ?? null,
    judgedFromMs: row.judged_from.getTime(),
    balance:
      row.balance_minor === null || row.balance_at === null
        ? null
        : { minor: BigInt(row.balance_minor), atMs: row.balance_at.getTime() },
  };
}
