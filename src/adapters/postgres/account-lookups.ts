// The queue of sells whose bank account must be looked up at a bank, and the results. The number of tries is the fence. Each
// lease raises it, and a result under an older lease changes nothing.
import type { AccountLookup } from '../../domain/records/account-lookup.ts';
import type {
  AccountLookupFilter,
  AccountLookups,
  DueAccountLookup,
  LookupTurns,
} from '../../ports/account-lookups.ts';
import type { Database } from './connection/database.ts';
import { all, columnFrom, defineColumns, plainColumn, timeColumn } from './connection/record-columns.ts';

const ENQUIRY = defineColumns<AccountLookup>({
  ...all(plainColumn, 'transactionId', 'rail', 'verdict', 'score', 'bankSays'),
  atMs: columnFrom('asked_at', timeColumn),
});

export function makeAccountLookups(database: Database): AccountLookups {
  return {
    add: async (transactionIds, atMs) => {
      if (transactionIds.length === 0) return;
      await database.query({
        name: 'add-enquiries',
        text: `insert into account_enquiries (transaction_id, due_at)
          select s.transaction_id, $2 from transaction_states s where s.transaction_id = any ($1::text[])
            and s.type = 'sell' and s.state in ('awaiting_deposit', 'confirming', 'deposited', 'on_hold')
          order by s.transaction_id on conflict (transaction_id) do nothing`,
        values: [transactionIds, new Date(atMs)],
      });
    },
    lease: async ({ atMs, leaseMs, limit }) => {
      const { rows } = await database.query<{ transaction_id: string; tries: number }>({
        name: 'lease-enquiries',
        text: `update account_enquiries e set due_at = $2, tries = e.tries + 1 from (
            select transaction_id from account_enquiries where due_at <= $1 order by due_at limit $3
            for update skip locked) d
          where e.transaction_id = d.transaction_id returning e.transaction_id, e.tries`,
        values: [new Date(atMs), new Date(atMs + leaseMs), limit],
      });
      return rows.map((row) => ({ transactionId: row.transaction_id, tries: row.tries }));
    },
    answer: (due, { rail, verdict, score, bankSays, atMs }) =>
      writeLeased(
        database,
        due,
        'rail = $3, verdict = $4, score = $5, bank_says = $6, asked_at = $7, due_at = null',
        [...[rail, verdict, score, bankSays, new Date(atMs)]],
      ),
    putOff: async (due, dueAtMs) => {
      await writeLeased(database, due, 'due_at = $3', [dueAtMs === null ? null : new Date(dueAtMs)]);
    },
    list: (filter) => listAnswered(database, filter),
  };
}

async function writeLeased(
  database: Database,
  { transactionId, tries }: DueAccountLookup,
  changes: string,
  values: readonly unknown[],
): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `update account_enquiries set ${changes} where transaction_id = $1 and tries = $2 and due_at is not null`,
    values: [transactionId, tries, ...values],
  });
  return rowCount === 1;
}

async function listAnswered(
  database: Database,
  filter: AccountLookupFilter,
): Promise<readonly AccountLookup[]> {
  const { rows } = await database.query({
    name: 'list-enquiries',
    text: `select ${ENQUIRY.list()} from account_enquiries
      where verdict is not null and ($1::text is null or transaction_id = $1) and ($2::text is null or verdict = $2)
      order by transaction_id desc limit $3`,
    values: [filter.transactionId ?? null, filter.verdict ?? null, filter.limit],
  });
  return rows.map(ENQUIRY.read);
}

/** This is the database's clock. The clocks of two processes differ, and a limit that they share must not depend on them. */
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

// Limits how often a business may look up accounts. One row stores the time at which its whole allowance is available again.
// Each lookup moves that time forward, and the lock on the row keeps the count exact between processes.
const TAKE = `
with taken as (
  insert into account_question_turns as t (business_id, mode, free_at_ms) values ($1, $2, ${NOW_MS} + $3::bigint)
  on conflict (business_id, mode) do update set free_at_ms = greatest(t.free_at_ms, ${NOW_MS}) + $3
    where greatest(t.free_at_ms, ${NOW_MS}) + $3 - ${NOW_MS} <= $3 * $4::bigint
  returning 1)
select exists (select from taken) as taken,
  (select free_at_ms + $3 - ${NOW_MS} - $3 * $4 from account_question_turns where business_id = $1 and mode = $2) as wait_ms`;

export function makeQuestionTurns(database: Database): LookupTurns {
  return {
    take: async ({ businessId, mode }, { everyMs, burst }) => {
      const { rows } = await database.query<{ taken: boolean; wait_ms: string | null }>({
        name: 'take-question-turn',
        text: TAKE,
        values: [businessId, mode, everyMs, burst],
      });
      const { taken, wait_ms: waitMs } = rows[0]!;
      // The row may be older than the update of another process, so the wait may be too short by one lookup. It is never below one
      // millisecond.
      return taken ? 0 : Math.max(1, Number(waitMs));
    },
    charge: async ({ businessId, mode }, { everyMs }, turns) => {
      await database.query({
        name: 'charge-question-turns',
        text: `update account_question_turns set free_at_ms = free_at_ms + $3 where business_id = $1 and mode = $2`,
        values: [businessId, mode, everyMs * turns],
      });
    },
  };
}
