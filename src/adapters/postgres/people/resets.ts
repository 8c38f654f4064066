// Stores password resets by mail in PostgreSQL. A request writes the same row for every address. A worker decides later whether
// the address belongs to a person.
import type pg from 'pg';
import type { NewReset, ResetStore } from '../../../ports/people/membership.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { cancelMailLinks, queueMail } from '../mail-queue.ts';
import { runOrRefusalCode } from './rows.ts';

const LIVE = `select r.person_id as "personId", p.email, p.name from password_resets r join people p on p.id = r.person_id
  where r.token_hash = $1 and r.expires_at > $2 and p.disabled_at is null`;

export function makeResetStore(database: Database): ResetStore {
  return { ...makeResetRequests(database), ...makeResetUses(database) };
}

function makeResetRequests(database: Database): Pick<ResetStore, 'ask' | 'listAsks' | 'answerAsk'> {
  const logged = makeRunAudited(database);
  const drop = { text: 'delete from password_reset_asks where email = $1' };
  return {
    ask: async (email, atMs) => {
      await database.query({
        text: `insert into password_reset_asks (email, asked_at) values ($1, $2)
               on conflict (email) do update set asked_at = excluded.asked_at`,
        values: [email, new Date(atMs)],
      });
    },
    listAsks: async (limit) => {
      const { rows } = await database.query<{ email: string }>({
        text: 'select email from password_reset_asks order by email limit $1',
        values: [limit],
      });
      return rows.map(({ email }) => email);
    },
    answerAsk: async (email, reset, sinceMs, doing) => {
      const { rows } = await database.query<{ id: string }>({
        text: `select id from people p where email = $1 and disabled_at is null and not exists
                 (select from password_resets where person_id = p.id and created_at > $2)`,
        values: [email, new Date(sinceMs)],
      });
      const person = rows[0]?.id;
      if (person === undefined) {
        await database.query({ ...drop, values: [email] });
        return false;
      }
      const made = await runOrRefusalCode<'made', 'answered'>((refuse) =>
        logged(doing, 'password_reset_made', { id: person }, async (client) => {
          const { rowCount } = await client.query(drop.text, [email]);
          if (rowCount === 0) refuse('answered');
          await insertReset(client, person, reset, doing.atMs);
          return 'made' as const;
        }),
      );
      return made === 'made';
    },
  };
}

function makeResetUses(database: Database): Pick<ResetStore, 'find' | 'use' | 'resetPerson'> {
  const logged = makeRunAudited(database);
  return {
    find: async (tokenHash, atMs) => {
      const { rows } = await database.query<{ personId: string; email: string; name: string }>({
        text: LIVE,
        values: [tokenHash, new Date(atMs)],
      });
      return rows[0];
    },
    use: async (tokenHash, stored, mail, doing) => {
      const person = doing.actor;
      const used = await runOrRefusalCode<'used', 'ended'>((refuse) =>
        logged(doing, 'password_reset_used', { id: person }, async (client) => {
          const at = new Date(doing.atMs);
          const live = await client.query(`${LIVE} and p.id = $3 for update of r`, [tokenHash, at, person]);
          if (live.rowCount === 0) refuse('ended');
          await client.query('delete from password_resets where person_id = $1', [person]);
          await cancelMailLinks(client, person);
          await client.query(
            `insert into passwords (person_id, stored, changed_at) values ($1, $2, $3)
             on conflict (person_id) do update set stored = excluded.stored, changed_at = excluded.changed_at`,
            [person, stored, at],
          );
          await signOut(client, person, doing.atMs);
          await queueMail(client, mail);
          return 'used' as const;
        }),
      );
      return used === 'used';
    },
    resetPerson: (personId, reset, doing) =>
      runOrRefusalCode<'reset', 'not_found'>((refuse) =>
        logged(doing, 'person_reset', { id: personId }, async (client) => {
          const known = await client.query('select from people where id = $1 for update', [personId]);
          if (known.rowCount === 0) refuse('not_found');
          for (const table of [
            'passwords',
            'totp_secrets',
            'passkeys',
            'recovery_codes',
            'provided_identities',
          ])
            await client.query(`delete from ${table} where person_id = $1`, [personId]);
          await signOut(client, personId, doing.atMs);
          await insertReset(client, personId, reset, doing.atMs);
          return 'reset' as const;
        }),
      ),
  };
}

/** A new password reset replaces all earlier resets of the person. */
async function insertReset(
  client: pg.ClientBase,
  personId: string,
  { tokenHash, expiresAtMs, mail }: NewReset,
  atMs: number,
): Promise<void> {
  await cancelMailLinks(client, personId);
  await client.query(
    `insert into password_resets (person_id, token_hash, created_at, expires_at) values ($1, $2, $3, $4)
     on conflict (person_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
       expires_at = excluded.expires_at`,
    [personId, tokenHash, new Date(atMs), new Date(expiresAtMs)],
  );
  await queueMail(client, { ...mail, about: personId });
}

async function signOut(client: pg.ClientBase, personId: string, atMs: number): Promise<void> {
  await client.query('delete from sign_ins where person_id = $1', [personId]);
  await client.query('delete from known_devices where person_id = $1', [personId]);
  await client.query('update sessions set ended_at = $2 where person_id = $1 and ended_at is null', [
    ...[personId, new Date(atMs)],
  ]);
}
