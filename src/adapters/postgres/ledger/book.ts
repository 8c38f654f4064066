// Reads pages of the ledger from PostgreSQL. The postings of an account are read by the index (account_id, entry_id). So the
// cost of a page does not depend on the number of the account's postings.
import type { BookAccount, BookEntry, BookPosting, LedgerBook } from '../../../ports/ledger.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  convertedColumn,
  defineColumns,
  ms,
  of,
  plainColumn,
} from '../connection/record-columns.ts';
import { ACCOUNT_FIELDS, SUBJECTS_SQL } from './reads.ts';

const BOOK_ACCOUNT = defineColumns<BookAccount>({ id: columnFrom('a.id', plainColumn), ...ACCOUNT_FIELDS });

/**
 * Columns of `entries e`. The prefix of a subject's id shows the kind of the subject, so at most one of the subject tables is
 * read.
 */
const HEAD = {
  ...of('e', { id: bigintColumn, ...all(plainColumn, 'mode', 'event', 'subjectId'), atMs: ms }),
  transactionId: columnFrom(
    `case split_part(e.subject_id, '_', 1)
    when 'txn' then e.subject_id
    when 'crd' then (select c.transaction_id from bank_credits c where c.id = e.subject_id)
    when 'dep' then (select d.transaction_id from deposits d where d.id = e.subject_id)
    when 'mov' then (select coalesce(m.transaction_id, c.transaction_id) from movements m
      left join bank_credits c on c.id = m.credit_id where m.id = e.subject_id)
  end`,
    plainColumn,
  ),
};
const POSTING = defineColumns<BookPosting>({
  ...HEAD,
  amountMinor: columnFrom('p.amount_minor', bigintColumn),
});

/**
 * The condition on the account is a lower and an upper bound instead of an equality. With an equality the planner would use the
 * order of the primary key and also read the entries of all other accounts. `offset 0` makes the planner look up entries one by
 * one instead of reading the whole table for a join.
 */
const POSTINGS = `select ${POSTING.list()} from (
    select entry_id, amount_minor from postings
    where (account_id, entry_id) < ($1, coalesce($2::bigint, 9223372036854775807)) and account_id >= $1
    order by account_id desc, entry_id desc limit $3) p
  cross join lateral (select * from entries where id = p.entry_id offset 0) e order by p.entry_id desc`;

interface StoredPosting extends Omit<BookAccount, 'balanceMinor'> {
  readonly amount: string;
}
const BOOK_ENTRY = defineColumns<BookEntry>({
  ...HEAD,
  postings: columnFrom(
    `array(
    select json_build_object('id', a.id, 'key', a.key, 'mode', a.mode, 'asset', a.asset, 'name', a.name, 'side', a.side,
      'amount', p.amount_minor::text)
    from postings p join accounts a on a.id = p.account_id
    where p.entry_id = e.id order by p.amount_minor < 0, a.key)`,
    convertedColumn((postings: readonly StoredPosting[]) =>
      postings.map(({ amount, ...account }) => ({ account, amountMinor: BigInt(amount) })),
    ),
  ),
});
const ENTRY = `select ${BOOK_ENTRY.list()} from entries e`;

export function makeLedgerBook(database: Database): LedgerBook {
  const accounts = async (name: string, where: string, values: unknown[]): Promise<BookAccount[]> => {
    const text = `select ${BOOK_ACCOUNT.list()} from accounts a where ${where} order by a.asset, a.key`;
    return (await database.query({ name, text, values })).rows.map(BOOK_ACCOUNT.read);
  };
  return {
    accounts: (mode) => accounts('book-accounts', 'a.mode = $1', [mode]),
    account: async (mode, id) => (await accounts('book-account', 'a.id = $1 and a.mode = $2', [id, mode]))[0],
    postings: async (accountId, beforeEntry, limit) => {
      const values = [accountId, beforeEntry?.toString() ?? null, limit];
      const { rows } = await database.query({ name: 'book-postings', text: POSTINGS, values });
      return rows.map(POSTING.read);
    },
    entry: async (id) => {
      const text = `${ENTRY} where e.id = $1`;
      const { rows } = await database.query({ name: 'book-entry', text, values: [id.toString()] });
      return rows.map(BOOK_ENTRY.read)[0];
    },
    entriesAbout: async (recordId, limit) => {
      const text = `with ${SUBJECTS_SQL} ${ENTRY}
        where e.subject_id = any (array(select id from subjects where id is not null)) order by e.at, e.id limit $2`;
      const { rows } = await database.query({
        name: 'book-about',
        text,
        values: [recordId, limit],
      });
      return rows.map(BOOK_ENTRY.read);
    },
  };
}
