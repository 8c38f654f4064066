// Stores fees in PostgreSQL. Fee rows are added and never changed.
import type { BackOffice, SettingWrites, StoredFee } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';
import type { RunAudited } from './run-audited.ts';

export function makeFees(
  database: Database,
  logged: RunAudited,
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
    listFees: async () => (await database.query({ text: SELECT_FEES })).rows.map(FEE_COLUMNS.read),
  };
}

export const FEE_COLUMNS = defineColumns<StoredFee>({
  ...all(plainColumn, 'businessId', 'mode', 'product', 'feeBps'),
  ...all(bigintColumn, 'flatMinor', 'capMinor'),
  fromMs: columnFrom('effective_from', timeColumn),
});

/** The order is the one in which the fees were added. The fee schedule needs this order. */
export const SELECT_FEES = `select ${FEE_COLUMNS.list()} from fees order by id`;
