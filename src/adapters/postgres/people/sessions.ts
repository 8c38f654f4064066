// Stores sessions, with hashes of tokens only. A session ends at its expiry time, after a time without use, or when it is ended
// explicitly.
import type { SessionStore } from '../../../ports/people/sessions.ts';
import type { Database } from '../connection/database.ts';
import { SESSION } from './rows.ts';

type Sessions = Pick<
  SessionStore,
  'openSession' | 'session' | 'rotate' | 'sessionsOf' | 'endSession' | 'endSessions'
>;

/** After a session token was replaced, requests in progress may use the previous token for this long. */
const OVERLAP_MS = 30_000;
/** The time of a session's last use is written at most this often. Otherwise every request would be a write. */
const SEEN_EVERY_MS = 60_000;

export function makeSessions(database: Database): Sessions {
  return { ...makeSessionLife(database), ...makeSessionEnds(database) };
}

function makeSessionLife(database: Database): Pick<Sessions, 'openSession' | 'session' | 'rotate'> {
  return {
    openSession: (session, pendingTokenHash) =>
      database.transaction(async (client) => {
        // This takes the locks in the same order as the code that disables a person.
        const person = await client.query(
          'select from people where id = $1 and disabled_at is null for share',
          [session.personId],
        );
        const pending = await client.query('delete from sign_ins where token_hash = $1 and person_id = $2', [
          pendingTokenHash,
          session.personId,
        ]);
        if (person.rowCount === 0 || pending.rowCount === 0) return false;
        await client.query(
          `insert into sessions (id, person_id, token_hash, rotated_at, surface, address, user_agent,
             created_at, seen_at, expires_at)
           values ($1, $2, $3, $7, $4, $5, $6, $7, $7, $8)`,
          [
            session.id,
            session.personId,
            session.tokenHash,
            session.surface,
            session.address,
            session.userAgent,
            new Date(session.createdAtMs),
            new Date(session.expiresAtMs),
          ],
        );
        return true;
      }),
    session: async (tokenHash, atMs, idleMs) => {
      const { rows } = await database.query({
        name: 'session',
        text: `select ${SESSION.list('s')}, s.rotated_at from sessions s join people p on p.id = s.person_id
               where (s.token_hash = $1 or (s.previous_hash = $1 and s.rotated_at > $4))
                 and s.ended_at is null and s.expires_at > $2 and s.seen_at > $3 and p.disabled_at is null`,
        values: [tokenHash, new Date(atMs), new Date(atMs - idleMs), new Date(atMs - OVERLAP_MS)],
      });
      const row = rows[0];
      if (row === undefined) return undefined;
      const session = SESSION.read(row);
      if (atMs - session.seenAtMs > SEEN_EVERY_MS)
        await database.query({
          text: 'update sessions set seen_at = $2 where id = $1 and ended_at is null and seen_at < $2',
          values: [session.id, new Date(atMs)],
        });
      return { session, rotatedAtMs: (row.rotated_at as Date).getTime() };
    },
    rotate: async (sessionId, fromHash, toHash, atMs) => {
      const { rowCount } = await database.query({
        text: `update sessions set token_hash = $3, previous_hash = $2, rotated_at = $4
               where id = $1 and token_hash = $2 and ended_at is null`,
        values: [sessionId, fromHash, toHash, new Date(atMs)],
      });
      return rowCount === 1;
    },
  };
}

function makeSessionEnds(database: Database): Pick<Sessions, 'sessionsOf' | 'endSession' | 'endSessions'> {
  return {
    sessionsOf: async (personId, atMs, idleMs) => {
      const { rows } = await database.query({
        text: `select ${SESSION.list()} from sessions where person_id = $1 and ended_at is null and expires_at > $2 and seen_at > $3
               order by created_at desc, id`,
        values: [personId, new Date(atMs), new Date(atMs - idleMs)],
      });
      return rows.map(SESSION.read);
    },
    endSession: async (personId, sessionId, atMs) => {
      const { rowCount } = await database.query({
        text: 'update sessions set ended_at = $3 where id = $2 and person_id = $1 and ended_at is null',
        values: [personId, sessionId, new Date(atMs)],
      });
      return rowCount === 1;
    },
    endSessions: (personId, exceptId, atMs) =>
      database.transaction(async (client) => {
        await client.query('delete from sign_ins where person_id = $1', [personId]);
        const { rowCount } = await client.query(
          `update sessions set ended_at = $3
           where person_id = $1 and ended_at is null and id is distinct from $2`,
          [personId, exceptId, new Date(atMs)],
        );
        return rowCount ?? 0;
      }),
  };
}
