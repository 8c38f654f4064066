// What reconciliation, threshold reports and the watch of vendor accounts read and write.
import type { ReconciliationDesk } from './reconciliation-desk.ts';
import type { SilentVendors } from './silent-vendors.ts';
import type { ThresholdReads } from './threshold-reads.ts';

export interface ReconciliationDesks {
  readonly reconciliation: ReconciliationDesk;
  readonly thresholdReads: ThresholdReads;
  readonly silentVendors: SilentVendors;
}
