// The desks of reconciliation on one database.
import type { ReconciliationDesks } from '../../../ports/reconciliation/desks.ts';
import type { Database } from '../connection/database.ts';
import { makeReconciliationDesk } from './reconciliation-desk.ts';
import { makeSilentVendors } from './silent-vendors.ts';
import { makeThresholdReads } from './threshold-reads.ts';

export function makeReconciliationDesks(database: Database): ReconciliationDesks {
  return {
    reconciliation: makeReconciliationDesk(database),
    thresholdReads: makeThresholdReads(database),
    silentVendors: makeSilentVendors(database),
  };
}
