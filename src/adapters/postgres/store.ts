// The store on PostgreSQL: its two writes, the queues, and the reads of a business's own transactions.
import { hash } from 'node:crypto';
import type { TransactionState } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Acceptance, AcceptOutcome } from '../../ports/store/acceptance.ts';
import { type BusinessScope, DEFAULT_CLAIM_LIMIT, type TransactionFilter } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import { acceptBatch } from './accept/accept-batch.ts';
import { bindIdempotencyKey } from './accept/explain-missed.ts';
import { makeAccountNumbers } from './commit/account-numbers.ts';
import { commitChanges } from './commit/commit.ts';
import type { Database } from './connection/database.ts';
import { makeGroupCommit } from './connection/group-commit.ts';
import { makeAccountReads } from './reads/account-reads.ts';
import { findCandidates, findClaimsOfAmount, hastenCredits } from './reads/candidates.ts';
import { makeDepositTargetReads } from './reads/deposit-target-reads.ts';
import { makeHastenWrites } from './reads/hasten-writes.ts';
import { makeEndedPayouts, makeMovementReads } from './reads/movement-reads.ts';
import { holdFeed, leaseMovements, leaseRecords, leaseTransactions } from './reads/queues.ts';
import { makeRecordReads } from './reads/record-reads.ts';
import { makeReportReads } from './reads/report-reads.ts';
import { CREDITS, DEPOSITS, NOTICES, REPORTS } from './reads/settlement-rows.ts';
import {
  JOIN_FACTS,
  JOIN_STATE,
  TRANSACTION_COLUMNS,
  TRANSACTIONS,
  toTransaction,
} from './reads/transaction-rows.ts';

/** Each of these reads finds its rows by an index, so its cost does not grow with the number of finished transactions. */
function settlementReads(database: Database) {
  return {
    ...makeDepositTargetReads(database),
    ...makeRecordReads(database),
    ...makeMovementReads(database),
    ...makeAccountReads(database),
    ...makeHastenWrites(database),
    ...makeCandidateReads(database),
    ...makeReportReads(database),
  };
}

function makeCandidateReads(
  database: Database,
): Pick<Store, 'findCandidates' | 'claimsOfAmount' | 'hastenCredits'> {
  return {
    findCandidates: (credits, windowMs, most = DEFAULT_CLAIM_LIMIT) =>
      findCandidates(database, credits, windowMs, most),
    claimsOfAmount: (credits, windowMs, most) => findClaimsOfAmount(database, credits, windowMs, most),
    hastenCredits: (claims, atMs) => hastenCredits(database, claims, atMs),
  };
}

const ACCEPT_MAX_BATCH = 256;
const ACCEPT_LANES = 3;
const ACCEPT_PATIENCE_MS = 25;

export interface PostgresStore extends Store {
  drain(): Promise<void>;
}

export function makePostgresStore(
  database: Database,
  onBatch: (size: number, seconds: number) => void = () => undefined,
): PostgresStore {
  const acceptances = makeGroupCommit<Acceptance, AcceptOutcome>({
    write: async (batch) => {
      const startedAtMs = performance.now();
      const outcomes = await acceptBatch(database, batch);
      onBatch(batch.length, (performance.now() - startedAtMs) / 1_000);
      return outcomes;
    },
    keysOf: uniqueKeys,
    maxBatch: ACCEPT_MAX_BATCH,
    lanes: ACCEPT_LANES,
    patienceMs: ACCEPT_PATIENCE_MS,
  });
  const numbers = makeAccountNumbers(database);
  return {
    ...settlementReads(database),
    ...makeEndedPayouts(database),
    accept: (acceptance) => acceptances.submit(acceptance),
    drain: () => acceptances.drain(),
    commit: (changes, feed) => commitChanges(database, numbers, changes, feed),
    leaseTransactions: (states, request) => leaseTransactions(database, states, request),
    leaseCredits: (request) => leaseRecords(database, CREDITS, request),
    leaseDeposits: (request) => leaseRecords(database, DEPOSITS, request),
    leaseNotices: (request) => leaseRecords(database, NOTICES, request),
    leaseReports: (request) => leaseRecords(database, REPORTS, request),
    leaseMovements: (states, request) => leaseMovements(database, states, request),
    holdFeed: (name, holder, atMs, leaseMs) => holdFeed(database, name, holder, atMs, leaseMs),
    findRepeated: (scope, claims) => findRepeated(database, scope, claims),
    findTransaction: (scope, id) => findTransaction(database, scope, id),
    listTransactions: (scope, filter) => listTransactions(database, scope, filter),
    isDepositTarget: async (mode, { network, address }) => {
      const { rows } = await database.query({
        name: 'is-deposit-target',
        text: 'select from deposit_targets where mode = $1 and network = $2 and address = $3 limit 1',
        values: [mode, network, address],
      });
      return rows.length > 0;
    },
    bindIdempotencyKey: (scope, claim, transactionId, atMs) =>
      bindIdempotencyKey(database, scope, claim, transactionId, atMs),
    findIdempotencyKey: (scope, key) => findIdempotencyKey(database, scope, key),
    purgeIdempotencyKeys: (beforeMs) => purgeIdempotencyKeys(database, beforeMs),
  };
}

function uniqueKeys({ transaction, idempotency }: Acceptance): string[] {
  const scope = `${transaction.businessId} ${transaction.mode}`;
  const keys = [`${scope} reference ${transaction.reference}`];
  if (idempotency !== null) keys.push(`${scope} key ${idempotency.key}`);
  if (transaction.quoteId !== null) keys.push(`${scope} quote ${transaction.quoteId}`);
  return keys;
}

