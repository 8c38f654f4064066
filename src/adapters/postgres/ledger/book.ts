// The ledger book on PostgreSQL. Postings of an account are read by the index (account_id, entry_id), so a page costs the same
// however long the account is.
import type { AccountName, LedgerEvent } from '../../../domain/ledger/ledger.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { BookAccount, BookEntry, EntryHead, LedgerBook } from '../../../ports/ledger.ts';
import type { Database } from '../connection/database.ts';
import { ACCOUNT_COLUMNS, SUBJECTS } from './reads.ts';

const ACCOUNT = `select a.id, ${ACCOUNT_COLUMNS} from accounts a`;

/** Columns of `entries e`. The prefix of an id is its kind, so at most one of the tables is asked. */
const HEAD = `e.id::text as entry, e.mode, e.event, e.subject_id as "subjectId", (extract(epoch from e.at) * 1000)::float8 as "atMs",
  case split_part(e.subject_id, '_', 1)
    when 'txn' then e.subject_id
    when 'crd' then (select c.transaction_id from bank_credits c where c.id = e.subject_id)
    when 'dep' then (select d.transaction_id from deposits d where d.id = e.subject_id)
    when 'mov' then (select coalesce(m.transaction_id, c.transaction_id) from movements m
      left join bank_credits c on c.id = m.credit_id where m.id = e.subject_id)
  end as "transactionId"`;

/**
 * The account is bounded from both sides and not equal to one: the planner would see the same order in the primary key, and read
 * the entries of all other accounts, too. `offset 0`: entries are looked up one by one, never read whole to be joined.
 */
const POSTINGS = `select ${HEAD}, p.amount_minor::text as "amountMinor" from (
    select entry_id, amount_minor from postings
    where (account_id, entry_id) < ($1, coalesce($2::bigint, 9223372036854775807)) and account_id >= $1
    order by account_id desc, entry_id desc limit $3) p
  cross join lateral (select * from entries where id = p.entry_id offset 0) e order by p.entry_id desc`;

const ENTRY = `select ${HEAD}, array(
    select json_build_object('id', a.id, 'key', a.key, 'mode', a.mode, 'asset', a.asset, 'name', a.name, 'side', a.side,
      'amount', p.amount_minor::text)
    from postings p join accounts a on a.id = p.account_id
    where p.entry_id = e.id order by p.amount_minor < 0, a.key) as postings
  from entries e`;

interface AccountRow {
  id: number;
  key: string;
  mode: Mode;
  asset: string;
  name: AccountName;
  side: 'debit' | 'credit';
  balance: string;
}

interface HeadRow {
  entry: string;
  mode: Mode;
  event: LedgerEvent;
  subjectId: string;
  transactionId: string | null;
  atMs: number;
}

interface EntryRow extends HeadRow {
  postings: (Omit<AccountRow, 'balance'> & { amount: string })[];
}

export function makeLedgerBook(database: Database): LedgerBook {
  const accounts = async (name: string, where: string, values: unknown[]): Promise<BookAccount[]> => {
    const text = `${ACCOUNT} where ${where} order by a.asset, a.key`;
    const { rows } = await database.query<AccountRow>({ name, text, values });
    return rows.map(({ balance, ...account }) => ({ ...account, balanceMinor: BigInt(balance) }));
  };
  return {
    accounts: (mode) => accounts('book-accounts', 'a.mode = $1', [mode]),
    account: async (mode, id) => (await accounts('book-account', 'a.id = $1 and a.mode = $2', [id, mode]))[0],
    postings: async (accountId, beforeEntry, limit) => {
      const values = [accountId, beforeEntry?.toString() ?? null, limit];
      const { rows } = await database.query<HeadRow & { amountMinor: string }>({
        ...{ name: 'book-postings', text: POSTINGS, values },
      });
      return rows.map((row) => ({ ...headOf(row), amountMinor: BigInt(row.amountMinor) }));
    },
    entry: async (id) => {
      const text = `${ENTRY} where e.id = $1`;
      const { rows } = await database.query<EntryRow>({ name: 'book-entry', text, values: [id.toString()] });
      return rows[0] && entryOf(rows[0]);
    },
    entriesAbout: async (recordId, limit) => {
      const text = `with ${SUBJECTS} ${ENTRY}
        where e.subject_id = any (array(select id from subjects where id is not null)) order by e.at, e.id limit $2`;
      const { rows } = await database.query<EntryRow>({
        name: 'book-about',
        text,
        values: [recordId, limit],
      });
      return rows.map(entryOf);
    },
  };
}

function headOf({ entry, mode, event, subjectId, transactionId, atMs }: HeadRow): EntryHead {
  return { id: BigInt(entry), mode, event, subjectId, transactionId, atMs };
}

function entryOf(row: EntryRow): BookEntry {
  const postings = row.postings.map(({ amount, ...account }) => ({ account, amountMinor: BigInt(amount) }));
  return { ...headOf(row), postings };
}
