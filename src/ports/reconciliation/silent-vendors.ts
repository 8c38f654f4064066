// What is known about vendor accounts that stopped crediting.
import type { VendorRecord } from '../../domain/catalogue/silent-vendors.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface Silence {
  readonly vendorId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly lastCreditAtMs: number;
  readonly claims: number;
  /** False: it was the last account of its mode, and stays on the list. */
  readonly takenOff: boolean;
  readonly atMs: number;
}

export interface SilentVendors {
  /** Of every active vendor of the mode. */
  records(mode: Mode, nowMs: number): Promise<readonly VendorRecord[]>;
  /**
   * In one transaction: the vendor leaves the list, unless it is the last one of its mode, with the line in the audit log. Undefined: it was
   * known to be silent before.
   */
  silence(vendor: VendorRecord, atMs: number): Promise<Silence | undefined>;
  /** Ends what is over: a person put the vendor back on the list, or the account credits again. */
  endOver(mode: Mode, atMs: number): Promise<void>;
  list(mode: Mode): Promise<readonly Silence[]>;
}
