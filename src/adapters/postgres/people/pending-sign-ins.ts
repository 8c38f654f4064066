// Stores passwords and pending sign-ins. A password change ends every pending sign-in that was opened with the old password.
// This includes a sign-in that is being opened at that moment, because both lock the row of the password.
import type pg from 'pg';
import type { NewPendingSignIn, PendingSignIn, SignInStore } from '../../../ports/people/sign-in.ts';
import { makeRunAudited, type RunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { all, defineColumns, plainColumn } from '../connection/record-columns.ts';
import { PERSON } from './rows.ts';

type PendingSignIns = Pick<
  SignInStore,
  'passwordOf' | 'setPassword' | 'addPending' | 'pending' | 'setChallenge' | 'judgePending'
>;

const PENDING = defineColumns<PendingSignIn>(all(plainColumn, 'personId', 'triesKey', 'challenge'));

const FORGET_AT_ONCE = 20;

export function makePendingSignIns(database: Database): PendingSignIns {
  return {
    ...makePasswordWrites(makeRunAudited(database)),
    passwordOf: async (email) => {
      const { rows } = await database.query({
        text: `select ${PERSON.list()}, w.stored from people p join passwords w on w.person_id = p.id where p.email = $1`,
        values: [email],
      });
      const row = rows[0];
      return row === undefined ? undefined : { person: PERSON.read(row), stored: row.stored as string };
    },
    addPending: async (pending, stored) => {
      await forgetExpired(database, pending.atMs);
      return database.transaction((client) => insertPending(client, pending, stored));
    },
    pending: async (tokenHash, atMs) => {
      const { rows } = await database.query({
        text: `select ${PENDING.list()} from sign_ins where token_hash = $1 and expires_at > $2 and judged < 5`,
        values: [tokenHash, new Date(atMs)],
      });
      return rows.map(PENDING.read)[0];
    },
    setChallenge: async (tokenHash, challenge, atMs) => {
      const { rows } = await database.query({
        text: `update sign_ins set challenge = $2 where token_hash = $1 and expires_at > $3 and judged < 5
               returning ${PENDING.list()}`,
        values: [tokenHash, challenge, new Date(atMs)],
      });
      return rows.map(PENDING.read)[0];
    },
    judgePending: async (tokenHash, atMs) => {
      const { rows } = await database.query({
        text: `update sign_ins s set judged = s.judged + 1, challenge = null
               from (select token_hash, person_id, tries_key, challenge from sign_ins
                     where token_hash = $1 and expires_at > $2 and judged < 5 for update) asked
               where s.token_hash = asked.token_hash 
               returning ${PENDING.list('asked')}`,
        values: [tokenHash, new Date(atMs)],
      });
      return rows.map(PENDING.read)[0];
    },
  };
}

/** This is a separate statement, because rows of other people must not be locked while the rows of this person are locked. */
async function forgetExpired(database: Database, atMs: number): Promise<void> {
  await database.query({
    text: `delete from sign_ins where token_hash in
             (select token_hash from sign_ins where expires_at <= $1 order by expires_at limit $2 for update skip locked)`,
    values: [new Date(atMs), FORGET_AT_ONCE],
  });
}

async function insertPending(
  client: pg.ClientBase,
  { tokenHash, personId, triesKey, expiresAtMs }: NewPendingSignIn,
  stored: string | null,
): Promise<boolean> {
  const person = await client.query('select from people where id = $1 and disabled_at is null for share', [
    personId,
  ]);
  if (person.rowCount === 0) return false;
  if (stored !== null) {
    const same = await client.query('select from passwords where person_id = $1 and stored = $2 for share', [
      personId,
      stored,
    ]);
    if (same.rowCount === 0) return false;
  }
  await client.query(
    'insert into sign_ins (token_hash, person_id, tries_key, expires_at) values ($1, $2, $3, $4)',
    [tokenHash, personId, triesKey, new Date(expiresAtMs)],
  );
  return true;
}

function makePasswordWrites(logged: RunAudited): Pick<PendingSignIns, 'setPassword'> {
  return {
    setPassword: (personId, stored, doing) =>
      logged(doing, 'password_set', { person: personId }, async (client) => {
        await client.query(
          `insert into passwords (person_id, stored, changed_at) values ($1, $2, $3)
           on conflict (person_id) do update set stored = excluded.stored, changed_at = excluded.changed_at`,
          [personId, stored, new Date(doing.atMs)],
        );
        await endAllPending(client, personId, doing.atMs);
      }),
  };
}

async function endAllPending(client: pg.ClientBase, personId: string, atMs: number): Promise<void> {
  await client.query('delete from sign_ins where person_id = $1', [personId]);
  await client.query('delete from known_devices where person_id = $1', [personId]);
  await client.query('update sessions set ended_at = $2 where person_id = $1 and ended_at is null', [
    personId,
    new Date(atMs),
  ]);
}
