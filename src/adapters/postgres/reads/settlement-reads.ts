// Reads for settlement: records by id or by what they belong to, and the claims a credit may pay. Each finds its rows by
// an index, so its cost does not grow with the past.
import { idsFrom } from '../../../domain/values/ids.ts';
import { FEW_CLAIMS, type TimelineLine } from '../../../ports/store/reads.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { findCandidates, hastenCredits } from './candidates.ts';
import { ATTEMPTS, CREDITS, DEPOSITS, MOVEMENTS, type Reader } from './settlement-rows.ts';
import { TRANSACTION_COLUMNS, TRANSACTIONS, toTransaction } from './transaction-rows.ts';

type Reads = Pick<
  Store,
  | 'findDepositTargets'
  | 'depositAddresses'
  | 'oldDepositAddresses'
  | 'ownDepositAddresses'
  | 'turnOf'
  | 'findCandidates'
  | 'hastenCredits'
  | 'hastenNotices'
  | 'hastenRefunds'
  | 'transactionsById'
  | 'creditsById'
  | 'partsOf'
  | 'depositsOf'
  | 'creditsOf'
  | 'movementsOf'
  | 'movementsOfCredit'
  | 'movementById'
  | 'lastAttempts'
  | 'findCredit'
  | 'findDeposits'
  | 'balances'
  | 'usage'
  | 'timeline'
>;

