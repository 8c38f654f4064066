// Searches the transactions of a business. The search text is looked up in the index of each field that it may match. Filters
// without an index are applied to a limited number of transactions, and the next page continues after them.
import { hash } from 'node:crypto';
import type { TransactionState } from '../../../domain/records/states.ts';
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import type { SearchFilter, SearchPage, TransactionSearch } from '../../../ports/activity.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import { JOIN_STATE, TRANSACTION_COLUMNS, toTransaction } from '../reads/transaction-rows.ts';
import { DELIVERY } from '../webhooks/rows.ts';

const MOST_LOOKED_AT = 2_000;
/** This text sorts after every id. */
const LAST_ID = 'txn_~';

const DELIVERIES = `
  select ${DELIVERY.list('d')}, e.url from webhook_endpoints e
  cross join lateral (select * from webhook_deliveries where endpoint_id = e.id and event_id = any ($3::text[])) d
  where e.business_id = $1 and e.mode = $2 and e.deleted_at is null
  order by d.id desc limit $4`;

export function makeTransactionSearch(database: Database): TransactionSearch {
  return {
    find: async (scope, filter) => {
      const { rows } = await database.query<Found>(findQuery(scope, filter));
      return pageOf(rows, filter.limit);
    },
    deliveriesOf: async ({ businessId, mode }, eventIds, limit) => {
      const { rows } = await database.query<{ url: string }>({
        name: 'deliveries-of-events',
        text: DELIVERIES,
        values: [businessId, mode, eventIds, limit],
      });
      return rows.map((row) => ({ ...DELIVERY.read(row), url: row.url }));
    },
  };
}

type Found = { id: string | null; looked_at: number; stopped_at: string | null };

/** When the search finds no transaction, the query still returns one row with the position that the search has reached. */
function pageOf(rows: readonly Found[], limit: number): SearchPage {
  const found = rows.filter(({ id }) => id !== null);
  const { looked_at: lookedAt, stopped_at: stoppedAt } = rows[0]!;
  return {
    transactions: found.map(toTransaction),
    stoppedAt: lookedAt < MOST_LOOKED_AT || found.length === limit ? null : stoppedAt,
  };
}

/** Ids are in order of time, so a range of times is a range of ids. The range includes its first id and excludes its end. */
function rangeOf({ after, createdFromMs, createdToMs }: SearchFilter) {
  const first = createdFromMs === undefined ? '' : findIdLowerBound('txn', createdFromMs);
  const ends = [after?.id, createdToMs === undefined ? undefined : findIdLowerBound('txn', createdToMs + 1)];
  const end = ends.filter((each) => each !== undefined).toSorted()[0] ?? LAST_ID;
  return { first, end };
}

type BindValue = (value: unknown) => string;

function findQuery(scope: BusinessScope, filter: SearchFilter) {
  const { first, end } = rangeOf(filter);
  const values: unknown[] = [scope.businessId, scope.mode, filter.limit, end, first];
  const bind: BindValue = (value) => `$${values.push(value)}`;
  const text = `
    with ids as materialized (
      select distinct id from (${candidateIdsSql(filter, bind)}) c order by id desc limit ${MOST_LOOKED_AT})
    select looked.*, page.* from (
      select count(*)::int as looked_at, min(id) as stopped_at from ids) looked
    left join lateral (
      select ${TRANSACTION_COLUMNS} from ids
      cross join lateral (select * from transactions where id = ids.id limit 1) t ${JOIN_STATE}
      where ${conditionsSql(filter, bind).join(' and ')}
      order by t.id desc limit $3) page on true`;
  // Each combination of filters has a separate SQL text. The combinations are few enough to prepare each one.
  return { name: `find ${hash('md5', text, 'hex')}`, text, values };
}

const idInRangeSql = (id: string) => `${id} < $4 and ${id} >= $5`;

/** The business is checked again here, so that an id of a different business is never found. */
function conditionsSql(filter: SearchFilter, bind: BindValue): string[] {
  return [
    `t.business_id = $1 and t.mode = $2 and ${idInRangeSql('t.id')}`,
    ...(filter.type === undefined ? [] : [`t.type = ${bind(filter.type)}`]),
    ...(filter.state === undefined ? [] : [`s.state = ${bind(filter.state)}`]),
    ...(filter.reference === undefined ? [] : [`t.reference = ${bind(filter.reference)}`]),
    ...(filter.network === undefined ? [] : [onNetworkSql(bind(filter.network))]),
    ...(filter.amountMinor === undefined ? [] : [`t.amount_minor = ${bind(filter.amountMinor.toString())}`]),
  ];
}

