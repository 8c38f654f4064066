// Stores rails in PostgreSQL. One statement leases a probe. The result is written only under the fence of that lease, together
// with the pause that it causes and the audit log entry.
import { serviceActor } from '../../../domain/people/actor.ts';
import { PENDING_LONG_MS, type RailFigures } from '../../../domain/rails/health.ts';
import type {
  LeasedRail,
  ProbeResult,
  RailKey,
  RailStore,
  ReportedBalance,
  StoredRail,
} from '../../../ports/rails/rail-store.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  named,
  of,
  part,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';
import { readGuards } from './payout-guard.ts';
import { readRailSettings } from './settings.ts';

const ACTOR = serviceActor('rails');

const RAIL = defineColumns<StoredRail>(
  of('h', {
    ...all(
      plainColumn,
      'mode',
      'rail',
      'account',
      'place',
      'probeFailure',
      'goodProbes',
      'badProbes',
      'pauses',
    ),
    ...all(timeColumn, 'seenAtMs', 'probedAtMs', 'judgedFromMs'),
    pausedAtMs: columnFrom(
      '(select since from rail_pauses p where p.mode = h.mode and p.rail = h.rail and p.by_health)',
      timeColumn,
    ),
    balance: part<ReportedBalance>({
      minor: named('balance_minor', bigintColumn),
      atMs: named('balance_at', timeColumn),
    }),
  }),
);

export function makeRailStore(database: Database): RailStore {
  return {
    settings: () => readRailSettings((text) => database.query({ text })),
    list: async () => {
      const text = `select ${RAIL.list()} from rail_health h order by h.mode, h.place, h.rail`;
      return (await database.query({ text })).rows.map(RAIL.read);
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
      const { rows } = await database.query<{ fence: string }>({
        text: `update rail_health h set due_at = $4, fence = fence + 1
          where mode = $1 and rail = $2 and due_at <= $3 returning ${RAIL.list()}, h.fence`,
        values: [mode, rail, new Date(atMs), new Date(atMs + leaseMs)],
      });
      return rows[0] && { stored: RAIL.read(rows[0]), fence: BigInt(rows[0].fence) };
    },
    save: (probed) => save(database, probed),
  };
}

/**
 * The rail refused the payout for a reason in the payout itself, such as the customer's account. The refusal is not final yet,
 * but it shows that the rail works.
 */
const DECLINED = `(state = 'unknown' and evidence->'refused'->>'fault' = 'payout')`;
const UNKNOWN = `(state = 'unknown' and evidence->'refused'->>'fault' is distinct from 'payout')`;
/** The attempt has been pending at the rail for so long that its outcome counts as unknown. */
const STUCK = `(state = 'accepted' and at < $4)`;

const LANDED = `within group (order by extract(epoch from updated_at - at) * 1000) filter (where state = 'landed')::int`;
const counted = (condition: string) => columnFrom(`count(*) filter (where ${condition})::int`, plainColumn);

const FIGURES = defineColumns<RailFigures>({
  landed: counted(`state = 'landed'`),
  refused: counted(
    `${DECLINED} or (state in ('failed', 'rejected') and evidence->>'fault' is distinct from 'rail')`,
  ),
  failed: counted(`state in ('failed', 'dead') and evidence->>'fault' = 'rail'`),
  unknown: counted(`${UNKNOWN} or ${STUCK}`),
  underWay: counted(`state = 'prepared' or (state = 'accepted' and not ${STUCK})`),
  p50Ms: columnFrom(`percentile_disc(0.5) ${LANDED}`, plainColumn),
  p95Ms: columnFrom(`percentile_disc(0.95) ${LANDED}`, plainColumn),
});

async function readFigures(
  database: Database,
  { mode, rail }: RailKey,
  fromMs: number,
  nowMs: number,
): Promise<RailFigures> {
  const { rows } = await database.query({
    name: 'rail-figures',
    text: `select ${FIGURES.list()}
      from movement_attempts where mode = $1 and rail = $2 and rail is not null and at >= $3`,
    values: [mode, rail, new Date(fromMs), new Date(nowMs - PENDING_LONG_MS)],
  });
  return FIGURES.read(rows[0]!);
}

/**
 * Writes nothing if a faster process has raised the fence. Also writes nothing if people have resumed the rail since this
 * result was read.
 */
async function save(database: Database, probed: ProbeResult): Promise<boolean> {
  const { pause, resumed } = probed;
  if (pause === null && !resumed) return write(database, probed);
  const { mode, rail } = probed;
  const detail = { mode, rail, reason: pause, subjectId: `rail ${mode} ${rail}` };
  const action = resumed ? 'rail.resumed' : 'rail.paused';
  return makeRunAudited(database)({ actor: ACTOR, atMs: probed.atMs }, action, detail, async (client) => {
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

async function write(database: Pick<Database, 'query'>, probed: ProbeResult): Promise<boolean> {
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
