// Data that every request needs and that rarely changes: keys, businesses, vendors, fees, limits. It is served from memory, and
// only while it is known to match the database.
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
  /** The tier decides the spreads of the business. */
  readonly tier: string;
  readonly defaultWallets: Readonly<Partial<Record<Mode, Wallet>>>;
}

export interface ApiKey {
  readonly id: string;
  readonly mode: Mode;
  readonly scope: KeyScope;
  readonly business: Business;
  /** Set while a key is being replaced: the time when the old key expires. */
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
  /** A different number for every snapshot, so that data rendered from a snapshot can be cached under this number. */
  readonly generation: number;
  readonly keysByHash: ReadonlyMap<string, ApiKey>;
  readonly vendors: Readonly<Record<Mode, readonly Vendor[]>>;
  /** The accounts of all vendors, including disabled ones. */
  readonly vendorAccounts: Readonly<Record<Mode, readonly VendorAccount[]>>;
  readonly vendorsUpdatedAtMs: Readonly<Record<Mode, number>>;
  readonly fees: Readonly<Record<Mode, FeeSchedule>>;
  readonly limits: readonly LimitRule[];
  readonly movementsPaused: boolean;
  /** Businesses whose money is frozen, as `business mode`. */
  readonly frozen: ReadonlySet<string>;
  /** The halted assets, as `mode asset`: nothing is sent until an operator lifts the halt. */
  readonly halts: ReadonlySet<string>;
  /** The routing table and the other settings of rails. */
  readonly rails: RailSettings;
}

export interface Catalogue {
  /** The snapshot, while changes are being received; undefined if it may be out of date. */
  current(): CatalogueSnapshot | undefined;
  /** Reads a new snapshot that was taken after this call; throws StoreUnavailable if the database is unreachable. */
  refresh(): Promise<CatalogueSnapshot>;
}
