// The catalogue: data that every request needs and that rarely changes (keys, businesses, vendors, fees and limits). The
// service reads it from memory, and only while the copy in memory is known to match the database.
import type { FeeSchedule } from '../domain/catalogue/fees.ts';
import type { LimitRule } from '../domain/catalogue/limits.ts';
import type { KeyScope } from '../domain/catalogue/secret-keys.ts';
import type { VendorAccount } from '../domain/catalogue/vendors.ts';
import type { RailSettings } from '../domain/rails/settings.ts';
import type { Wallet } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface Business {
  readonly id: string;
  readonly name: string;
  readonly linkTag: string;
  readonly tier: string;
  readonly defaultWallets: Readonly<Partial<Record<Mode, Wallet>>>;
}

export interface ApiKey {
  readonly id: string;
  readonly mode: Mode;
  readonly scope: KeyScope;
  readonly business: Business;
  /** The time when the old key expires, set while a key is being replaced. */
  readonly expiresAtMs: number | null;
}

export interface Vendor {
  readonly id: string;
  readonly mode: Mode;
  readonly name: string;
  readonly number: string;
  readonly bank: string;
  readonly bankCode: string;
}

export interface CatalogueSnapshot {
  /** A different number for every snapshot. Data that was rendered from a snapshot can be cached under its number. */
  readonly generation: number;
  readonly keysByHash: ReadonlyMap<string, ApiKey>;
  readonly vendors: Readonly<Record<Mode, readonly Vendor[]>>;
  /** The accounts of all vendors, including disabled vendors. */
  readonly vendorAccounts: Readonly<Record<Mode, readonly VendorAccount[]>>;
  readonly vendorsUpdatedAtMs: Readonly<Record<Mode, number>>;
  readonly fees: Readonly<Record<Mode, FeeSchedule>>;
  readonly limits: readonly LimitRule[];
  readonly movementsPaused: boolean;
  /** The frozen businesses, each as the text `business mode`. */
  readonly frozen: ReadonlySet<string>;
  /**
   * The halted assets, each as the text `mode asset`. The service sends nothing of such an asset until an operator lifts the
   * halt.
   */
  readonly halts: ReadonlySet<string>;
  readonly rails: RailSettings;
}

export interface Catalogue {
  /** Returns the snapshot of the catalogue while the process receives changes; undefined if the snapshot may be out of date. */
  current(): CatalogueSnapshot | undefined;
  /** Reads a new snapshot that was taken after this call. It throws StoreUnavailable if the database is unreachable. */
  refresh(): Promise<CatalogueSnapshot>;
}
