// The treasury watch on PostgreSQL. It reads the signed sends of the service by hash, and stores the read position of each
// network and the findings. A finding is recorded in the same transaction that halts its asset.
import {
  describeFinding,
  type SignedSend,
  type UnexplainedOutflow,
} from '../../../domain/movements/outflows.ts';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { StoredFinding, TreasuryWatch } from '../../../ports/treasury.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  ms,
  named,
  of,
  part,
  plainColumn,
} from '../connection/record-columns.ts';
import { type AnyRow, ATTEMPTS } from '../reads/settlement-rows.ts';

/** A hash belongs to the bytes that were signed first, or to a later version of the same payment. */
const NAMED = `named as materialized (
  select a.hash, a.hash as reference from asked a
  union select a.hash, r.reference from asked a join attempt_replacements r
    on r.mode = $1 and r.network = $2 and r.hash = a.hash)`;
const NOTE_LEFT = `
with asked as materialized (select * from unnest($3::text[], $4::numeric[]) as x(hash, left_minor)),
${NAMED}
update movement_attempts t set left_minor = a.left_minor
from named n join asked a on a.hash = n.hash
where t.mode = $1 and t.network = $2 and t.network is not null and t.reference = n.reference
  and a.left_minor > coalesce(t.left_minor, 0)`;
interface Sent {
  readonly hash: string;
  readonly order: SignedSend['orders'][number];
  readonly leftMinor: bigint | null;
}
const SENT = defineColumns<Sent>({
  hash: columnFrom('n.hash', plainColumn),
  order: part<Sent['order']>({
    ...{
      movementId: columnFrom('m.id', plainColumn),
      amountMinor: columnFrom('m.amount_minor', bigintColumn),
    },
    state: columnFrom('t.state', plainColumn),
  }),
  leftMinor: columnFrom('t.left_minor', bigintColumn),
});
const BY_HASH = `
with asked as materialized (select unnest($3::text[]) as hash),
${NAMED}
select ${SENT.list()}
from named n join movement_attempts t on t.mode = $1 and t.network = $2 and t.reference = n.reference
  and t.network is not null
join movements m on m.id = t.movement_id order by n.hash, t.envelope_index`;

const FINDING = defineColumns<StoredFinding>(
  of('f', {
    ...all(plainColumn, 'mode', 'network', 'txHash', 'asset', 'problem', 'movementIds'),
    ...{ amountMinor: bigintColumn, to: named('recipient', plainColumn), atMs: ms },
  }),
);
const OPEN = `select ${FINDING.list()} from outflow_findings f where not exists (
  select from outflow_acceptances a where a.mode = f.mode and a.network = f.network and a.tx_hash = f.tx_hash)`;