async function findRepeated(
  database: Database,
  scope: BusinessScope,
  { reference, idempotencyKey, quoteId, bodyHash }: Parameters<Store['findRepeated']>[1],
): Promise<Transaction | undefined> {
  const { rows } = await database.query({
    name: 'find-repeated',
    text: `select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS} where t.id = coalesce(
      (select transaction_id from idempotency_keys
        where business_id = $1 and mode = $2 and key = $3 and request_hash = $5),
      (select id from transactions where business_id = $1 and mode = $2 and reference = $4 and body_hash = $5),
      (select id from transactions where quote_id = $6 and business_id = $1 and mode = $2 and body_hash = $5))`,
    values: [scope.businessId, scope.mode, idempotencyKey, reference, bodyHash, quoteId],
  });
  return rows[0] && toTransaction(rows[0]);
}

async function findTransaction(
  database: Database,
  scope: BusinessScope,
  id: string,
): Promise<Transaction | undefined> {
  const { rows } = await database.query({
    name: 'find-transaction',
    text: `select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS} where t.id = $1 and t.business_id = $2 and t.mode = $3`,
    values: [id, scope.businessId, scope.mode],
  });
  return rows[0] && toTransaction(rows[0]);
}

async function listTransactions(
  database: Database,
  scope: BusinessScope,
  filter: TransactionFilter,
): Promise<Transaction[]> {
  const { rows } = await database.query(listQuery(scope, filter));
  return rows.map(toTransaction);
}

/** States that last only seconds are listed under another state (migrations/0002_transactions.sql). */
const LISTED_AS: Partial<Record<TransactionState, TransactionState>> = {
  sending: 'paid',
  confirming: 'paid',
  paying_out: 'deposited',
};

// The query reads one index range per type, each already sorted, and merges the ranges. So the cost does not grow with the
// table, for any filter. With a filter on the state, the range is in the table of states. Otherwise it is in the table of
// facts. The row in the other table is fetched by its id. The rows are sorted by time before id, so that the planner does not
// use the index on the ids of all businesses.
function listQuery(scope: BusinessScope, filter: TransactionFilter) {
  const values: unknown[] = [scope.businessId, scope.mode, filter.limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const bindTime = (timeMs: number) => `to_timestamp(${bind(timeMs)}::float8 / 1000)`;
  const ranged =
    filter.state === undefined || filter.reference !== undefined
      ? { table: 'transactions', as: 't', id: 'id', other: JOIN_STATE }
      : { table: 'transaction_states', as: 's', id: 'transaction_id', other: JOIN_FACTS };
  const conditions = ['r.business_id = $1', 'r.mode = $2'];
  if (filter.createdFromMs !== undefined)
    conditions.push(`r.created_at >= ${bindTime(filter.createdFromMs)}`);
  if (filter.createdToMs !== undefined) conditions.push(`r.created_at <= ${bindTime(filter.createdToMs)}`);
  if (filter.after !== undefined) {
    const { id, createdAtMs } = filter.after;
    conditions.push(`(r.created_at, r.${ranged.id}) < (${bindTime(createdAtMs)}, ${bind(id)})`);
  }
  if (filter.reference !== undefined) {
    if (filter.type !== undefined) conditions.push(`r.type = ${bind(filter.type)}`);
    conditions.push(`r.reference = ${bind(filter.reference)}`);
    const inState = filter.state === undefined ? '' : `where s.state = ${bind(filter.state)}`;
    const text = `select ${TRANSACTION_COLUMNS} from (
      select * from transactions r where ${conditions.join(' and ')}) t ${JOIN_STATE} ${inState} limit $3`;
    return { text, values };
  }
  if (filter.state !== undefined) {
    conditions.push(`r.listed = ${bind(LISTED_AS[filter.state] ?? filter.state)}`);
    conditions.push(`r.state = ${bind(filter.state)}`);
  }
  const types = filter.type === undefined ? `('buy'), ('sell')` : `(${bind(filter.type)})`;
  const newestFirst = (of: string) => `order by ${of}.created_at desc, ${of}.${ranged.id} desc limit $3`;
  const text = `
    select ${TRANSACTION_COLUMNS} from (
      select r.* from (values ${types}) as wanted(wanted_type) cross join lateral (
        select * from ${ranged.table} r where ${conditions.join(' and ')} and r.type = wanted_type ${newestFirst('r')}
      ) r ${newestFirst('r')}) ${ranged.as} ${ranged.other} ${newestFirst(ranged.as)}`;
  // Each combination of filters has a separate SQL text. There are few enough combinations to prepare each one.
  return { name: `list ${hash('md5', text, 'hex')}`, text, values };
}

async function findIdempotencyKey(database: Database, scope: BusinessScope, key: string) {
  const { rows } = await database.query<{ request_hash: string; transaction_id: string }>({
    name: 'find-idempotency-key',
    text: `select request_hash, transaction_id from idempotency_keys
      where business_id = $1 and mode = $2 and key = $3`,
    values: [scope.businessId, scope.mode, key],
  });
  return rows[0] && { requestHash: rows[0].request_hash, transactionId: rows[0].transaction_id };
}

const PURGE_BATCH = 5_000;

/** Deletes keys in batches that stay well below the time limit of a statement. */
async function purgeIdempotencyKeys(database: Database, beforeMs: number): Promise<number> {
  for (let purged = 0; ; ) {
    const { rowCount } = await database.query({
      name: 'purge-idempotency-keys',
      text: `delete from idempotency_keys where ctid = any (array(
        select ctid from idempotency_keys where created_at < to_timestamp($1::float8 / 1000) limit $2))`,
      values: [beforeMs, PURGE_BATCH],
    });
    purged += rowCount ?? 0;
    if ((rowCount ?? 0) < PURGE_BATCH) return purged;
  }
}
