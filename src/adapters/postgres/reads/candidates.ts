// Finds the claims that a credit may pay. Several customers pay into the same vendor account, and round amounts are common. So
// a claim is found first by the payer's account. It is found by the amount alone only if the bank names no payer, or if the
// narration contains a reference of this service. A tester's payment finds only claims of the tester's own business.
import type { BankCredit } from '../../../domain/records/credit.ts';
import type { TransactionState } from '../../../domain/records/states.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { ClaimCandidates } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import type { AnyRow } from './settlement-rows.ts';
import { TRANSACTION_COLUMNS, TRANSACTIONS, toTransaction } from './transaction-rows.ts';

/**
 * The claims that a credit may pay are in a separate table, so that the cost of the search depends only on the number of open
 * claims. A claim is in that table while its buy is in one of these states. A row that was not removed does no harm, because
 * every reader checks the state.
 */
export const OPEN_CLAIM_STATES: ReadonlySet<TransactionState> = new Set([
  'awaiting_wallet',
  'awaiting_payment',
  'expired',
  'on_hold',
  'cancelled',
]);

export const OPEN_CLAIM_STATES_SQL = `(${[...OPEN_CLAIM_STATES].map((state) => `'${state}'`).join(', ')})`;

export const CLAIM_COLUMNS =
  'transaction_id, mode, vendor_number, account_number, amount_minor, expires_at, reference';

/** The minimum number of digits that identify an account. */
const MIN_END = 3;
/**
 * The minimum length of a reference for which narrations are searched. A shorter reference occurs in many narrations by chance.
 */
const MIN_REFERENCE = 6;

// `c` is a row of open_claims, and `s` is the state of its transaction.
const KEPT = `c.mode = x.mode and (c.expires_at >= to_timestamp((x.received_ms - $8::float8) / 1000)) is true
  and s.state in ${OPEN_CLAIM_STATES_SQL} and s.received_minor < c.amount_minor and (x.owner is null or s.business_id = x.owner)`;
const OPEN = `${KEPT} and s.state <> 'cancelled'
  and (s.state <> 'on_hold' or s.exception = 'paid_partial' or (s.received_minor = 0 and s.exception = 'duplicate_claim'))`;
/**
 * A payment for a cancelled claim is refunded. Cancelled claims are read separately, so that an open claim is found even if there
 * are many cancelled ones.
 */
const GIVEN_UP = `${KEPT} and s.state = 'cancelled'`;
const CLAIMS = `select c.transaction_id as id from open_claims c cross join lateral (
  select state, received_minor, exception, business_id from transaction_states where transaction_id = c.transaction_id limit 1) s`;
// A masked account number shows only its last digits, so numbers are indexed in reverse. The vendor's number is part of the
// same expression. No other condition can use an index (`is true` prevents it), and each index has a separate condition. So the
// planner can choose only one index, no matter how large the table was when the plan was made.
const PAYER = `(c.vendor_number || ' ' || reverse(c.account_number)) collate "C"`;
const END = `x.account_number || ' ' || x.payer_end`;
const BY_PAYER = `x.payer_end <> '' and c.vendor_number <> '' and ${PAYER} >= ${END} and ${PAYER} < ${END} || ':'`;
const orderByPayerSql = (most: number) => `order by ${PAYER} limit ${most + 1}`;
const BY_AMOUNT =
  'c.vendor_number = x.account_number and c.amount_minor = x.amount_minor and c.amount_minor > 0';
const REFERENCE = `translate(lower(c.reference), '._:-', '')`;
// The claim with the same amount as the credit is found even if the payer has many other claims. Each row is fetched by its id,
// no matter how large the table was when the plan was made.
const candidatesSql = (most: number) => `
with found as materialized (
  select x.id as credit_id, t.id from
    unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::float8[], $7::text[], $9::text[])
      as x(id, mode, account_number, amount_minor, payer_end, received_ms, narration, owner)
  cross join lateral (
    (${CLAIMS} where ${OPEN} and ${BY_PAYER} and (c.amount_minor = x.amount_minor) is true ${orderByPayerSql(most)})
    union
    (${CLAIMS} where ${OPEN} and ${BY_PAYER} and c.amount_minor <> x.amount_minor ${orderByPayerSql(most)})
    union
    (${CLAIMS} where ${OPEN} and x.payer_end = '' and ${BY_AMOUNT} order by c.expires_at limit ${most + 1})
    union
    (${CLAIMS} where ${OPEN} and x.narration <> '' and ${BY_AMOUNT}
      and ((length(${REFERENCE}) >= ${MIN_REFERENCE} and strpos(x.narration, ${REFERENCE}) > 0)
        or strpos(x.narration, translate(c.transaction_id, '_', '')) > 0)
      order by c.expires_at limit ${most + 1})
    union
    (${CLAIMS} where ${GIVEN_UP} and ${BY_PAYER} and (c.amount_minor = x.amount_minor) is true ${orderByPayerSql(most)})
  ) t
)
select found.credit_id, t.* from found cross join lateral (
  select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS} where t.id = found.id limit 1) t`;

// This query is used only for credits for which no claim was found otherwise. The payer's name is compared afterwards.
const claimsOfAmountSql = (most: number) => `
select x.id as credit_id, t.* from
  unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::float8[], $6::text[], $7::float8[])
    as x(id, mode, account_number, amount_minor, received_ms, owner, window_ms)
cross join lateral (
  ${CLAIMS} where ${OPEN.replace('$8::float8', 'x.window_ms')} and ${BY_AMOUNT} order by c.expires_at, c.transaction_id limit ${most}) found
cross join lateral (
  select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS} where t.id = found.id limit 1) t`;

