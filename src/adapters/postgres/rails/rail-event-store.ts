// Stores what people decide about rail events, in PostgreSQL. A decision and its audit log entry are one transaction.
import type { RailEventStore, StoredRailEvent } from '../../../ports/rails/rail-event-store.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';

const COLUMNS = `id, mode, rail, type, topic, about, state, outcome, looks,
  (extract(epoch from received_at) * 1000)::float8 as "receivedAtMs"`;

export function makeRailEventStore(database: Database): RailEventStore {
  const logged = makeRunAudited(database);
  return {
    list: async ({ mode = null, rail = null, state = null, limit }) => {
      const { rows } = await database.query<StoredRailEvent & object>({
        text: `select ${COLUMNS} from rail_events where ($1::text is null or mode = $1) and ($2::text is null or rail = $2)
          and ($3::text is null or state = $3) order by received_at desc, id desc limit $4`,
        values: [mode, rail, state, limit],
      });
      return rows;
    },
    find: async (id) => {
      const text = `select ${COLUMNS} from rail_events where id = $1`;
      return (await database.query<StoredRailEvent & object>({ text, values: [id] })).rows[0];
    },
    tryAgain: (id, doing) =>
      logged(doing, 'rail_event_tried_again', { id }, async (client) => {
        const { rowCount } = await client.query(
          `update rail_events set state = 'open', due_at = $2, looks = 0, tries = 0, version = version + 1
            where id = $1 and state = 'review'`,
          [id, new Date(doing.atMs)],
        );
        return rowCount === 1;
      }),
    close: (id, reason, doing) =>
      logged(doing, 'rail_event_closed', { id, reason }, async (client) => {
        const { rowCount } = await client.query(
          `update rail_events set state = 'done', outcome = $2, version = version + 1 where id = $1 and state = 'review'`,
          [id, `closed: ${reason}`],
        );
        return rowCount === 1;
      }),
  };
}
