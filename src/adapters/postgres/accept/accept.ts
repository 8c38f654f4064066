// Acceptance: one statement for a whole batch inserts transactions, idempotency keys and deposit targets, and counts what
// it inserted. Items are looked up one by one only when something is missing. A caller is answered only when its row is
// durable. A lost answer is found again by the ids, which are assigned before the first try.
import type { Acceptance, AcceptOutcome, IdempotencyBinding } from '../../../ports/store/acceptance.ts';
import type { Scope } from '../../../ports/store/reads.ts';
import { StoreUnavailable } from '../../../ports/store/unavailable.ts';
import { type Column, columnArrays } from '../connection/column-arrays.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { CLAIM_COLUMNS, IS_OPEN } from '../reads/open-claims.ts';
import {
  storedDeposits,
  TRANSACTION_COLUMNS,
  TRANSACTIONS,
  type TransactionRow,
  toTransaction,
} from '../reads/transaction-rows.ts';

/** How long a lost answer is retried before the callers get an unknown outcome. */
const RESOLVE_LOST_MS = 5_000;
const RETRY_PAUSE_MS = 100;
const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';
/** After this many conflicts without a conflicting row it is a bug and not a race. */
const MAX_CONFLICTS = 3;

/** What is sent to the database, column by column: arrays cost half as much as JSON. */
const COLUMNS: readonly Column<Acceptance>[] = [
  ['id', 'text', ({ transaction: t }) => t.id],
  ['type', 'text', ({ transaction: t }) => t.type],
  ['reference', 'text', ({ transaction: t }) => t.reference],
  ['state', 'transaction_state', ({ transaction: t }) => t.state],
  ['amount_minor', 'bigint', ({ transaction: t }) => t.amountMinor.toString()],
  ['fee_minor', 'bigint', ({ transaction: t }) => t.feeMinor.toString()],
  ['account_number', 'text', ({ transaction: t }) => t.accountNumber],
  ['account_name', 'text', ({ transaction: t }) => t.accountName],
  ['bank_name', 'text', ({ transaction: t }) => t.bankName],
  ['bank_code', 'text', ({ transaction: t }) => t.bankCode],
  ['flags', 'text', ({ transaction: t }) => t.flags.join(' ')],
  ['vendor_id', 'text', ({ transaction: t }) => t.vendor?.vendorId ?? null],
  ['vendor_name', 'text', ({ transaction: t }) => t.vendor?.name ?? null],
  ['vendor_number', 'text', ({ transaction: t }) => t.vendor?.number ?? null],
  ['vendor_bank', 'text', ({ transaction: t }) => t.vendor?.bank ?? null],
  ['network', 'text', ({ transaction: t }) => t.wallet?.network ?? null],
  ['wallet_address', 'text', ({ transaction: t }) => t.wallet?.address ?? null],
  ['deposits', 'text', ({ transaction: t }) => (t.type === 'sell' ? depositsJson(t) : null)],
  ['body_hash', 'text', ({ bodyHash }) => bodyHash],
  ['key_id', 'text', ({ keyId }) => keyId],
  ['created_ms', 'float8', ({ transaction: t }) => t.createdAtMs.toString()],
  ['expires_ms', 'float8', ({ transaction: t }) => t.expiresAtMs.toString()],
  ['idempotency_key', 'text', ({ idempotency }) => idempotency?.key ?? null],
  ['request_hash', 'text', ({ idempotency }) => idempotency?.requestHash ?? null],
];

/** Test mode only: the sandbox's scenario of a transaction is inserted with it. */
const SCENARIO: Column<Acceptance> = ['scenario', 'text', ({ scenario }) => scenario];

function depositsJson(transaction: Acceptance['transaction']): string {
  return JSON.stringify(storedDeposits(transaction.deposits));
}