export function settlementReads(database: Database): Reads {
  const rowsBy = async <Record>(
    { table, columns, read }: Reader<Record>,
    column: string,
    ids: readonly string[],
  ): Promise<Record[]> => {
    if (ids.length === 0) return [];
    const { rows } = await database.query({
      name: `${table}-by-${column}`,
      text: `select ${columns} from ${table} where ${column} = any ($1::text[])`,
      values: [ids],
    });
    // Sorted here: asked for an order, the planner reads a small table whole by that order's index, and keeps to it.
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(read);
  };
  return {
    findDepositTargets: async (mode, network, targets) => {
      if (targets.length === 0) return [];
      const { rows } = await database.query<{ id: string | null }>({
        name: 'find-deposit-targets',
        text: `select (select d.transaction_id from deposit_targets d
            where d.mode = $1 and d.network = $2 and d.address = x.address and d.memo = x.memo) as id
          from unnest($3::text[], $4::text[]) with ordinality as x(address, memo, n) order by x.n`,
        values: [mode, network, targets.map((each) => each.address), targets.map((each) => each.memo)],
      });
      return rows.map((row) => row.id ?? undefined);
    },
    depositAddresses: async (mode, network, sinceMs) => {
      const { rows } = await database.query<{ address: string }>({
        name: 'deposit-addresses',
        text: `select distinct address from deposit_targets where mode = $1 and network = $2 and transaction_id >= $3`,
        values: [mode, network, idsFrom('txn', sinceMs)],
      });
      return rows.map(({ address }) => address);
    },
    oldDepositAddresses: async (mode, network, { beforeMs, afterId, limit }) => {
      const { rows } = await database.query<{ transactionId: string; address: string }>({
        name: 'old-deposit-addresses',
        text: `select transaction_id as "transactionId", address from deposit_targets
          where mode = $1 and network = $2 and transaction_id < $3 and transaction_id > $4
          order by transaction_id limit $5`,
        values: [mode, network, idsFrom('txn', beforeMs), afterId ?? '', limit],
      });
      return rows;
    },
    ownDepositAddresses: async (mode, network, addresses) => {
      if (addresses.length === 0) return new Set();
      const { rows } = await database.query<{ address: string }>({
        name: 'own-deposit-addresses',
        text: `select x.address from unnest($3::text[]) as x(address) where exists (
            select from deposit_targets d where d.mode = $1 and d.network = $2 and d.address = x.address)`,
        values: [mode, network, addresses],
      });
      return new Set(rows.map(({ address }) => address));
    },
    turnOf: async (mode, network, wallet) => {
      const { rows } = await database.query<{ last: string | null; live: number; flying: string }>({
        name: 'turn-of',
        text: `select
            (select a.sequence from movement_attempts a where a.mode = $1 and a.network = $2 and a.source = $3
              and a.sequence is not null and a.envelope_index = 0 and a.holds_sequence
              order by a.sequence::numeric desc limit 1) as last,
            (select count(*)::int from movement_attempts a where a.mode = $1 and a.network = $2 and a.source = $3
              and a.sequence is not null and a.envelope_index = 0 and a.may_land) as live,
            (select coalesce(sum(m.amount_minor), 0) from movements m where m.mode = $1 and m.network = $2
              and m.network is not null and m.state in ('sending', 'unknown') and m.kind <> 'sweep') as flying`,
        values: [mode, network, wallet],
      });
      const { last, live, flying } = rows[0]!;
      return { lastSequence: last, live, inFlightMinor: BigInt(flying) };
    },
    findCandidates: (credits, windowMs, most = FEW_CLAIMS) =>
      findCandidates(database, credits, windowMs, most),
    hastenCredits: (claims, atMs) => hastenCredits(database, claims, atMs),
    hastenNotices: async (credits, atMs) => {
      const { rows } = await database.query<{ id: string }>({
        name: 'hasten-notices',
        // In the order in which commits take them, so that neither waits for the other.
        text: `with told as materialized (
            select n.id as notice_id, x.id as credit_id
            from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as x(id, mode, source, source_id)
            join bank_notices n on n.mode = x.mode and n.source = x.source and n.about = x.source_id
              and n.state = 'open' and n.kind = 'credit_reversed'
            order by n.id for update of n)
          update bank_notices n set due_at = to_timestamp($5::float8 / 1000), version = n.version + 1
          from told where n.id = told.notice_id
          returning told.credit_id as id`,
        values: [
          credits.map(({ id }) => id),
          credits.map(({ mode }) => mode),
          credits.map(({ source }) => source),
          credits.map(({ sourceId }) => sourceId),
          atMs,
        ],
      });
      return new Set(rows.map(({ id }) => id));
    },
    hastenRefunds: async (transactionId, atMs) => {
      await database.query({
        name: 'hasten-refunds',
        // Whoever looked before must look again: the version says so.
        text: `with waiting as materialized (
            select id from movements where transaction_id = $1 and kind = 'refund'
            order by id for update)
          update movements set due_at = to_timestamp($2::float8 / 1000), version = version + 1
          where id = any (array(select id from waiting)) and state = 'pending' and destination is null`,
        values: [transactionId, atMs],
      });
    },
    transactionsById: async (ids) => {
      if (ids.length === 0) return new Map();
      const { rows } = await database.query({
        name: 'transactions-by-id',
        text: `select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS} where t.id = any ($1::text[])`,
        values: [ids],
      });
      return new Map(rows.map((row) => [row.id as string, toTransaction(row as never)]));
    },
    creditsById: async (ids) => new Map((await rowsBy(CREDITS, 'id', ids)).map((each) => [each.id, each])),
    partsOf: (creditId) => rowsBy(CREDITS, 'parent_id', [creditId]),
    depositsOf: (ids) => rowsBy(DEPOSITS, 'transaction_id', ids),
    creditsOf: (ids) => rowsBy(CREDITS, 'transaction_id', ids),
    movementsOf: async (ids) => {
      if (ids.length === 0) return [];
      // Two indexes, one for each kind of condition.
      const { rows } = await database.query({
        name: 'movements-of',
        text: `select ${MOVEMENTS.columns} from movements where transaction_id = any ($1::text[]) and kind in ('send', 'payout')
          and state <> 'failed'
          union all select ${MOVEMENTS.columns} from movements where transaction_id = any ($1::text[]) and kind = 'refund'`,
        values: [ids],
      });
      return rows.map(MOVEMENTS.read);
    },
    movementsOfCredit: (creditId) => rowsBy(MOVEMENTS, 'credit_id', [creditId]),
    movementById: async (id, tried) => {
      if (tried === undefined) return (await rowsBy(MOVEMENTS, 'id', [id]))[0];
      const { rows } = await database.query({
        name: 'movement-tried-on-rail',
        text: `select ${MOVEMENTS.columns} from movements where id = $1 and exists (
          select from movement_attempts where movement_id = $1 and rail = $2 and reference = $3)`,
        values: [id, tried.rail, tried.reference],
      });
      return rows[0] && MOVEMENTS.read(rows[0]);
    },
    lastAttempts: async (ids) => {
      if (ids.length === 0) return new Map();
      const { rows } = await database.query({
        name: 'last-attempts',
        text: `select ${ATTEMPTS.columns} from unnest($1::text[]) as x(id) cross join lateral (
            select * from movement_attempts where movement_id = x.id order by no desc limit 1) a
          left join lateral (
            select l.payload, l.orders from movement_attempts l where a.envelope_index > 0 and l.mode = a.mode
              and l.network = a.network and l.reference = a.reference and l.envelope_index = 0) lead on true`,
        values: [ids],
      });
      return new Map(rows.map((row) => [row.movementId as string, ATTEMPTS.read(row)]));
    },
    findDeposits: async (mode, network, transfers) => {
      if (transfers.length === 0) return [];
      const { rows } = await database.query({
        name: 'find-deposits',
        text: `select x.n, d.* from unnest($3::text[], $4::int[]) with ordinality as x(tx_hash, tx_index, n)
          cross join lateral (select ${DEPOSITS.columns} from deposits
            where mode = $1 and network = $2 and tx_hash = x.tx_hash and tx_index = x.tx_index) d`,
        values: [mode, network, transfers.map((each) => each.txHash), transfers.map((each) => each.txIndex)],
      });
      const found = new Map(rows.map(({ n, ...row }) => [Number(n), DEPOSITS.read(row)]));
      return transfers.map((_, index) => found.get(index + 1));
    },
    findCredit: async (mode, source, sourceId) => {
      const { rows } = await database.query({
        name: 'find-credit',
        text: `select ${CREDITS.columns} from bank_credits where mode = $1 and source = $2 and source_id = $3`,
        values: [mode, source, sourceId],
      });
      return rows[0] && CREDITS.read(rows[0]);
    },
    balances: async (keys) => {
      const { rows } = await database.query<{ key: string; balance: string }>({
        name: 'balances',
        text: 'select key, balance from accounts where key = any ($1::text[])',
        values: [keys],
      });
      return new Map(rows.map(({ key, balance }) => [key, BigInt(balance)]));
    },
    usage: async (keys) => {
      const { rows } = await database.query<{ used: string | null }>({
        name: 'limit-usage',
        text: `select (select u.used_minor from limit_usage u
            where u.business_id = x.business_id and u.mode = x.mode and u.period = x.period) as used
          from unnest($1::text[], $2::text[], $3::text[]) with ordinality as x(business_id, mode, period, n) order by x.n`,
        values: [keys.map((k) => k.businessId), keys.map((k) => k.mode), keys.map((k) => k.period)],
      });
      return rows.map((row) => BigInt(row.used ?? 0));
    },
    timeline: async (transactionId) => {
      const { rows } = await database.query<TimelineLine>({
        name: 'timeline',
        text: `select * from (
          select 1 as version, null::transaction_state as "from",
            coalesce((select from_state from timeline where transaction_id = t.id order by version limit 1), s.state) as "to",
            key_id as actor, 'accepted' as reason, null::jsonb as evidence,
            (extract(epoch from t.created_at) * 1000)::float8 as "atMs"
          from ${TRANSACTIONS} where t.id = $1
          union all
          select version, from_state, to_state, actor, reason, evidence, (extract(epoch from at) * 1000)::float8
          from timeline where transaction_id = $1) lines order by version`,
        values: [transactionId],
      });
      return rows;
    },
  };
}
