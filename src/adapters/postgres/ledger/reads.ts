// What the audit reads and writes besides the counting: accounts, the entries about one subject, and halts, each with
// its entry in the audit log.
import type { AccountName, LedgerEvent } from '../../../domain/ledger/ledger.ts';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { AccountBalance, ExplainedEntry, LedgerAudit } from '../../../ports/ledger.ts';
import type { Logged } from '../back-office/logged.ts';
import type { Database } from '../connection/database.ts';

/** Columns of `accounts a`. */
export const ACCOUNT_COLUMNS = 'a.key, a.mode, a.asset, a.name, a.side, a.balance';

export interface AccountRow {
  key: string;
  mode: Mode;
  asset: string;
  name: AccountName;
  side: 'debit' | 'credit';
  balance: string;
}

export function accountOf({ key, mode, asset, name, side, balance }: AccountRow): AccountBalance {
  return { key, mode, asset, name, side, balanceMinor: BigInt(balance) };
}

/** A record, and the records whose entries explain it. */
export const SUBJECTS = `subjects as materialized (
  select $1::text as id
  union select transaction_id from bank_credits where id = $1
  union select transaction_id from deposits where id = $1
  union select transaction_id from movements where id = $1
  union select id from bank_credits where transaction_id = $1
  union select id from deposits where transaction_id = $1
  union select id from movements where credit_id = $1
)`;

const EXPLAIN = `with ${SUBJECTS}
select e.id, e.event, e.subject_id, e.at,
  array(select a.key from postings p join accounts a on a.id = p.account_id
    where p.entry_id = e.id order by p.amount_minor < 0, a.key) as accounts,
  array(select p.amount_minor::text from postings p join accounts a on a.id = p.account_id
    where p.entry_id = e.id order by p.amount_minor < 0, a.key) as amounts
from entries e where e.subject_id = any (array(select id from subjects where id is not null))
order by e.at, e.id`;

interface ExplainRow {
  id: string;
  event: LedgerEvent;
  subject_id: string;
  at: Date;
  accounts: string[];
  amounts: string[];
}

export async function explainEntries(database: Database, subjectId: string): Promise<ExplainedEntry[]> {
  const { rows } = await database.query<ExplainRow>({ text: EXPLAIN, values: [subjectId] });
  return rows.map((row) => ({
    id: BigInt(row.id),
    event: row.event,
    subjectId: row.subject_id,
    atMs: row.at.getTime(),
    postings: row.accounts.map((account, index) => ({ account, amountMinor: BigInt(row.amounts[index]!) })),
  }));
}

export async function unswept(database: Database): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await database.query<{ mode: Mode; network: string; sum: string }>({
    name: 'unswept',
    text: `select mode, network, sum(amount_minor)::text as sum from movements
      where kind = 'sweep' and state <> 'done' group by mode, network`,
  });
  return new Map(rows.map(({ mode, network, sum }) => [`${mode} ${network}`, BigInt(sum)]));
}

/** Money of a send or a withdrawal is reserved when the movement is made, money of a refund with its first attempt. */
export async function idle(database: Database): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await database.query<{ mode: Mode; network: string; sum: string }>({
    name: 'idle-reservations',
    text: `select mode, network, sum(amount_minor)::text as sum from movements
      where state = 'pending' and network is not null and (kind in ('send', 'withdrawal') or (kind = 'refund' and attempts > 0))
      group by mode, network`,
  });
  return new Map(rows.map(({ mode, network, sum }) => [`${mode} ${network}`, BigInt(sum)]));
}

export function halts(database: Database, logged: Logged): Pick<LedgerAudit, 'halt' | 'listHalts'> {
  return {
    halt: ({ mode, asset, reason, atMs }) =>
      logged(
        { actor: serviceActor('ledger-watch'), atMs },
        'sends_halted',
        { mode, asset, reason },
        async (client) => {
          const inserted = await client.query(
            'insert into halts (mode, asset, reason, at) values ($1, $2, $3, $4) on conflict do nothing',
            [mode, asset, reason, new Date(atMs)],
          );
          return inserted.rowCount === 1;
        },
      ),
    listHalts: async () => {
      const { rows } = await database.query<{ mode: Mode; asset: string; reason: string; at: Date }>({
        name: 'list-halts',
        text: 'select mode, asset, reason, at from halts order by mode, asset',
      });
      return rows.map(({ at, ...rest }) => ({ ...rest, atMs: at.getTime() }));
    },
  };
}
