// Stores step-ups and their second factors. The statement that allows a try also counts it.
import type { SessionStore } from '../../../ports/people/sessions.ts';
import type { Database } from '../connection/database.ts';

type StepUps = Pick<
  SessionStore,
  'setStepUpChallenge' | 'judgeStepUp' | 'forgetStepUpTries' | 'addStepUp' | 'newestStepUp'
>;

export function makeStepUps(database: Database): StepUps {
  return {
    setStepUpChallenge: async (sessionId, subjectId, challenge, atMs) => {
      const { rowCount } = await database.query({
        text: `insert into step_up_tries as t (session_id, subject_id, challenge, challenged_at) values ($1, $2, $3, $4)
               on conflict (session_id, subject_id)
               do update set challenge = excluded.challenge, challenged_at = excluded.challenged_at where t.judged < 5`,
        values: [sessionId, subjectId, challenge, new Date(atMs)],
      });
      return rowCount === 1;
    },
    judgeStepUp: (sessionId, subjectId, challengedSinceMs) =>
      database.transaction(async (client) => {
        await client.query(
          `insert into step_up_tries (session_id, subject_id) values ($1, $2) on conflict do nothing`,
          [sessionId, subjectId],
        );
        const { rows } = await client.query<{ challenge: string | null }>(
          `update step_up_tries t set judged = t.judged + 1, challenge = null, challenged_at = null
           from (select session_id, subject_id, challenge, challenged_at from step_up_tries
                 where session_id = $1 and subject_id = $2 and judged < 5 for update) asked
           where t.session_id = asked.session_id and t.subject_id = asked.subject_id
           returning case when asked.challenged_at >= $3 then asked.challenge end as challenge`,
          [sessionId, subjectId, new Date(challengedSinceMs)],
        );
        return rows[0];
      }),
    forgetStepUpTries: async (sessionId, subjectId) => {
      await database.query({
        text: 'delete from step_up_tries where session_id = $1 and subject_id = $2',
        values: [sessionId, subjectId],
      });
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
