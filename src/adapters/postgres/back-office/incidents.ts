// Freezes and recovery cases in PostgreSQL: settlement opens them, operators lift freezes, and a case ends with its posting
// (commit/marks.ts).
import type { Mode } from '../../../domain/values/mode.ts';
import type { BackOffice, SettingWrites } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import type { Logged } from './logged.ts';

type Incidents = Pick<
  BackOffice & SettingWrites,
  'listFreezes' | 'freezeBusiness' | 'liftFreeze' | 'liftClaimLimit' | 'listOpenCases'
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
