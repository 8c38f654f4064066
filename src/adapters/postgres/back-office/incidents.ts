// Freezes and recovery cases in PostgreSQL: settlement opens them, operators lift and close them.
import type { Mode } from '../../../domain/values/mode.ts';
import type { BackOffice, SettingWrites } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import type { Logged } from './logged.ts';

type Incidents = Pick<
  BackOffice & SettingWrites,
  'listFreezes' | 'liftFreeze' | 'listOpenCases' | 'closeCase'
>;

export function incidents(database: Database, logged: Logged): Incidents {
  return {
    listFreezes: async () => {
      const { rows } = await database.query<{ business_id: string; mode: Mode; reason: string; at: Date }>({
        text: 'select business_id, mode, reason, at from freezes order by at',
      });
      return rows.map(({ business_id, mode, reason, at }) => ({
        businessId: business_id,
        mode,
        reason,
        atMs: at.getTime(),
      }));
    },
    liftFreeze: (businessId, mode, reason, doing) =>
      logged(doing, 'freeze_lifted', { businessId, mode, reason }, async (client) => {
        const { rowCount } = await client.query('delete from freezes where business_id = $1 and mode = $2', [
          businessId,
          mode,
        ]);
        return (rowCount ?? 0) > 0;
      }),
    listOpenCases: async () => {
      const { rows } = await database.query<CaseRow>({
        text: `select id, kind, mode, business_id, transaction_id, amount_minor, opened_at from cases
          where closed_at is null order by id`,
      });
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        mode: row.mode,
        businessId: row.business_id,
        transactionId: row.transaction_id,
        amountMinor: BigInt(row.amount_minor),
        openedAtMs: row.opened_at.getTime(),
      }));
    },
    closeCase: (id, reason, doing) =>
      logged(doing, 'case_closed', { id, reason }, async (client) => {
        const { rowCount } = await client.query(
          'update cases set closed_at = $2, closed_by = $3 where id = $1 and closed_at is null',
          [id, new Date(doing.atMs), doing.actor],
        );
        return (rowCount ?? 0) > 0;
      }),
  };
}

interface CaseRow {
  id: string;
  kind: string;
  mode: Mode;
  business_id: string | null;
  transaction_id: string | null;
  amount_minor: string;
  opened_at: Date;
}
