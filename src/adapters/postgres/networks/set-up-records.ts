// Set-ups that treasuries signed and whose outcome is not known yet. A database sees only a handful of them.
import type { Mode } from '../../../domain/values/mode.ts';
import type { SetUpRecords } from '../../../ports/network-set-up.ts';
import type { Database } from '../connection/database.ts';

interface Row {
  mode: Mode;
  network: string;
  hash: string;
  source: string;
  sequence: string | null;
  payload: string;
  bound: string | null;
  what: string;
  at: Date;
}

export function setUpRecords(database: Database): SetUpRecords {
  return {
    open: async () => {
      const { rows } = await database.query<Row & Record<string, unknown>>({
        name: 'open-set-ups',
        text: `select s.mode, s.network, s.hash, s.source, s.sequence, s.payload, s.bound, s.what, s.at from set_ups s
          where not exists (select from set_up_ends e
            where e.mode = s.mode and e.network = s.network and e.hash = s.hash)
          order by s.at, s.hash`,
      });
      return rows.map(({ at, ...rest }) => ({ ...rest, signedAtMs: at.getTime() }));
    },
  };
}