// Business and mode come from the key's own row, so a key cannot accept anything for another business. A reference that
// exists already is skipped. An idempotency key is looked up first, because its row must not remain after a conflict.
const acceptText = (columns: readonly Column<Acceptance>[], more = '') => `
with input as materialized (
  select i.*, a.business_id, a.mode, b.link_tag
  from unnest(${columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
    as i(${columns.map(([name]) => name).join(', ')})
  join (api_keys a join businesses b on b.id = a.business_id) on a.id = i.key_id
    and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
), inserted as (
  insert into transactions (id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number,
    account_name, bank_name, bank_code, flags, vendor_id, vendor_name, vendor_number, vendor_bank, deposits, body_hash,
    key_id, created_at, expires_at)
  select id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number,
    account_name, bank_name, bank_code, string_to_array(flags, ' '), vendor_id, vendor_name, vendor_number, vendor_bank,
    deposits::jsonb, body_hash, key_id, to_timestamp(created_ms / 1000), to_timestamp(expires_ms / 1000)
  from input i
  where (idempotency_key is null or not exists (select from idempotency_keys k
      where k.business_id = i.business_id and k.mode = i.mode and k.key = i.idempotency_key))
    and not exists (select from deposit_targets d
      where d.mode = i.mode and d.network = i.network and d.address = i.wallet_address)
  on conflict (business_id, mode, reference) do nothing
  returning id
), states as (
  insert into transaction_states (transaction_id, business_id, mode, type, created_at, state, version, due_at, updated_at,
    network, wallet_address)
  select id, business_id, mode, type, to_timestamp(created_ms / 1000), state, 1, to_timestamp(expires_ms / 1000),
    to_timestamp(created_ms / 1000), network, wallet_address
  from input where id in (select id from inserted)
), claims as (
  insert into open_claims (${CLAIM_COLUMNS})
  select id, mode, vendor_number, account_number, amount_minor, to_timestamp(expires_ms / 1000), reference
  from input where type = 'buy' and state in ${IS_OPEN} and id in (select id from inserted)
), keys as (
  insert into idempotency_keys (business_id, mode, key, request_hash, transaction_id, created_at)
  select business_id, mode, idempotency_key, request_hash, id, to_timestamp(created_ms / 1000)
  from input where idempotency_key is not null and id in (select id from inserted)
  order by business_id, mode, idempotency_key
), targets as (
  insert into deposit_targets (mode, network, address, memo, transaction_id)
  select i.mode, d.network, d.address, coalesce(d.memo, ''), i.id
  from input i, jsonb_to_recordset(i.deposits::jsonb) as d(network text, address text, memo text)
  where i.deposits is not null and i.id in (select id from inserted)
)${more}
select count(*)::int as count from inserted`;

interface Statement {
  readonly name: string;
  readonly columns: readonly Column<Acceptance>[];
  readonly text: string;
}

const PLAIN: Statement = { name: 'accept', columns: COLUMNS, text: acceptText(COLUMNS) };

const PLAYED_COLUMNS = [...COLUMNS, SCENARIO];
const PLAYED: Statement = {
  name: 'accept-with-scenarios',
  columns: PLAYED_COLUMNS,
  text: acceptText(
    PLAYED_COLUMNS,
    `, plays as (
  insert into simulated_plays (transaction_id, scenario, due_at)
  select id, scenario, to_timestamp(created_ms / 1000) from input
  where scenario is not null and id in (select id from inserted)
)`,
  ),
};

export async function acceptBatch(
  database: Database,
  batch: readonly Acceptance[],
): Promise<(AcceptOutcome | Error)[]> {
  const { unsure, refused } = await insertByMode(database, batch.toSorted(byUniqueKey));
  if (unsure.length === 0 && refused.size === 0) return batch.map(() => CREATED);
  const found = unsure.length === 0 ? undefined : await explain(database, unsure);
  return batch.map(({ transaction: { id } }) => refused.get(id) ?? found?.get(id) ?? CREATED);
}

const CREATED: AcceptOutcome = { kind: 'created' };

/** All batches write their unique keys in one order; otherwise two batches could deadlock. */
function byUniqueKey({ transaction: a }: Acceptance, { transaction: b }: Acceptance): number {
  if (a.businessId !== b.businessId) return a.businessId < b.businessId ? -1 : 1;
  if (a.mode !== b.mode) return a.mode < b.mode ? -1 : 1;
  return a.reference < b.reference ? -1 : 1;
}

interface Inserted {
  /** Batches that were not inserted completely: the outcome of each item has to be looked up. */
  readonly unsure: readonly Acceptance[];
  /** Refused by a constraint, by transaction id. */
  readonly refused: ReadonlyMap<string, Error>;
}

/** Live transactions never share a statement with a scenario: live acceptance touches no table of test mode. */
async function insertByMode(database: Database, batch: readonly Acceptance[]): Promise<Inserted> {
  if (batch.every(({ scenario }) => scenario === null)) return insertOrSplit(database, batch, PLAIN);
  const live = batch.filter(isLive);
  if (live.length === 0) return insertOrSplit(database, batch, PLAYED);
  const test = batch.filter((each) => !isLive(each));
  return both(await insertOrSplit(database, live, PLAIN), await insertOrSplit(database, test, PLAYED));
}

function isLive({ transaction, scenario }: Acceptance): boolean {
  return transaction.mode === 'live' && scenario === null;
}

function both(first: Inserted, second: Inserted): Inserted {
  return {
    unsure: [...first.unsure, ...second.unsure],
    refused: new Map([...first.refused, ...second.refused]),
  };
}

