// Fees in PostgreSQL: rows are added and never changed.
import type { FeeRule } from '../../../domain/catalogue/fees.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { BackOffice, SettingWrites, StoredFee } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import type { Logged } from './logged.ts';

export function fees(
  database: Database,
  logged: Logged,
): Pick<BackOffice & SettingWrites, 'addFee' | 'listFees'> {
  return {
    addFee: (fee, doing) => {
      const flatMinor = fee.flatMinor.toString();
      const capMinor = fee.capMinor?.toString() ?? null;
      return logged(doing, 'fee_added', { ...fee, flatMinor, capMinor }, async (client) => {
        await client.query(
          `insert into fees
             (business_id, mode, product, flat_minor, fee_bps, cap_minor, effective_from, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [
            ...[fee.businessId, fee.mode, fee.product, flatMinor, fee.feeBps, capMinor],
            ...[new Date(fee.fromMs), new Date(doing.atMs)],
          ],
        );
      });
    },
    listFees: async () => (await database.query<FeeRow>({ text: SELECT_FEES })).rows.map(feeOf),
  };
}

export interface FeeRow {
  business_id: string | null;
  mode: Mode;
  product: FeeRule['product'];
  flat_minor: string;
  fee_bps: number;
  cap_minor: string | null;
  effective_from: Date;
}

/** In the order they were added, which the schedule counts on. */
export const SELECT_FEES = `select business_id, mode, product, flat_minor, fee_bps, cap_minor, effective_from
  from fees order by id`;

export function feeOf(row: FeeRow): StoredFee {
  return {
    businessId: row.business_id,
    mode: row.mode,
    product: row.product,
    flatMinor: BigInt(row.flat_minor),
    feeBps: row.fee_bps,
    capMinor: row.cap_minor === null ? null : BigInt(row.cap_minor),
    fromMs: row.effective_from.getTime(),
  };
}
