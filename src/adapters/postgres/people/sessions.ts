// Sessions and step-ups. Only hashes of tokens are stored; a session ends by its own end, by idleness or by being ended.
import type { SignInStore } from '../../../ports/people/sign-in.ts';
import type { Database } from '../connection/database.ts';
import { sessionOf } from './rows.ts';

type Sessions = Pick<
  SignInStore,
  | 'openSession'
  | 'session'
  | 'rotate'
  | 'sessionsOf'
  | 'endSession'
  | 'endSessions'
  | 'addStepUp'
  | 'newestStepUp'
>;

/** Requests that were under way when a token was replaced may still use the one before, for so long. */
const OVERLAP_MS = 30_000;
/** A session is written as seen at most so often: every request would be a write otherwise. */
const SEEN_EVERY_MS = 60_000;

export function sessionsIn(database: Database): Sessions {
  return {
    openSession: (session, pendingTokenHash) =>
      database.transaction(async (client) => {
        if (pendingTokenHash !== null) {
          const pending = await client.query(
            'delete from sign_ins where token_hash = $1 and person_id = $2',
            [pendingTokenHash, session.personId],
          );
          if (pending.rowCount === 0) return false;
        }
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
        text: `select s.* from sessions s join people p on p.id = s.person_id
               where (s.token_hash = $1 or (s.previous_hash = $1 and s.rotated_at > $4))
                 and s.ended_at is null and s.expires_at > $2 and s.seen_at > $3 and p.disabled_at is null`,
        values: [tokenHash, new Date(atMs), new Date(atMs - idleMs), new Date(atMs - OVERLAP_MS)],
      });
      const row = rows[0];
      if (row === undefined) return undefined;
      const session = sessionOf(row);
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
    sessionsOf: async (personId, atMs) => {
      const { rows } = await database.query({
        text: `select * from sessions where person_id = $1 and ended_at is null and expires_at > $2
               order by created_at desc, id`,
        values: [personId, new Date(atMs)],
      });
      return rows.map(sessionOf);
    },
    endSession: async (personId, sessionId, atMs) => {
      const { rowCount } = await database.query({
        text: 'update sessions set ended_at = $3 where id = $2 and person_id = $1 and ended_at is null',
        values: [personId, sessionId, new Date(atMs)],
      });
      return rowCount === 1;
    },
    endSessions: async (personId, exceptId, atMs) => {
      const { rowCount } = await database.query({
        text: `update sessions set ended_at = $3
               where person_id = $1 and ended_at is null and id is distinct from $2`,
        values: [personId, exceptId, new Date(atMs)],
      });
      return rowCount ?? 0;
    },
    addStepUp: async ({ id, personId, sessionId, subjectId, atMs }) => {
      await database.query({
        text: 'insert into step_ups (id, person_id, session_id, subject_id, at) values ($1, $2, $3, $4, $5)',
        values: [id, personId, sessionId, subjectId, new Date(atMs)],
      });
    },
    newestStepUp: async (sessionId, subjectId, sinceMs) => {
      const { rows } = await database.query<{ id: string; at: Date }>({
        text: `select id, at from step_ups where session_id = $1 and subject_id = $2 and at >= $3
               order by at desc limit 1`,
        values: [sessionId, subjectId, new Date(sinceMs)],
      });
      return rows[0] && { id: rows[0].id, atMs: rows[0].at.getTime() };
    },
  };
}
