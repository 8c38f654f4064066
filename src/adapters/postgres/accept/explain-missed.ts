// Explains why an acceptance was not inserted, with one reason per item. Either the transaction exists already, or something
// prevents it.
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { Acceptance, AcceptOutcome, IdempotencyBinding } from '../../../ports/store/acceptance.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import { TRANSACTION_COLUMNS, TRANSACTIONS, toTransaction } from '../reads/transaction-rows.ts';

const CREATED: AcceptOutcome = { kind: 'created' };

interface Found {
  id: string | null;
  reference: string;
  wanted_id: string;
  key_active: boolean;
  same_body: boolean | null;
  keyed: boolean;
  same_request: boolean | null;
  quote: UnusableQuote | null;
}

/** Why a quote cannot be used, by the database's clock. */
interface UnusableQuote {
  readonly used: boolean;
  readonly expired: boolean;
  readonly expiresAtMs: number;
}

/**
 * Explains why each item was not inserted. Finds the transaction to which its idempotency key belongs. If there is none, finds
 * the transaction with its reference, and then the one with its quote. The reference is checked before the quote, because a
 * caller that sends a reference expects a conflict of that reference to be reported.
 */
const EXPLAIN = `
with asked as (
  select i.*, k.transaction_id as keyed_id, k.request_hash = i.request_hash as same_request,
    coalesce(k.transaction_id, (select t.id from transactions t
      where t.business_id = i.business_id and t.mode = i.mode and t.reference = i.reference), q.transaction_id) as found_id,
    case when q.id is not null then json_build_object('used', q.transaction_id is not null, 'expired', q.expires_at <= now(),
      'expiresAtMs', (extract(epoch from q.expires_at) * 1000)::float8) end as quote
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
    as i(wanted_id, business_id, mode, reference, wanted_hash, idempotency_key, request_hash, key_id, quote_id)
  left join quotes q on q.id = i.quote_id and q.business_id = i.business_id and q.mode = i.mode
  left join idempotency_keys k on k.business_id = i.business_id and k.mode = i.mode and k.key = i.idempotency_key
)
select wanted_id, same_request, keyed_id is not null as keyed, t.body_hash = wanted_hash as same_body, quote, t.*,
  exists (select from api_keys a where a.id = asked.key_id and a.revoked_at is null
    and (a.expires_at is null or a.expires_at > now())) as key_active
from asked left join lateral (
  select ${TRANSACTION_COLUMNS}, t.body_hash from ${TRANSACTIONS} where t.id = found_id limit 1) t on true`;

export async function explainMissed(
  database: Database,
  missed: readonly Acceptance[],
): Promise<ReadonlyMap<string, AcceptOutcome>> {
  const { rows } = await database.query<Found>({
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
      missed.map(({ transaction }) => transaction.quoteId),
    ],
  });
  const found = new Map(rows.map((row) => [row.wanted_id, row]));
  const outcomes = new Map(
    missed.map(({ transaction }) => [transaction.id, outcomeOf(transaction, found.get(transaction.id)!)]),
  );
  const keyed = new Set(rows.filter((row) => row.keyed).map((row) => row.wanted_id));
  for (const { transaction: wanted, idempotency } of missed) {
    const outcome = outcomes.get(wanted.id)!;
    if (outcome.kind !== 'repeated' || idempotency === null || keyed.has(wanted.id)) continue;
    await bindIdempotencyKey(database, wanted, idempotency, outcome.transaction.id, wanted.createdAtMs);
  }
  return outcomes;
}

function outcomeOf(wanted: Transaction, row: Found): AcceptOutcome {
  // This is the caller's own row. An earlier try inserted it, and its response was lost.
  if (row.id === wanted.id) return CREATED;
  if (!row.key_active) return { kind: 'key_revoked' };
  if (row.keyed && !row.same_request) return { kind: 'idempotency_key_reused' };
  if (row.id !== null && (row.keyed || row.same_body))
    return { kind: 'repeated', transaction: toTransaction(row) };
  if (row.id !== null && row.reference === wanted.reference)
    return { kind: 'reference_reused', transaction: toTransaction(row) };
  const unusable = wanted.quoteId === null ? undefined : unusableQuote(row);
  // The key is active and nothing conflicts, so the destination is the only remaining reason.
  return unusable ?? { kind: 'wallet_is_ours' };
}

function unusableQuote({ quote, ...row }: Found): AcceptOutcome | undefined {
  if (quote === null) return { kind: 'quote_unknown' };
  if (quote.used) return { kind: 'quote_used', transaction: row.id === null ? null : toTransaction(row) };
  return quote.expired ? { kind: 'quote_expired', expiresAtMs: quote.expiresAtMs } : undefined;
}

/** A repeated request with a new Idempotency-Key binds that key to the same transaction. */
export async function bindIdempotencyKey(
  database: Database,
  { businessId, mode }: BusinessScope,
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
