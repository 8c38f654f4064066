// Acceptance: one statement for a whole batch inserts transactions, timeline, idempotency keys and deposit targets,
// and hands back the items that were there already. A row is answered only when it is durable; an answer that was
// lost is found again by the ids, which are given before the first try.
import type { Acceptance, AcceptOutcome } from '../../ports/store.ts';
import { StoreUnavailable } from '../../ports/store.ts';
import { type Database, sqlState } from './database.ts';
import {
  storedDeposits,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  toTransaction,
} from './transaction-rows.ts';

/** How long a lost answer is asked about before the callers are told that the outcome is not known. */
const RESOLVE_LOST_MS = 5_000;
const RETRY_PAUSE_MS = 100;
const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';
/** A conflict seen this often with nobody to be found is not a race. */
const MAX_CONFLICTS = 3;

// Lookups are lateral with a limit so that they stay index probes whatever the planner believes of the input's size.
const ACCEPT = `
with input as materialized (
  select * from json_to_recordset($1::json) as i(
    ord int, id text, business_id text, mode text, type text, reference text, link_tag text, state text,
    amount_minor bigint, fee_minor bigint, account_number text, account_name text, bank_name text, bank_code text,
    flags text[], vendor_id text, vendor_name text, vendor_number text, vendor_bank text,
    network text, wallet_address text, deposits jsonb, body_hash text, key_id text,
    created_ms double precision, expires_ms double precision,
    actor text, reason text, idempotency_key text, request_hash text)
), known as materialized (
  select i.*, a.id is not null as key_active,
    t.id as reference_id, t.body_hash = i.body_hash as same_body,
    k.transaction_id as keyed_id, k.request_hash = i.request_hash as same_request
  from input i
  left join lateral (
    select id from api_keys where id = i.key_id and business_id = i.business_id and mode = i.mode
      and revoked_at is null and (expires_at is null or expires_at > now()) limit 1) a on true
  left join lateral (
    select id, body_hash from transactions
    where business_id = i.business_id and mode = i.mode and reference = i.reference limit 1) t on true
  left join lateral (
    select transaction_id, request_hash from idempotency_keys
    where business_id = i.business_id and mode = i.mode and key = i.idempotency_key limit 1) k on true
), fresh as materialized (
  select * from known where key_active and reference_id is null and keyed_id is null
  order by business_id, mode, reference
), inserted as (
  insert into transactions (id, business_id, mode, type, reference, link_tag, state, version,
    amount_minor, fee_minor, account_number, account_name, bank_name, bank_code, flags,
    vendor_id, vendor_name, vendor_number, vendor_bank, network, wallet_address, deposits,
    body_hash, key_id, created_at, updated_at, expires_at)
  select id, business_id, mode, type, reference, link_tag, state, 1,
    amount_minor, fee_minor, account_number, account_name, bank_name, bank_code, flags,
    vendor_id, vendor_name, vendor_number, vendor_bank, network, wallet_address, deposits,
    body_hash, key_id, to_timestamp(created_ms / 1000), to_timestamp(created_ms / 1000), to_timestamp(expires_ms / 1000)
  from fresh
), lines as (
  insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason)
  select id, 1, to_timestamp(created_ms / 1000), null, state, actor, reason from fresh
), keys as (
  insert into idempotency_keys (business_id, mode, key, request_hash, transaction_id, created_at)
  select business_id, mode, idempotency_key, request_hash, id, to_timestamp(created_ms / 1000)
  from fresh where idempotency_key is not null order by business_id, mode, idempotency_key
), targets as (
  insert into deposit_targets (mode, network, address, memo, transaction_id)
  select f.mode, d.network, d.address, coalesce(d.memo, ''), f.id
  from fresh f, jsonb_to_recordset(f.deposits) as d(network text, address text, memo text)
  where f.deposits is not null order by f.mode, d.network, d.address, d.memo
)
select ord, key_active, reference_id, same_body, keyed_id, same_request from known
where not key_active or reference_id is not null or keyed_id is not null`;

interface KnownRow {
  ord: number;
  key_active: boolean;
  reference_id: string | null;
  same_body: boolean | null;
  keyed_id: string | null;
  same_request: boolean | null;
}

export async function acceptBatch(
  database: Database,
  batch: readonly Acceptance[],
): Promise<(AcceptOutcome | Error)[]> {
  const known = await insertOrSplit(database, batch, 0);
  if (known.length === 0) return batch.map(() => ({ kind: 'created' }));
  return outcomes(database, batch, known);
}

type Known = KnownRow | { readonly ord: number; readonly error: Error };

