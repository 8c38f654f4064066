// Vendor accounts in PostgreSQL.
import type { BackOffice, SettingWrites, StoredVendor } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import { type Logged, unlessTaken } from './logged.ts';

export function vendors(
  database: Database,
  logged: Logged,
): Pick<BackOffice & SettingWrites, 'addVendor' | 'listVendors' | 'changeVendor'> {
  return {
    addVendor: (vendor, doing) =>
      unlessTaken(
        logged(doing, 'vendor_added', vendor, async (client) => {
          const { id, mode, name, number, bank, bankCode, active } = vendor;
          await client.query(
            `insert into vendors (id, mode, name, number, bank, bank_code, active, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
            [id, mode, name, number, bank, bankCode, active, new Date(doing.atMs)],
          );
          return 'added' as const;
        }),
        'account_taken',
      ),
    listVendors: async () => {
      const { rows } = await database.query<StoredVendor>({
        text: `select id, mode, name, number, bank, bank_code as "bankCode", active from vendors
          order by mode, active desc, name, id`,
      });
      return rows;
    },
    changeVendor: (id, change, doing) =>
      unlessTaken(
        logged(doing, 'vendor_changed', { id, ...change }, async (client) => {
          const changed = await client.query(
            `update vendors set name = coalesce($2, name), active = coalesce($3, active), updated_at = $4
             where id = $1`,
            [id, change.name ?? null, change.active ?? null, new Date(doing.atMs)],
          );
          return changed.rowCount === 1 ? ('changed' as const) : ('not_found' as const);
        }),
        'account_taken',
      ),
  };
}
