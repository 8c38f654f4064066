// The SQL statements of the search. A search is a union of the ways to find a record by a text. A search condition that cannot
// match the text is left out, so a search by id needs a few index reads and no scan.
import type { RecordSearchTerms, SearchScope } from '../../../ports/operations/record-search.ts';

/** Names, amounts and numbers are searched only in this number of the newest rows. This takes some tens of milliseconds. */
export const MOST_NEWEST_ROWS = 50_000;
/** The same limit for the newest rows of one business, for each type of record. */
const NEWEST_OF_BUSINESS = 10_000;
/** Names are searched only for texts of at least this length. A shorter text is part of too many names. */
const NAME_MIN = 3;

export const MOVEMENTS_OF_HASH = `select a.movement_id from unnest($3::text[]) as n cross join lateral (
    select movement_id from movement_attempts where mode = $1 and network = n and network is not null
      and reference = any ($2::text[] || array(select reference from attempt_replacements
        where mode = $1 and network = n and hash = any ($2::text[]))) limit $4) a`;

/**
 * Decides which kinds of value the text may be, for example an id or a name. A text counts as a possible id, hash or address if
 * it has no space and is long.
 */
function kindsOf({ text, amountMinor }: RecordSearchTerms) {
  const isAccount = /^[0-9]{10}$/.test(text);
  return {
    isAccount,
    isAmount: amountMinor !== null,
    isName: text.length >= NAME_MIN && /\p{L}/u.test(text) && !/^[a-z]{3}[_-][0-9a-z]{20,}$/i.test(text),
    isAddress: /^[0-9A-Za-z]{20,}$/.test(text),
  };
}

/** The statement returns one row: the ids that were found, and the time of the oldest searched row if there are older rows. */
function searchSql(ways: readonly string[], newest: string, most: number): string {
  return `with newest as materialized (${newest})
    select array(select id from (${ways.join('\n union ')}) found(id) where id is not null order by id desc limit $4) as ids,
      (select case when count(*) >= ${most} then (extract(epoch from min(at)) * 1000)::float8 end from newest) as back_to
    -- Every parameter is named, whichever ways are taken.
    where ($1::text, $2::text[], $3::text[], $4::int, $5::text, $6::bigint, $7::text) is not null or true`;
}

const NONE = 'select null::text as id, null::timestamptz as at limit 0';

export function transactionSearchSql({ businessId }: SearchScope, terms: RecordSearchTerms): string {
  const { isAccount, isAmount, isName, isAddress } = kindsOf(terms);
  const scans = isAccount || isAmount || isName || isAddress;
  const all = businessId === null;
  const matches = [
    isAccount && 'account_number = $5',
    isAmount && 'amount_minor = $6',
    isName && 'strpos(lower(account_name), $5) > 0',
  ].filter((each) => each !== false);
  const ways = [
    'select id from transactions where id = any ($2::text[])',
    `select t.id from businesses b cross join lateral (select id from transactions
      where business_id = b.id and mode = $1 and reference = any ($2::text[]) limit 2) t
      where $7::text is null or b.id = $7`,
    `select m.transaction_id from movements m where m.id = any (array(${MOVEMENTS_OF_HASH})) or m.id = any ($2::text[])`,
    `select d.transaction_id from unnest($3::text[]) as n cross join lateral (select transaction_id from deposits
      where mode = $1 and network = n and tx_hash = any ($2::text[]) limit $4) d`,
    `select d.transaction_id from unnest($3::text[]) as n cross join lateral (select transaction_id from deposit_targets
      where mode = $1 and network = n and address = any ($2::text[]) limit $4) d`,
    ...(isAccount ? [CLAIMS_OF_ACCOUNT] : []),
    ...(matches.length > 0 ? [`select id from newest where mode = $1 and (${matches.join(' or ')})`] : []),
    ...(isAddress
      ? [
          `select s.transaction_id from newest cross join lateral (select transaction_id, wallet_address
            from transaction_states where transaction_id = newest.id limit 1) s
            where newest.mode = $1 and lower(s.wallet_address) = $5`,
        ]
      : []),
  ];
  const own = ways.map((way) => (all ? way : ofBusinessSql(way)));
  if (!scans) return searchSql(own, NONE, 1);
  const most = all ? MOST_NEWEST_ROWS : NEWEST_OF_BUSINESS;
  return searchSql(own, all ? NEWEST_TRANSACTIONS : NEWEST_TRANSACTIONS_OF_BUSINESS, most);
}

/**
 * This condition is applied before the limit. So records of other businesses do not take the places of this business's records.
 */
function ofBusinessSql(way: string): string {
  return `select w.id from (${way}) w(id) cross join lateral (
    select business_id from transactions where id = w.id limit 1) t where t.business_id = $7`;
}

const COLUMNS = 'id, mode, account_number, account_name, amount_minor, created_at as at';
const NEWEST_TRANSACTIONS = `select ${COLUMNS} from transactions order by id desc limit ${MOST_NEWEST_ROWS}`;
const NEWEST_TRANSACTIONS_OF_BUSINESS = `select n.* from unnest(array['buy', 'sell']) as kind cross join lateral (
  select ${COLUMNS} from transactions where business_id = $7 and mode = $1 and type = kind
  order by created_at desc, id desc limit ${NEWEST_OF_BUSINESS}) n`;

const CLAIMS_OF_ACCOUNT = `select c.transaction_id from (select distinct number from vendors where mode = $1) v
  cross join lateral (select transaction_id from open_claims
    where vendor_number <> '' and (vendor_number || ' ' || reverse(account_number)) collate "C" = v.number || ' ' || reverse($5)
    limit $4) c`;

export function creditSearchSql(terms: RecordSearchTerms): string {
  const { isAccount, isAmount, isName } = kindsOf(terms);
  const matches = [
    'source_id = any ($2::text[])',
    'session_id = any ($2::text[])',
    isAccount && '(payer_account = $5 or account_number = $5)',
    isAmount && 'amount_minor = $6',
    isName && '(strpos(lower(payer_name), $5) > 0 or strpos(lower(narration), $5) > 0)',
  ].filter((each) => each !== false);
  const ways = [
    'select id from bank_credits where id = any ($2::text[])',
    'select id from bank_credits where transaction_id = any ($2::text[])',
    `select c.id from (${SOURCES}) s cross join lateral (select id from bank_credits
      where mode = $1 and source = s.source and source_id = any ($2::text[])) c`,
    // The search finds credits in review no matter how old they are.
    `select id from bank_credits where state = 'review' and mode = $1 and (${matches.join(' or ')})`,
    `select id from newest where mode = $1 and (${matches.join(' or ')})`,
  ];
  const newest = `select id, mode, source_id, session_id, payer_account, account_number, amount_minor, payer_name, narration,
    received_at as at from bank_credits order by id desc limit ${MOST_NEWEST_ROWS}`;
  return searchSql(ways, newest, MOST_NEWEST_ROWS);
}

const SOURCES = `with recursive s(source) as (
    (select source from bank_credits where mode = $1 order by source limit 1)
    union all select (select source from bank_credits where mode = $1 and source > s.source order by source limit 1)
      from s where s.source is not null)
  select source from s where source is not null`;
