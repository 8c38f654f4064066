// The statement that accepts a batch. It inserts transactions, idempotency keys and deposit targets, and counts the inserted
// rows. Scenarios and quotes have separate SQL texts, so that acceptances without them have no additional cost.
import type { Acceptance } from '../../../ports/store/acceptance.ts';
import { type ArrayColumn, inputOf, under } from '../connection/column-arrays.ts';
import { all, as, bigintColumn, ms, plainColumn, written } from '../connection/record-columns.ts';
import { CLAIM_COLUMNS, OPEN_CLAIM_STATES_SQL } from '../reads/candidates.ts';
import { storableDeposits } from '../reads/transaction-rows.ts';

/** The columns are sent to the database as arrays, because arrays cost half as much as JSON. */
const COLUMNS: readonly ArrayColumn<Acceptance>[] = [
  ...under(
    'transaction',
    written({
      ...all(plainColumn, 'id', 'type', 'reference', 'accountNumber', 'accountName', 'bankName', 'bankCode'),
      ...{ state: as('transaction_state', plainColumn), ...all(bigintColumn, 'amountMinor', 'feeMinor') },
      ...all(ms, 'createdAtMs', 'expiresAtMs'),
    }),
  ),
  ['flags', 'text', ({ transaction: t }) => t.flags.join(' ')],
  ['vendor_id', 'text', ({ transaction: t }) => t.vendor?.vendorId ?? null],
  ['vendor_name', 'text', ({ transaction: t }) => t.vendor?.name ?? null],
  ['vendor_number', 'text', ({ transaction: t }) => t.vendor?.number ?? null],
  ['vendor_bank', 'text', ({ transaction: t }) => t.vendor?.bank ?? null],
  ['network', 'text', ({ transaction: t }) => t.wallet?.network ?? null],
  ['wallet_address', 'text', ({ transaction: t }) => t.wallet?.address ?? null],
  ['deposits', 'text', ({ transaction: t }) => (t.type === 'sell' ? depositsJson(t) : null)],
  ...written(all(plainColumn, 'bodyHash', 'keyId')),
  ['idempotency_key', 'text', ({ idempotency }) => idempotency?.key ?? null],
  ['request_hash', 'text', ({ idempotency }) => idempotency?.requestHash ?? null],
];

/** An optional part of the statement. Most acceptances do not need it, and then it costs nothing. */
interface OptionalPart {
  readonly name: string;
  readonly column: ArrayColumn<Acceptance>;
  readonly facts: string;
  readonly condition: string;
  readonly writes: string;
}

/** Only in test mode: the sandbox scenario of a transaction is inserted with the transaction. */
const SCENARIO: OptionalPart = {
  name: '-with-scenarios',
  column: ['scenario', 'text', ({ scenario }) => scenario],
  facts: '',
  condition: '',
  writes: `, plays as (
  insert into simulated_plays (transaction_id, scenario, due_at)
  select id, scenario, to_timestamp(created_at_ms / 1000) from input
  where scenario is not null and id in (select id from inserted)
)`,
};

/**
 * The statement that inserts a transaction also marks its quote as used, so both happen or neither. The quote must belong to the
 * key's business and mode. It must be unused, and not expired by the database's clock. When two statements use the same quote at
 * once, the unique index on its id refuses one of them.
 */
const QUOTE: OptionalPart = {
  name: '-with-quotes',
  column: ['quote_id', 'text', ({ transaction: t }) => t.quoteId],
  facts: ', quote_id',
  condition: `
    and (quote_id is null or exists (select from quotes q where q.id = i.quote_id and q.business_id = i.business_id
      and q.mode = i.mode and q.transaction_id is null and q.expires_at > now()))`,
  writes: `, used as (
  update quotes q set transaction_id = i.id from input i where q.id = i.quote_id and i.id in (select id from inserted)
)`,
};

function depositsJson(transaction: Acceptance['transaction']): string {
  return JSON.stringify(storableDeposits(transaction.deposits));
}

