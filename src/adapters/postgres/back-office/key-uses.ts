// When keys were last used, in a table of its own: a change there does not make every process read the catalogue again.
import type { KeyUses } from '../../../ports/key-uses.ts';
import type { Database } from '../connection/database.ts';

// In one order, so that two processes never wait for each other. The commit does not wait for the disk: the time is a hint.
const NOTE = `
with hurried as materialized (select set_config('synchronous_commit', 'off', true))
insert into api_key_uses as known (key_id, last_used_at)
select key_id, to_timestamp(at_ms / 1000) from hurried, unnest($1::text[], $2::float8[]) as u(key_id, at_ms) order by key_id
on conflict (key_id) do update set last_used_at = excluded.last_used_at where known.last_used_at < excluded.last_used_at`;

export function makeKeyUses(database: Database): KeyUses {
  return {
    note: async (uses) => {
      await database.query({
        name: 'note-key-uses',
        text: NOTE,
        values: [[...uses.keys()], [...uses.values()]],
      });
    },
  };
}