/** One constraint violation aborts the whole statement: split until only the item that causes it is refused. */
async function insertOrSplit(
  database: Database,
  batch: readonly Acceptance[],
  statement: Statement,
  conflicts = 0,
): Promise<Inserted> {
  try {
    const count = await insertUntilKnown(database, batch, statement);
    return { unsure: count === batch.length ? [] : batch, refused: new Map() };
  } catch (error) {
    const state = sqlState(error);
    if (state === undefined) throw error;
    if ((state === UNIQUE_VIOLATION || state === DEADLOCK) && conflicts < MAX_CONFLICTS) {
      // Another process inserted the same key first. It is committed now, so the next try finds it.
      return insertOrSplit(database, batch, statement, conflicts + 1);
    }
    if (batch.length === 1) {
      return { unsure: [], refused: new Map([[batch[0]!.transaction.id, error as Error]]) };
    }
    const middle = batch.length >> 1;
    return both(
      await insertOrSplit(database, batch.slice(0, middle), statement),
      await insertOrSplit(database, batch.slice(middle), statement),
    );
  }
}

/** After a lost answer the outcome is unknown, so the same rows are inserted again until the database answers. */
async function insertUntilKnown(
  database: Database,
  batch: readonly Acceptance[],
  { name, text, columns }: Statement,
): Promise<number> {
  const query = { name, text, values: columnArrays(columns, batch) };
  const giveUpAt = performance.now() + RESOLVE_LOST_MS;
  for (let acted = false; ; ) {
    try {
      return (await database.query<{ count: number }>(query)).rows[0]!.count;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      acted ||= error.mayHaveActed;
      if (!acted || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }
}

interface FoundRow extends TransactionRow {
  wanted_id: string;
  key_active: boolean;
  same_body: boolean | null;
  keyed: boolean;
  same_request: boolean | null;
}

/** Why each item was not inserted: the transaction that its idempotency key, or else its reference, belongs to. */
const EXPLAIN = `
with asked as (
  select i.*, k.transaction_id as keyed_id, k.request_hash = i.request_hash as same_request,
    coalesce(k.transaction_id, (select t.id from transactions t
      where t.business_id = i.business_id and t.mode = i.mode and t.reference = i.reference)) as found_id
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    as i(wanted_id, business_id, mode, reference, wanted_hash, idempotency_key, request_hash, key_id)
  left join idempotency_keys k on k.business_id = i.business_id and k.mode = i.mode and k.key = i.idempotency_key
)
select wanted_id, same_request, keyed_id is not null as keyed, t.body_hash = wanted_hash as same_body, t.*,
  exists (select from api_keys a where a.id = asked.key_id and a.revoked_at is null
    and (a.expires_at is null or a.expires_at > now())) as key_active
from asked left join lateral (
  select ${TRANSACTION_COLUMNS}, t.body_hash from ${TRANSACTIONS} where t.id = found_id limit 1) t on true`;

async function explain(
  database: Database,
  missed: readonly Acceptance[],
): Promise<ReadonlyMap<string, AcceptOutcome>> {
  const { rows } = await database.query<FoundRow>({
    name: 'accept-explain',
    text: EXPLAIN,
    values: [
      missed.map(({ transaction }) => transaction.id),
      missed.map(({ transaction }) => transaction.businessId),
      missed.map(({ transaction }) => transaction.mode),
      missed.map(({ transaction }) => transaction.reference),
      missed.map(({ bodyHash }) => bodyHash),
      missed.map(({ idempotency }) => idempotency?.key ?? null),
      missed.map(({ idempotency }) => idempotency?.requestHash ?? null),
      missed.map(({ keyId }) => keyId),
    ],
  });
  const outcomes = new Map(rows.map((row) => [row.wanted_id, outcomeOf(row)]));
  const keyed = new Set(rows.filter((row) => row.keyed).map((row) => row.wanted_id));
  for (const { transaction: wanted, idempotency } of missed) {
    const outcome = outcomes.get(wanted.id)!;
    if (outcome.kind !== 'repeated' || idempotency === null || keyed.has(wanted.id)) continue;
    await bindIdempotencyKey(database, wanted, idempotency, outcome.transaction.id, wanted.createdAtMs);
  }
  return outcomes;
}

function outcomeOf(row: FoundRow): AcceptOutcome {
  // Our own row, inserted by a try whose answer was lost.
  if (row.id === row.wanted_id) return CREATED;
  if (!row.key_active) return { kind: 'key_revoked' };
  if (row.keyed && !row.same_request) return { kind: 'idempotency_key_reused' };
  // The key is active and nothing conflicts, so the destination is the only reason left.
  if (row.id === null) return { kind: 'wallet_is_ours' };
  if (!row.keyed && !row.same_body) return { kind: 'reference_reused', transaction: toTransaction(row) };
  return { kind: 'repeated', transaction: toTransaction(row) };
}

/** A repeated request with a new Idempotency-Key binds that key to the same transaction. */
export async function bindIdempotencyKey(
  database: Database,
  { businessId, mode }: Scope,
  { key, requestHash }: IdempotencyBinding,
  transactionId: string,
  atMs: number,
): Promise<void> {
  await database.query({
    name: 'bind-idempotency-key',
    text: `insert into idempotency_keys (business_id, mode, key, request_hash, transaction_id, created_at)
      values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000)) on conflict do nothing`,
    values: [businessId, mode, key, requestHash, transactionId, atMs],
  });
}
