// How often a business may ask about accounts: one row holds the time from which it has all its questions again. A turn moves it
// on, and the lock on the row keeps the count exact between processes.
import type { QuestionTurns } from '../../../ports/enquiries/enquiries.ts';
import type { Database } from '../connection/database.ts';

const TAKE = `
with taken as (
  insert into account_question_turns as t (business_id, mode, free_at_ms) values ($1, $2, $3::bigint + $4::bigint)
  on conflict (business_id, mode) do update set free_at_ms = greatest(t.free_at_ms, $3) + $4
    where greatest(t.free_at_ms, $3) + $4 - $3 <= $4 * $5::bigint
  returning 1)
select exists (select from taken) as taken,
  (select free_at_ms from account_question_turns where business_id = $1 and mode = $2) as free_at_ms`;

export function makeQuestionTurns(database: Database): QuestionTurns {
  return {
    take: async ({ businessId, mode }, { everyMs, burst }, atMs) => {
      const { rows } = await database.query<{ taken: boolean; free_at_ms: string | null }>({
        name: 'take-question-turn',
        text: TAKE,
        values: [businessId, mode, Math.trunc(atMs), everyMs, burst],
      });
      const { taken, free_at_ms: freeAtMs } = rows[0]!;
      if (taken) return 0;
      // Read before the row that another process holds was moved, it may be too early by a turn; never below one millisecond.
      return Math.max(1, Number(freeAtMs ?? atMs) + everyMs - atMs - everyMs * burst);
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