/** A sell without a wallet waits on every network for which it has a deposit instruction. */
function onNetworkSql(network: string): string {
  return `(s.network = ${network} or (s.network is null and exists (
    select from jsonb_to_recordset(t.deposits) as d(network text) where d.network = ${network})))`;
}

const NEWEST = `order by id desc limit ${MOST_LOOKED_AT}`;
/** The movement of an attempt. A movement without a transaction has the id null, which matches no transaction. */
const MOVEMENT_OF_A = `cross join lateral (
  select transaction_id from movements where id = a.movement_id limit 1) m`;
const OF_BUSINESS = 'business_id = $1 and mode = $2';

/** The ids of transactions that may match. Each part reads a range of one index in the order of ids. */
function candidateIdsSql({ terms, amountMinor, ...filter }: SearchFilter, bind: BindValue): string {
  const byAmount = (minor: bigint) => `(select id from transactions
    where ${OF_BUSINESS} and amount_minor = ${bind(minor.toString())} and fee_minor >= 0 and ${idInRangeSql('id')} ${NEWEST})`;
  if (terms === undefined)
    return amountMinor === undefined ? newestIdsSql(filter, bind) : byAmount(amountMinor);
  const text = bind(terms.text);
  const [networks, hashes, wallets] = [bind(terms.networks), bind(terms.hashes), bind(terms.wallets)];
  const onHash = (of: string, column: string) =>
    `${of}.mode = $2 and ${of}.network = any (${networks}::text[]) and ${of}.${column} = any (${hashes}::text[])`;
  return [
    `select id from transactions where id = ${text}`,
    `select id from transactions where ${OF_BUSINESS} and reference = ${text}`,
    `(select id from transactions
      where ${OF_BUSINESS} and account_number = ${text} and fee_minor >= 0 and ${idInRangeSql('id')} ${NEWEST})`,
    ...(terms.amountMinor === null ? [] : [byAmount(terms.amountMinor)]),
    `select transaction_id from deposit_targets
      where mode = $2 and network = any (${networks}::text[]) and address = any (${wallets}::text[])`,
    `(select transaction_id as id from transaction_states
      where ${OF_BUSINESS} and wallet_address = any (${wallets}::text[]) and ${idInRangeSql('transaction_id')}
      ${NEWEST})`,
    `select m.transaction_id from movement_attempts a ${MOVEMENT_OF_A} where ${onHash('a', 'reference')}`,
    `select m.transaction_id from attempt_replacements p cross join lateral (select movement_id from movement_attempts
      where mode = p.mode and network = p.network and reference = p.reference) a ${MOVEMENT_OF_A}
      where ${onHash('p', 'hash')}`,
    `select d.transaction_id from deposits d where ${onHash('d', 'tx_hash')}`,
  ].join('\n union all ');
}

/** States that last only seconds are listed under a different state (migrations/0002_transactions.sql). */
const LISTED_AS: Partial<Record<TransactionState, TransactionState>> = {
  sending: 'paid',
  confirming: 'paid',
  paying_out: 'deposited',
};

function newestIdsSql(
  { type, state, createdFromMs, createdToMs, after }: SearchFilter,
  bind: BindValue,
): string {
  const [table, id] = state === undefined ? ['transactions', 'id'] : ['transaction_states', 'transaction_id'];
  const time = (timeMs: number) => `to_timestamp(${bind(timeMs)}::float8 / 1000)`;
  const conditions = [
    'r.business_id = $1 and r.mode = $2 and r.type = wanted_type',
    ...(state === undefined ? [] : [`r.listed = ${bind(LISTED_AS[state] ?? state)}`]),
    ...(createdFromMs === undefined ? [] : [`r.created_at >= ${time(createdFromMs)}`]),
    ...(createdToMs === undefined ? [] : [`r.created_at <= ${time(createdToMs)}`]),
    ...(after === undefined
      ? []
      : [`(r.created_at, r.${id}) < (${time(after.createdAtMs)}, ${bind(after.id)})`]),
  ];
  const types = type === undefined ? `('buy'), ('sell')` : `(${bind(type)})`;
  return `select r.id from (values ${types}) as wanted(wanted_type) cross join lateral (
    select r.${id} as id from ${table} r where ${conditions.join(' and ')}
    order by r.created_at desc, r.${id} desc limit ${MOST_LOOKED_AT}) r`;
}
