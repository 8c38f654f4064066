// Stores limits in PostgreSQL: one row per business and mode, and one default row per mode.
import type { LimitRule } from '../../../domain/catalogue/limits.ts';
import type { BackOffice, SettingWrites } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import { all, bigintColumn, defineColumns, plainColumn } from '../connection/record-columns.ts';
import type { RunAudited } from './run-audited.ts';

export function makeLimits(
  database: Database,
  logged: RunAudited,
): Pick<BackOffice & SettingWrites, 'saveLimit' | 'listLimits'> {
  return {
    saveLimit: (limit, doing) => {
      const { businessId, mode } = limit;
      const perTransactionMinor = limit.perTransactionMinor?.toString() ?? null;
      const perDayMinor = limit.perDayMinor?.toString() ?? null;
      const perMonthMinor = limit.perMonthMinor?.toString() ?? null;
      const detail = { businessId, mode, perTransactionMinor, perDayMinor, perMonthMinor };
      return logged(doing, 'limit_set', detail, async (client) => {
        await client.query(
          `insert into limits
             (business_id, mode, per_transaction_minor, per_day_minor, per_month_minor, updated_at)
           values ($1, $2, $3, $4, $5, $6)
           on conflict on constraint limits_one_each do update
           set per_transaction_minor = excluded.per_transaction_minor, per_day_minor = excluded.per_day_minor,
             per_month_minor = excluded.per_month_minor, updated_at = excluded.updated_at`,
          [businessId, mode, perTransactionMinor, perDayMinor, perMonthMinor, new Date(doing.atMs)],
        );
      });
    },
    listLimits: async () => (await database.query({ text: SELECT_LIMITS })).rows.map(LIMIT_COLUMNS.read),
  };
}

export const LIMIT_COLUMNS = defineColumns<LimitRule>({
  ...all(plainColumn, 'businessId', 'mode'),
  ...all(bigintColumn, 'perTransactionMinor', 'perDayMinor', 'perMonthMinor'),
});

export const SELECT_LIMITS = `select ${LIMIT_COLUMNS.list()} from limits order by mode, business_id nulls first`;