/** One constraint violation aborts the whole statement: split until only the offender is refused. */
async function insertOrSplit(
  database: Database,
  batch: readonly Acceptance[],
  firstOrd: number,
  conflicts = 0,
): Promise<Known[]> {
  try {
    return await insertUntilKnown(database, batch, firstOrd);
  } catch (error) {
    const state = sqlState(error);
    if (state === undefined) throw error;
    if ((state === UNIQUE_VIOLATION || state === DEADLOCK) && conflicts < MAX_CONFLICTS) {
      // Another process won a key while we were inserting it. It is committed now, so a new look finds it.
      return insertOrSplit(database, batch, firstOrd, conflicts + 1);
    }
    if (batch.length === 1) return [{ ord: firstOrd, error: error as Error }];
    const middle = batch.length >> 1;
    const left = await insertOrSplit(database, batch.slice(0, middle), firstOrd);
    const right = await insertOrSplit(database, batch.slice(middle), firstOrd + middle);
    return [...left, ...right];
  }
}

/** A lost answer leaves the outcome open, so the same rows are offered again until the database says which. */
async function insertUntilKnown(
  database: Database,
  batch: readonly Acceptance[],
  firstOrd: number,
): Promise<KnownRow[]> {
  const query = { name: 'accept', text: ACCEPT, values: [encode(batch, firstOrd)] };
  const giveUpAt = performance.now() + RESOLVE_LOST_MS;
  for (let acted = false; ; ) {
    try {
      return (await database.query<KnownRow>(query)).rows;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      acted ||= error.mayHaveActed;
      if (!acted || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }
}

function encode(batch: readonly Acceptance[], firstOrd: number): string {
  return JSON.stringify(
    batch.map(({ transaction: t, bodyHash, keyId, idempotency }, index) => ({
      ord: firstOrd + index,
      id: t.id,
      business_id: t.businessId,
      mode: t.mode,
      type: t.type,
      reference: t.reference,
      link_tag: t.linkTag,
      state: t.state,
      amount_minor: t.amountMinor.toString(),
      fee_minor: t.feeMinor.toString(),
      account_number: t.accountNumber,
      account_name: t.accountName,
      bank_name: t.bankName,
      bank_code: t.bankCode,
      flags: t.flags,
      vendor_id: t.vendor?.vendorId,
      vendor_name: t.vendor?.name,
      vendor_number: t.vendor?.number,
      vendor_bank: t.vendor?.bank,
      network: t.wallet?.network,
      wallet_address: t.wallet?.address,
      deposits: t.type === 'sell' ? storedDeposits(t.deposits) : undefined,
      body_hash: bodyHash,
      key_id: keyId,
      created_ms: t.createdAtMs,
      expires_ms: t.expiresAtMs,
      actor: keyId,
      reason: 'accepted',
      idempotency_key: idempotency?.key,
      request_hash: idempotency?.requestHash,
    })),
  );
}

async function outcomes(
  database: Database,
  batch: readonly Acceptance[],
  known: readonly Known[],
): Promise<(AcceptOutcome | Error)[]> {
  const results: (AcceptOutcome | Error)[] = batch.map(() => ({ kind: 'created' }));
  const repeats: { ord: number; id: string; bind: boolean }[] = [];
  for (const row of known) {
    const item = batch[row.ord]!;
    if ('error' in row) results[row.ord] = row.error;
    // Our own row, from a try whose answer was lost.
    else if (row.reference_id === item.transaction.id) continue;
    else if (!row.key_active) results[row.ord] = { kind: 'key_revoked' };
    else if (row.keyed_id !== null && !row.same_request)
      results[row.ord] = { kind: 'idempotency_key_reused' };
    else if (row.keyed_id !== null) repeats.push({ ord: row.ord, id: row.keyed_id, bind: false });
    else if (!row.same_body) results[row.ord] = { kind: 'reference_reused' };
    else repeats.push({ ord: row.ord, id: row.reference_id!, bind: item.idempotency !== null });
  }
  if (repeats.length === 0) return results;
  await bindKeys(
    database,
    repeats.filter((repeat) => repeat.bind).map(({ ord, id }) => ({ item: batch[ord]!, id })),
  );
  const { rows } = await database.query<TransactionRow>({
    name: 'transactions-by-ids',
    text: `select ${TRANSACTION_COLUMNS} from transactions where id = any($1)`,
    values: [repeats.map((repeat) => repeat.id)],
  });
  const byId = new Map(rows.map((row) => [row.id, toTransaction(row)]));
  for (const { ord, id } of repeats) results[ord] = { kind: 'repeated', transaction: byId.get(id)! };
  return results;
}

/** A repeated reference under a new Idempotency-Key binds that key too: it was used for this request. */
async function bindKeys(database: Database, bound: { item: Acceptance; id: string }[]): Promise<void> {
  for (const { item, id } of bound) {
    const { businessId, mode, createdAtMs } = item.transaction;
    await database.query({
      text: `insert into idempotency_keys (business_id, mode, key, request_hash, transaction_id, created_at)
        values ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000)) on conflict do nothing`,
      values: [businessId, mode, item.idempotency!.key, item.idempotency!.requestHash, id, createdAtMs],
    });
  }
}
