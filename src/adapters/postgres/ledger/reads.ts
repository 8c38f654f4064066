// The remaining reads and writes of the ledger audit: accounts, the entries of one subject, and halts. Each change of a halt
// writes an audit log entry.
import { serviceActor } from '../../../domain/people/actor.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { AccountBalance, ExplainedEntry, Halt, LedgerAudit } from '../../../ports/ledger.ts';
import type { RunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  convertedColumn,
  defineColumns,
  named,
  of,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';

export const ACCOUNT_FIELDS = of('a', {
  ...all(plainColumn, 'key', 'mode', 'asset', 'name', 'side'),
  balanceMinor: named('balance', bigintColumn),
});
export const ACCOUNT = defineColumns<AccountBalance>(ACCOUNT_FIELDS);

/** Selects a record, and the records whose ledger entries explain that record. */
export const SUBJECTS_SQL = `subjects as materialized (
  select $1::text as id
  union select transaction_id from bank_credits where id = $1
  union select transaction_id from deposits where id = $1
  union select transaction_id from movements where id = $1
  union select id from bank_credits where transaction_id = $1
  union select id from deposits where transaction_id = $1
  union select id from movements where credit_id = $1
)`;

const POSTINGS = `array(
    select json_build_object('account', a.key, 'amountMinor', p.amount_minor::text)
    from postings p join accounts a on a.id = p.account_id
    where p.entry_id = e.id order by p.amount_minor < 0, a.key)`;
const EXPLAINED = defineColumns<ExplainedEntry>({
  ...of('e', { id: bigintColumn, event: plainColumn, subjectId: plainColumn, atMs: timeColumn }),
  postings: columnFrom(
    POSTINGS,
    convertedColumn((postings: readonly { readonly account: string; readonly amountMinor: string }[]) =>
      postings.map((each) => ({ ...each, amountMinor: BigInt(each.amountMinor) })),
    ),
  ),
});

const EXPLAIN = `with ${SUBJECTS_SQL}
select ${EXPLAINED.list()}
from entries e where e.subject_id = any (array(select id from subjects where id is not null))
order by e.at, e.id`;

export async function explainEntries(database: Database, subjectId: string): Promise<ExplainedEntry[]> {
  return (await database.query({ text: EXPLAIN, values: [subjectId] })).rows.map(EXPLAINED.read);
}

export async function readUnswept(database: Database): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await database.query<{ mode: Mode; network: string; sum: string }>({
    name: 'unswept',
    text: `select mode, network, sum(amount_minor)::text as sum from movements
      where kind = 'sweep' and state <> 'done' group by mode, network`,
  });
  return new Map(rows.map(({ mode, network, sum }) => [`${mode} ${network}`, BigInt(sum)]));
}

/**
 * Sums the money that pending movements on networks have reserved. The money of a send or a withdrawal is reserved when the
 * movement is created. The money of a refund is reserved with its first attempt.
 */
export async function readIdleReservations(database: Database): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await database.query<{ mode: Mode; network: string; sum: string }>({
    name: 'idle-reservations',
    text: `select mode, network, sum(amount_minor)::text as sum from movements
      where state = 'pending' and network is not null and (kind in ('send', 'withdrawal') or (kind = 'refund' and attempts > 0))
      group by mode, network`,
  });
  return new Map(rows.map(({ mode, network, sum }) => [`${mode} ${network}`, BigInt(sum)]));
}

const HALT = defineColumns<Halt>({ ...all(plainColumn, 'mode', 'asset', 'reason'), atMs: timeColumn });

export function makeHalts(database: Database, logged: RunAudited): Pick<LedgerAudit, 'halt' | 'listHalts'> {
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
      const text = `select ${HALT.list()} from halts order by mode, asset`;
      return (await database.query({ name: 'list-halts', text })).rows.map(HALT.read);
    },
  };
}