// Business and mode come from the row of the key, so a key cannot accept anything for a different business. An item whose
// reference already exists is skipped. The statement looks up the idempotency key before it inserts it, because the row of the
// key must not remain after a conflict.
const acceptSql = (columns: readonly ArrayColumn<Acceptance>[], parts: readonly OptionalPart[]) => `
with input as materialized (
  select i.*, a.business_id, a.mode, b.link_tag
  from ${inputOf(columns)}
  join (api_keys a join businesses b on b.id = a.business_id) on a.id = i.key_id
    and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
), inserted as (
  insert into transactions (id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number,
    account_name, bank_name, bank_code, flags, vendor_id, vendor_name, vendor_number, vendor_bank, deposits, body_hash,
    key_id, created_at, expires_at${joinParts(parts, 'facts')})
  select id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number,
    account_name, bank_name, bank_code, string_to_array(flags, ' '), vendor_id, vendor_name, vendor_number, vendor_bank,
    deposits::jsonb, body_hash, key_id, to_timestamp(created_at_ms / 1000), to_timestamp(expires_at_ms / 1000)${joinParts(parts, 'facts')}
  from input i
  where (idempotency_key is null or not exists (select from idempotency_keys k
      where k.business_id = i.business_id and k.mode = i.mode and k.key = i.idempotency_key))
    and not exists (select from deposit_targets d
      where d.mode = i.mode and d.network = i.network and d.address = i.wallet_address)${joinParts(parts, 'condition')}
  on conflict (business_id, mode, reference) do nothing
  returning id
), states as (
  insert into transaction_states (transaction_id, business_id, mode, type, created_at, state, version, due_at, updated_at,
    network, wallet_address)
  select id, business_id, mode, type, to_timestamp(created_at_ms / 1000), state, 1, to_timestamp(expires_at_ms / 1000),
    to_timestamp(created_at_ms / 1000), network, wallet_address
  from input where id in (select id from inserted)
), claims as (
  insert into open_claims (${CLAIM_COLUMNS})
  select id, mode, vendor_number, account_number, amount_minor, to_timestamp(expires_at_ms / 1000), reference
  from input where type = 'buy' and state in ${OPEN_CLAIM_STATES_SQL} and id in (select id from inserted)
), keys as (
  insert into idempotency_keys (business_id, mode, key, request_hash, transaction_id, created_at)
  select business_id, mode, idempotency_key, request_hash, id, to_timestamp(created_at_ms / 1000)
  from input where idempotency_key is not null and id in (select id from inserted)
  order by business_id, mode, idempotency_key
), targets as (
  insert into deposit_targets (mode, network, address, memo, transaction_id)
  select i.mode, d.network, d.address, coalesce(d.memo, ''), i.id
  from input i, jsonb_to_recordset(i.deposits::jsonb) as d(network text, address text, memo text)
  where i.deposits is not null and i.id in (select id from inserted)
)${joinParts(parts, 'writes')}
select count(*)::int as count from inserted`;

function joinParts(parts: readonly OptionalPart[], which: 'facts' | 'condition' | 'writes'): string {
  return parts.map((part) => part[which]).join('');
}

export interface AcceptStatement {
  readonly name: string;
  readonly columns: readonly ArrayColumn<Acceptance>[];
  readonly text: string;
}

function makeStatementWith(...parts: readonly OptionalPart[]): AcceptStatement {
  const columns = [...COLUMNS, ...parts.map(({ column }) => column)];
  const name = `accept${parts.map((part) => part.name).join('')}`;
  return { name, columns, text: acceptSql(columns, parts) };
}

const PLAIN = makeStatementWith();
const PLAYED = makeStatementWith(SCENARIO);
const QUOTED = makeStatementWith(QUOTE);
const PLAYED_AND_QUOTED = makeStatementWith(SCENARIO, QUOTE);

export function chooseStatement(batch: readonly Acceptance[]): AcceptStatement {
  const quoted = batch.some(({ transaction }) => transaction.quoteId !== null);
  if (batch.every(({ scenario }) => scenario === null)) return quoted ? QUOTED : PLAIN;
  return quoted ? PLAYED_AND_QUOTED : PLAYED;
}
