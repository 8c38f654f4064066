// Runs the search on PostgreSQL. Ids, references, hashes and addresses are found by existing indexes. Names, amounts and
// account numbers are searched in the newest rows, from the end of the primary key. No index is added for this to the tables
// that the acceptance of transactions writes to.
import type { Mode } from '../../../domain/values/mode.ts';
import type {
  NamedRecord,
  RecordSearch,
  RecordSearchTerms,
  SearchResult,
  SearchScope,
} from '../../../ports/operations/record-search.ts';
import type { Database } from '../connection/database.ts';
import { type AnyRow, CREDITS, DEPOSITS, MOVEMENTS, type RowReader } from '../reads/settlement-rows.ts';
import { TRANSACTION_COLUMNS, TRANSACTIONS, toTransaction } from '../reads/transaction-rows.ts';
import { creditSearchSql, MOVEMENTS_OF_HASH, transactionSearchSql } from './search-sql.ts';

export function makeRecordSearch(database: Database): RecordSearch {
  const rows = async (text: string, values: unknown[]): Promise<AnyRow[]> =>
    (await database.query<AnyRow>({ text, values })).rows;
  const named = async (text: string, values: unknown[]) =>
    (await rows(text, values)) as unknown as readonly NamedRecord[];
  const byIds = async <Each>({ table, columns, read }: RowReader<Each>, ids: string, values: unknown[]) =>
    (
      await rows(
        `select ${columns} from ${table} where id = any (array(${ids})) order by id desc limit $4`,
        values,
      )
    ).map(read);
  return {
    searchTransactions: async (scope, terms) => {
      const found = await runSearch(rows, transactionSearchSql(scope, terms), valuesOf(scope, terms));
      const text = `select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS}
        where t.id = any ($1::text[]) and t.mode = $2 and ($3::text is null or t.business_id = $3) order by t.id desc`;
      const all = await rows(text, [found.found, scope.mode, scope.businessId]);
      return { found: all.map((row) => toTransaction(row)), backToMs: found.backToMs };
    },
    searchCredits: async (mode, terms) => {
      const scope = { mode, businessId: null };
      const found = await runSearch(rows, creditSearchSql(terms), valuesOf(scope, terms));
      const text = `select ${CREDITS.columns} from bank_credits where id = any ($1::text[]) and mode = $2 order by id desc`;
      return { found: (await rows(text, [found.found, mode])).map(CREDITS.read), backToMs: found.backToMs };
    },
    searchDeposits: async (mode, terms) => {
      const ids = `select id from deposits where id = any ($2::text[]) and mode = $1
        union select id from deposits where transaction_id = any ($2::text[]) and mode = $1
        union select d.id from unnest($3::text[]) as n cross join lateral (select id from deposits
          where mode = $1 and network = n and tx_hash = any ($2::text[]) limit $4) d`;
      return byIds(DEPOSITS, ids, [mode, textsOf(terms), terms.networks, terms.limit]);
    },
    searchMovements: async (mode, terms) => {
      const ids = `select id from movements where id = any ($2::text[]) and mode = $1
        union ${MOVEMENTS_OF_HASH} limit $4`;
      return byIds(MOVEMENTS, ids, [mode, textsOf(terms), terms.networks, terms.limit]);
    },
    searchBusinesses: ({ text, limit }) =>
      named(
        `select id, name, link_tag as detail from businesses
          where id = $1 or strpos(lower(link_tag), lower($1)) > 0 or strpos(lower(name), lower($1)) > 0
          order by id desc limit $2`,
        [text, limit],
      ),
    searchVendors: (mode, { text, limit }) =>
      named(
        `select id, name, number || ' ' || bank as detail from vendors
          where mode = $1 and (id = $2 or number = $2 or strpos(lower(name), lower($2)) > 0) order by id desc limit $3`,
        [mode, text, limit],
      ),
    searchPeople: ({ text, limit }) =>
      named(
        `select id, name, email as detail from people
          where id = $1 or strpos(lower(email), lower($1)) > 0 or strpos(lower(name), lower($1)) > 0
          order by id desc limit $2`,
        [text, limit],
      ),
  };
}

async function runSearch(
  rows: (text: string, values: unknown[]) => Promise<AnyRow[]>,
  text: string,
  values: unknown[],
): Promise<SearchResult<string>> {
  const [row] = await rows(text, values);
  return { found: row.ids ?? [], backToMs: row.back_to };
}

/**
 * $1 is the mode, $2 the text in its stored forms, $3 the networks, $4 the limit, $5 the text in lower case, $6 the amount, and
 * $7 the business.
 */
function valuesOf({ mode, businessId }: SearchScope, terms: RecordSearchTerms): unknown[] {
  const { networks, limit, text, amountMinor } = terms;
  const amount = amountMinor === null ? null : amountMinor.toString();
  return [mode as Mode, textsOf(terms), networks, limit, text.toLowerCase(), amount, businessId];
}

/**
 * Returns the forms in which the text may be stored. Some networks store hashes in lower case, and banks store the ids of this
 * service with a hyphen.
 */
function textsOf({ text }: RecordSearchTerms): readonly string[] {
  return [...new Set([text, text.toLowerCase(), text.toLowerCase().replace(/^mov-/, 'mov_')])];
}
