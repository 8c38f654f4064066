// Set-ups that treasuries signed and whose outcome is not known yet. A database sees only a handful of them.
import type { SignedSetUp } from '../../../domain/records/set-up.ts';
import type { SetUpRecords } from '../../../ports/network-set-up.ts';
import { columns, from, plain, time } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';

const SET_UP = columns<SignedSetUp>({
  mode: plain,
  network: plain,
  hash: plain,
  source: plain,
  sequence: plain,
  payload: plain,
  bound: plain,
  what: plain,
  signedAtMs: from('s.at', time),
});

export function setUpRecords(database: Database): SetUpRecords {
  return {
    open: async () => {
      const { rows } = await database.query({
        name: 'open-set-ups',
        text: `select ${SET_UP.list('s')} from set_ups s
          where not exists (select from set_up_ends e
            where e.mode = s.mode and e.network = s.network and e.hash = s.hash)
          order by s.at, s.hash`,
      });
      return rows.map(SET_UP.read);
    },
  };
}
