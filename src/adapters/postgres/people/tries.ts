// Stores sign-in tries, and known devices whose tries are counted separately. The statement that allows a try also counts it.
import type { SignInStore, TryLimits } from '../../../ports/people/sign-in.ts';
import type { Database } from '../connection/database.ts';

type Tries = Pick<SignInStore, 'countTry' | 'returnTry' | 'forgetTries' | 'isKnownDevice' | 'rememberDevice'>;

/** A device that was not used for this long counts as unknown again. */
const DEVICE_MS = 180 * 24 * 3_600_000;
/** The maximum number of known devices of a person. The oldest devices are deleted. */
const MOST_DEVICES = 20;
/** Each new row deletes up to this many rows that no longer count. So the table holds about one day of tries. */
const FORGET_AT_ONCE = 10;

export function makeTries(database: Database): Tries {
  return {
    countTry: async (key, atMs, limits) => {
      const { rows } = await database.query<{ locked_until: Date | null; is_new: boolean }>({
        name: 'count_try',
        text: COUNT_TRY,
        values: [
          key,
          new Date(atMs),
          limits.most,
          limits.lockMs.map((lockMs) => new Date(atMs + lockMs)),
          new Date(atMs - limits.forgetMs),
        ],
      });
      const { locked_until, is_new } = rows[0]!;
      if (is_new) await forgetOldTries(database, atMs, limits);
      return locked_until?.getTime() ?? null;
    },
    returnTry: async (key) => {
      await database.query({
        text: 'update sign_in_failures set failures = failures - 1 where key = $1 and failures > 0',
        values: [key],
      });
    },
    forgetTries: async (keys) => {
      await database.query({ text: 'delete from sign_in_failures where key = any($1)', values: [keys] });
    },
    isKnownDevice: async (tokenHash, email, atMs) => {
      const { rowCount } = await database.query({
        text: `select from known_devices d join people p on p.id = d.person_id
               where d.token_hash = $1 and p.email = $2 and d.used_at > $3`,
        values: [tokenHash, email, new Date(atMs - DEVICE_MS)],
      });
      return rowCount === 1;
    },
    rememberDevice: (tokenHash, personId, atMs) =>
      database.transaction(async (client) => {
        await client.query(
          `insert into known_devices (token_hash, person_id, used_at) values ($1, $2, $3)
           on conflict (token_hash) do update set used_at = excluded.used_at`,
          [tokenHash, personId, new Date(atMs)],
        );
        await client.query(
          `delete from known_devices where token_hash in
             (select token_hash from known_devices where person_id = $1 order by used_at desc offset $2)`,
          [personId, MOST_DEVICES],
        );
      }),
  };
}

/**
 * If a row of tries is old, its count starts again at zero. While the row is locked, no try is counted. The first try above the
 * limit starts the next lock. After the lock the same number of tries is allowed again.
 */
const OLD = 'greatest(f.updated_at, f.locked_until) <= $5';
const COUNT_TRY = `
  insert into sign_in_failures as f (key, failures, locks, locked_until, updated_at) values ($1, 1, 0, null, $2)
  on conflict (key) do update set
    failures = case when ${OLD} then 1 when f.locked_until > $2 then f.failures
      when f.failures >= $3 then 0 else f.failures + 1 end,
    locks = case when ${OLD} then 0 when f.locked_until > $2 then f.locks
      when f.failures >= $3 then f.locks + 1 else f.locks end,
    locked_until = case when ${OLD} then null when f.locked_until > $2 then f.locked_until
      when f.failures >= $3 then ($4::timestamptz[])[least(f.locks + 1, cardinality($4::timestamptz[]))] end,
    updated_at = case when f.locked_until > $2 then f.updated_at else $2 end
  returning locked_until, xmax = 0 as is_new`;

async function forgetOldTries(database: Database, atMs: number, { forgetMs }: TryLimits): Promise<void> {
  await database.query({
    text: `delete from sign_in_failures where key in
             (select key from sign_in_failures where updated_at <= $1 and coalesce(locked_until, updated_at) <= $1
              order by updated_at limit $2 for update skip locked)`,
    values: [new Date(atMs - forgetMs), FORGET_AT_ONCE],
  });
}