export function makeTreasuryWatch(database: Database): TreasuryWatch {
  const logged = makeRunAudited(database);
  const rows = async <Row = AnyRow>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await database.query<AnyRow>({ name, text, values })).rows;
  return {
    position: async (mode, network) => {
      const text = 'select position from outflow_positions where mode = $1 and network = $2';
      return (
        (await rows<{ position: string }>('outflow-position', text, [mode, network]))[0]?.position ?? null
      );
    },
    keepPosition: async (mode, network, position) => {
      const text = `insert into outflow_positions (mode, network, position) values ($1, $2, $3)
        on conflict (mode, network) do update set position = excluded.position`;
      await rows('keep-outflow-position', text, [mode, network, position]);
    },
    noteLeft: async (mode, network, left) => {
      if (left.size === 0) return;
      const amounts = [...left.values()].map((amount) => amount.toString());
      await rows('note-left', NOTE_LEFT, [mode, network, [...left.keys()], amounts]);
    },
    sendsByHash: async (mode, network, hashes) => {
      if (hashes.length === 0) return new Map();
      return toSends((await rows('sends-by-hash', BY_HASH, [mode, network, hashes])).map(SENT.read));
    },
    accepted: async (mode, network, txHashes) => {
      const text = `select tx_hash as "txHash" from outflow_acceptances
        where mode = $1 and network = $2 and tx_hash = any ($3::text[])`;
      const found = await rows<{ txHash: string }>('accepted-outflows', text, [mode, network, txHashes]);
      return new Set(found.map(({ txHash }) => txHash));
    },
    stop: (place, findings) => haltAsset(logged, place, findings),
    openFindings: async () =>
      (await rows('open-findings', `${OPEN} order by f.at, f.tx_hash`, [])).map(FINDING.read),
    haltOf: async (mode, asset) => {
      const text = 'select reason from halts where mode = $1 and asset = $2';
      const [halt] = await rows<{ reason: string }>('halt-of', text, [mode, asset]);
      if (halt === undefined) return undefined;
      const open = `${OPEN} and f.mode = $1 and f.asset = $2 order by f.at, f.tx_hash`;
      return {
        reason: halt.reason,
        findings: (await rows('findings-of', open, [mode, asset])).map(FINDING.read),
      };
    },
    deadSends: async (mode, network, { sinceMs, after, limit }) => {
      const text = `select ${ATTEMPTS.columns} from (
          select * from movement_attempts where mode = $1 and network = $2 and network is not null and envelope_index = 0
            and not_paid and state in ('dead', 'rejected') and updated_at >= to_timestamp($3::float8 / 1000) and reference > $4
          order by reference limit $5) a
        cross join lateral (select null::text as payload, null::jsonb as orders) lead order by a.reference`;
      return (await rows('dead-sends', text, [mode, network, sinceMs, after, limit])).map(ATTEMPTS.read);
    },
  };
}

async function haltAsset(
  logged: ReturnType<typeof makeRunAudited>,
  { mode, network, asset, atMs }: Parameters<TreasuryWatch['stop']>[0],
  findings: readonly UnexplainedOutflow[],
): Promise<readonly UnexplainedOutflow[]> {
  const [first] = findings;
  if (first === undefined) return [];
  const reason = describeFinding(first);
  const doing = { actor: serviceActor('treasury-watch'), atMs };
  const detail = { mode, network, asset, findings: findings.map(({ txHash }) => txHash), reason };
  const added = await logged(doing, 'sends_halted', detail, async (client) => {
    const inserted = await client.query<{ tx_hash: string }>(
      `insert into outflow_findings (mode, network, tx_hash, asset, problem, amount_minor, recipient, movement_ids, at)
          select $1, $2, f.tx_hash, $3, f.problem, f.amount_minor::numeric, f.recipient, f.movement_ids, to_timestamp($4::float8 / 1000)
          from jsonb_to_recordset($5::jsonb) as f(tx_hash text, problem text, amount_minor text, recipient text, movement_ids jsonb)
          order by f.tx_hash on conflict do nothing returning tx_hash`,
      [mode, network, asset, atMs, JSON.stringify(findings.map(findingRowOf))],
    );
    // While a finding is open, this halts the asset again, even if an operator removed the halt by hand.
    const halted = await client.query(
      'insert into halts (mode, asset, reason, at) values ($1, $2, $3, $4) on conflict do nothing',
      [mode, asset, reason, new Date(atMs)],
    );
    const isNews = (inserted.rowCount ?? 0) > 0 || halted.rowCount === 1;
    return isNews ? new Set(inserted.rows.map(({ tx_hash }) => tx_hash)) : false;
  });
  return added === false ? [] : findings.filter(({ txHash }) => added.has(txHash));
}

function toSends(rows: readonly Sent[]): Map<string, SignedSend> {
  const sends = new Map<string, SignedSend>();
  for (const [hash, own] of Map.groupBy(rows, (row) => row.hash))
    sends.set(hash, {
      orders: own.map(({ order }) => order),
      leftMinor: own.reduce((most, { leftMinor }) => maxBigint(most, leftMinor ?? 0n), 0n),
    });
  return sends;
}

function maxBigint(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function findingRowOf({ txHash, problem, amountMinor, to, movementIds }: UnexplainedOutflow): object {
  const amount_minor = amountMinor.toString();
  return { tx_hash: txHash, problem, amount_minor, recipient: to, movement_ids: movementIds };
}
