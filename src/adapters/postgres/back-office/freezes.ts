// Stores freezes in PostgreSQL. Settlement and operators add freezes, and operators lift them.
import type { BackOffice, Freeze, SettingWrites } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import { defineColumns, plainColumn, timeColumn } from '../connection/record-columns.ts';
import type { RunAudited } from './run-audited.ts';

type Freezes = Pick<
  BackOffice & SettingWrites,
  'listFreezes' | 'freezeBusiness' | 'liftFreeze' | 'liftClaimLimit'
>;

const FREEZE = defineColumns<Freeze>({
  businessId: plainColumn,
  mode: plainColumn,
  reason: plainColumn,
  atMs: timeColumn,
});
export function makeFreezes(database: Database, logged: RunAudited): Freezes {
  return {
    listFreezes: async () => {
      const text = `select ${FREEZE.list()} from freezes order by at`;
      return (await database.query({ text })).rows.map(FREEZE.read);
    },
    freezeBusiness: (businessId, mode, reason, doing) =>
      logged(doing, 'business.frozen', { businessId, mode, reason }, async (client) => {
        const { rowCount } = await client.query(
          'insert into freezes (business_id, mode, reason, at) values ($1, $2, $3, $4) on conflict do nothing',
          [businessId, mode, reason, new Date(doing.atMs)],
        );
        return (rowCount ?? 0) > 0;
      }),
    liftFreeze: (businessId, mode, reason, doing) =>
      logged(doing, 'freeze_lifted', { businessId, mode, reason }, async (client) => {
        const { rowCount } = await client.query('delete from freezes where business_id = $1 and mode = $2', [
          businessId,
          mode,
        ]);
        return (rowCount ?? 0) > 0;
      }),
    liftClaimLimit: (businessId, mode, reason, doing) =>
      logged(doing, 'claim_limit_lifted', { businessId, mode, reason }, async (client) => {
        await client.query(
          `insert into claim_limit_lifts (business_id, mode, lifted_at) values ($1, $2, $3) on conflict do nothing`,
          [businessId, mode, new Date(doing.atMs)],
        );
      }),
  };
}