export async function findClaimsOfAmount(
  database: Database,
  credits: readonly BankCredit[],
  windowMs: number,
  most: number,
): Promise<ReadonlyMap<string, readonly Transaction[]>> {
  const found = new Map<string, Transaction[]>();
  if (credits.length === 0) return found;
  const { rows } = await database.query<AnyRow>({
    name: `claims-of-amount ${most}`,
    text: claimsOfAmountSql(most),
    values: [
      credits.map((credit) => credit.id),
      credits.map((credit) => credit.mode),
      credits.map((credit) => credit.accountNumber),
      credits.map((credit) => credit.amountMinor.toString()),
      credits.map((credit) => credit.receivedAtMs),
      credits.map((credit) => credit.businessId),
      credits.map(() => windowMs),
    ],
  });
  for (const row of rows) {
    const claims = found.get(row.credit_id) ?? [];
    claims.push(toTransaction(row));
    found.set(row.credit_id, claims);
  }
  return found;
}

const EQUALS = `
select x.id as credit_id, array_agg(c.id order by c.received_at, c.id) as ids
from unnest($1::text[]) as x(id) join bank_credits own on own.id = x.id
join bank_credits c on c.account_number = own.account_number and c.amount_minor = own.amount_minor
  and c.state in ('unmatched', 'review') and c.mode = own.mode
  and c.payer_account is not distinct from own.payer_account
  and c.payer_name is not distinct from own.payer_name
  and c.business_id is not distinct from own.business_id
group by x.id`;

export async function findCandidates(
  database: Database,
  credits: readonly BankCredit[],
  windowMs: number,
  most: number,
): Promise<ReadonlyMap<string, ClaimCandidates>> {
  const found = new Map<string, { claims: Transaction[]; equalCredits: string[]; more: boolean }>();
  if (credits.length === 0) return found;
  const ids = credits.map((credit) => credit.id);
  const { rows } = await database.query<AnyRow>({
    name: `find-candidates ${most}`,
    text: candidatesSql(most),
    values: [
      ids,
      credits.map((credit) => credit.mode),
      credits.map((credit) => credit.accountNumber),
      credits.map((credit) => credit.amountMinor.toString()),
      credits.map((credit) => reversedAccountEnd(credit.payerAccount)),
      credits.map((credit) => credit.receivedAtMs),
      credits.map((credit) => (credit.narration ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')),
      windowMs,
      credits.map((credit) => credit.businessId),
    ],
  });
  for (const id of ids) found.set(id, { claims: [], equalCredits: [id], more: false });
  for (const row of rows) found.get(row.credit_id)!.claims.push(toTransaction(row));
  for (const credit of credits) {
    const one = found.get(credit.id)!;
    const open = one.claims.filter(({ state }) => state !== 'cancelled');
    const exact = open.filter(({ amountMinor }) => amountMinor === credit.amountMinor).length;
    one.more = exact > most || (exact === 0 && open.length > most);
  }
  // Other credits with the same values are read only for a credit with several possible claims.
  const contested = ids.filter((id) => found.get(id)!.claims.length > 1);
  if (contested.length > 0) {
    const equals = await database.query<{ credit_id: string; ids: string[] }>({
      name: 'find-equals',
      text: EQUALS,
      values: [contested],
    });
    for (const row of equals.rows) found.get(row.credit_id)!.equalCredits = row.ids;
  }
  return found;
}

/**
 * Returns the last digits of an account number in reverse order. The result is empty if there are too few digits, or only
 * zeros, which mean "not known".
 */
function reversedAccountEnd(account: string | null): string {
  const end = /[0-9]+$/.exec(account?.replace(/[\s-]/g, '') ?? '')?.[0] ?? '';
  return end.length < MIN_END || /^0+$/.test(end) ? '' : [...end].reverse().join('');
}

// Each open credit of the accounts is read once and compared by hash, no matter how many claims there are, because `or`
// prevents the planner from using nested loops. Rows are locked in the order of their ids, as in every other statement.
const HASTEN = `
with claim as materialized (
  select * from unnest($1::text[], $2::text[], $4::bigint[], $5::text[]) as x(mode, number, amount_minor, account)
), ending as materialized (
  select mode, number, right(account, n) as digits from claim, generate_series(${MIN_END}, 10) as n
), explained as materialized (
  select c.id from bank_credits c,
    substring(regexp_replace(c.payer_account, '[[:space:]-]', '', 'g') from '[0-9]+$') as payer_end
  where c.account_number = any ($2::text[]) and c.state in ('unmatched', 'review')
    and (c.due_at is null or c.due_at > to_timestamp($3::float8 / 1000))
    and ((c.mode, c.account_number, payer_end) in (select mode, number, digits from ending)
      or ((payer_end is null or length(payer_end) < ${MIN_END} or payer_end ~ '^0+$' or c.narration is not null
          or c.payer_name is not null)
        and (c.mode, c.account_number, c.amount_minor) in (select mode, number, amount_minor from claim)))
  order by c.id for update of c
)
update bank_credits set due_at = to_timestamp($3::float8 / 1000) where id = any (array(select id from explained))`;

/**
 * Makes open credits due if a new claim may explain them. These are the credits for which `findCandidates` or
 * `findClaimsOfAmount` would find the claim.
 */
export async function hastenCredits(
  database: Database,
  claims: readonly Transaction[],
  atMs: number,
): Promise<number> {
  if (claims.length === 0) return 0;
  const { rowCount } = await database.query({
    name: 'hasten-credits',
    text: HASTEN,
    values: [
      claims.map((claim) => claim.mode),
      claims.map((claim) => claim.vendor?.number ?? ''),
      atMs,
      claims.map((claim) => claim.amountMinor.toString()),
      claims.map((claim) => claim.accountNumber),
    ],
  });
  return rowCount ?? 0;
}
