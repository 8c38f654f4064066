// Lists payouts and bank refunds, newest first. Each filter uses an index, so the cost of a page depends only on its own rows.
import { readPayoutWait } from '../../../domain/movements/outcome-memory.ts';
import type {
  PayoutAttempt,
  PayoutFilter,
  PayoutRow,
  PayoutWithAttempts,
} from '../../../ports/operations/operations-store.ts';
import type { Database } from '../connection/database.ts';
import { type AnyRow, MOVEMENTS } from '../reads/settlement-rows.ts';
import { listCasesOfMovement } from './cases.ts';

/** `'~'` sorts after every id, because ids consist of letters, digits and underscores. */
const BELOW = `coalesce($2::text, '~')`;
const OWN = `select ${MOVEMENTS.columns} from movements where network is null and mode = $1 and id < ${BELOW}`;
const NEWEST = 'order by id desc limit $3';
const ON_RAIL =
  'exists (select from movement_attempts a where a.movement_id = movements.id and a.rail = $4 and a.mode = $1)';

/** Reads the attempts of a rail in the order of an index. Most of these attempts belong to finished payouts. */
const alongRailSql = (state: string) => `select ${MOVEMENTS.columns} from (
    select distinct on (movement_id) movement_id from movement_attempts
    where mode = $1 and rail = $4 and movement_id < ${BELOW} order by movement_id desc) a
  join movements on id = a.movement_id where network is null${state} order by a.movement_id desc limit $3`;

const TEXTS = {
  all: `${OWN} ${NEWEST}`,
  done: `${OWN} and state = 'done' ${NEWEST}`,
  state: `${OWN} and state <> 'done' and state = $4 ${NEWEST}`,
  rail: alongRailSql(''),
  rail_done: alongRailSql(` and state = 'done'`),
  rail_state: `${OWN} and state <> 'done' and state = $5 and ${ON_RAIL} ${NEWEST}`,
} as const;

const withPayoutDetailsSql = (
  from: string,
) => `select m.*, a.rail, a.reference, a.evidence as "lastEvidence", t.business_id as "businessId", b.name as "businessName",
    c.id as "caseId"
  from (${from}) m
  left join lateral (select rail, reference, evidence from movement_attempts where movement_id = m.id order by no desc limit 1) a on true
  left join lateral (select business_id from transactions where id = m."transactionId" limit 1) t on true
  left join businesses b on b.id = t.business_id
  left join lateral (select id from cases where movement_id = m.id and closed_at is null order by id desc limit 1) c on true
  order by m.id desc`;

export async function listPayoutRows(
  database: Database,
  filter: PayoutFilter,
): Promise<readonly PayoutRow[]> {
  const { mode, state, rail, after, limit } = filter;
  const kind = state === null || state === 'done' ? state : 'state';
  const name = rail === null ? (kind ?? 'all') : kind === null ? 'rail' : (`rail_${kind}` as const);
  const given = [...(rail === null ? [] : [rail]), ...(kind === 'state' ? [state] : [])];
  const { rows } = await database.query<AnyRow>({
    ...{ name: `operations-payouts ${name}`, text: withPayoutDetailsSql(TEXTS[name]) },
    values: [mode, after, limit, ...given],
  });
  return rows.map(payoutOf);
}

const ONE = withPayoutDetailsSql(
  `select ${MOVEMENTS.columns} from movements where id = $1 and network is null`,
);
const ATTEMPTS = `select no, rail, reference, state, evidence, (extract(epoch from at) * 1000)::float8 as "atMs",
    (extract(epoch from updated_at) * 1000)::float8 as "updatedAtMs"
  from movement_attempts where movement_id = $1 order by no`;

export async function findPayoutRow(database: Database, id: string): Promise<PayoutWithAttempts | undefined> {
  const found = await database.query<AnyRow>({ name: 'operations-payout', text: ONE, values: [id] });
  if (found.rows[0] === undefined) return undefined;
  const { rows: attempts } = await database.query<PayoutAttempt>({
    ...{ name: 'operations-payout-attempts', text: ATTEMPTS, values: [id] },
  });
  return { payout: payoutOf(found.rows[0]), attempts, cases: await listCasesOfMovement(database, id) };
}

function payoutOf(found: AnyRow): PayoutRow {
  const { rail, reference, lastEvidence, businessId, businessName, caseId, ...row } = found;
  const movement = MOVEMENTS.read(row);
  return {
    ...movement,
    ...readPayoutWait(movement, lastEvidence),
    rail,
    reference,
    businessId,
    businessName,
    caseId,
  };
}
