// Passwords, pending sign-ins and the counting of tries: each guess is counted in the statement that allows it.
import type { PendingSignIn, SignInStore } from '../../../ports/people/sign-in.ts';
import type { Database } from '../connection/database.ts';
import { personOf } from './rows.ts';

type Tries = Pick<
  SignInStore,
  'countTry' | 'forgetTries' | 'passwordOf' | 'setPassword' | 'addPending' | 'setChallenge' | 'judgePending'
>;

export function triesIn(database: Database): Tries {
  return {
    countTry: async (email, atMs, { most, lockMs }) => {
      const { rows } = await database.query<{ locked_until: Date | null }>({
        name: 'count_try',
        text: COUNT_TRY,
        values: [email, new Date(atMs), most, new Date(atMs + lockMs), new Date(atMs - lockMs)],
      });
      return rows[0]!.locked_until?.getTime() ?? null;
    },
    forgetTries: async (email) => {
      await database.query({ text: 'delete from sign_in_failures where email = $1', values: [email] });
    },
    passwordOf: async (email) => {
      const { rows } = await database.query({
        text: `select p.*, w.stored from people p join passwords w on w.person_id = p.id where p.email = $1`,
        values: [email],
      });
      const row = rows[0];
      return row === undefined ? undefined : { person: personOf(row), stored: row.stored as string };
    },
    setPassword: (personId, stored, atMs, keepSession) =>
      database.transaction(async (client) => {
        await client.query(
          `insert into passwords values ($1, $2, $3)
           on conflict (person_id) do update set stored = excluded.stored, changed_at = excluded.changed_at`,
          [personId, stored, new Date(atMs)],
        );
        await client.query('delete from sign_ins where person_id = $1', [personId]);
        await client.query(
          `update sessions set ended_at = $2
           where person_id = $1 and ended_at is null and id is distinct from $3`,
          [personId, new Date(atMs), keepSession],
        );
      }),
    addPending: async (tokenHash, personId, expiresAtMs) => {
      await database.query({
        text: 'insert into sign_ins (token_hash, person_id, expires_at) values ($1, $2, $3)',
        values: [tokenHash, personId, new Date(expiresAtMs)],
      });
    },
    setChallenge: async (tokenHash, challenge, atMs) => {
      const { rows } = await database.query({
        text: `update sign_ins set challenge = $2 where token_hash = $1 and expires_at > $3 and judged < 5
               returning person_id, challenge`,
        values: [tokenHash, challenge, new Date(atMs)],
      });
      return pendingOf(rows[0]);
    },
    judgePending: async (tokenHash, atMs) => {
      const { rows } = await database.query({
        text: `update sign_ins set judged = judged + 1 where token_hash = $1 and expires_at > $2 and judged < 5
               returning person_id, challenge`,
        values: [tokenHash, new Date(atMs)],
      });
      return pendingOf(rows[0]);
    },
  };
}

/**
 * One row an address, known or not. A row whose last try is older than the lock begins anew. `locked_until` is answered only
 * when this try may no longer be judged.
 */
const COUNT_TRY = `
  insert into sign_in_failures as f (email, failures, locked_until, updated_at) values ($1, 1, null, $2)
  on conflict (email) do update set
    failures = case when f.updated_at < $5 then 1 else f.failures + 1 end,
    locked_until = case
      when f.updated_at < $5 then null
      when f.locked_until > $2 then f.locked_until
      when f.failures >= $3 then $4
      else null end,
    updated_at = case when f.locked_until > $2 then f.updated_at else $2 end
  returning locked_until`;

function pendingOf(row: Record<string, unknown> | undefined): PendingSignIn | undefined {
  if (row === undefined) return undefined;
  return { personId: row.person_id as string, challenge: row.challenge as string | null };
}
