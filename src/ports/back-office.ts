// What operators keep: businesses, keys, vendors, rates, fees, limits and the switch that pauses money. Every change is
// recorded with who made it, in the same commit.
import type { FeeRule } from '../domain/catalogue/fees.ts';
import type { LimitRule } from '../domain/catalogue/limits.ts';
import type { RateBook } from '../domain/catalogue/rates.ts';
import type { Wallet } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

/** Who does it and when; written to the audit log with the change. */
export interface Doing {
  readonly actor: string;
  readonly atMs: number;
}

export interface NewBusiness {
  readonly id: string;
  readonly name: string;
  readonly linkTag: string;
  readonly sandbox: boolean;
}

export interface StoredKey {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly hint: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface NewKey {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly hash: string;
  readonly hint: string;
}

export interface StoredVendor {
  readonly id: string;
  readonly mode: Mode;
  readonly name: string;
  readonly number: string;
  readonly bank: string;
  readonly bankCode: string;
  readonly active: boolean;
}

export interface StoredFee extends FeeRule {
  readonly mode: Mode;
}

/** A business whose money stands still. */
export interface Freeze {
  readonly businessId: string;
  readonly mode: Mode;
  readonly reason: string;
  readonly atMs: number;
}

/** A reversed payment or a returned payout: money to be recovered. */
export interface OpenCase {
  readonly id: string;
  readonly kind: string;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly transactionId: string | null;
  readonly amountMinor: bigint;
  readonly openedAtMs: number;
}

/** The last pause of money movements, or its end. */
export interface Pause extends Doing {
  readonly paused: boolean;
  readonly reason: string;
}

export interface BackOffice {
  addBusiness(business: NewBusiness, doing: Doing): Promise<'added' | 'link_tag_taken'>;
  listBusinesses(): Promise<readonly NewBusiness[]>;
  setDefaultWallet(businessId: string, mode: Mode, wallet: Wallet | null, doing: Doing): Promise<void>;
  /** Null: none is set. */
  defaultWallet(businessId: string, mode: Mode): Promise<Wallet | null>;

  addKey(key: NewKey, doing: Doing): Promise<void>;
  listKeys(businessId?: string): Promise<readonly StoredKey[]>;
  hasActiveKey(businessId: string, mode: Mode, hash: string): Promise<boolean>;
  /** Adds the new key and sets the old one's end, together. False: the old key is not active. */
  rollKey(oldKeyId: string, replacement: NewKey, oldEndsAtMs: number, doing: Doing): Promise<boolean>;
  /** False: no such key, or revoked already. */
  revokeKey(keyId: string, doing: Doing): Promise<boolean>;

  listVendors(): Promise<readonly StoredVendor[]>;

  saveRateBook(mode: Mode, book: RateBook, doing: Doing): Promise<void>;
  readRateBook(mode: Mode, product: RateBook['product']): Promise<RateBook | undefined>;

  /** In the order they were added. */
  listFees(): Promise<readonly StoredFee[]>;

  listLimits(): Promise<readonly LimitRule[]>;

  listFreezes(): Promise<readonly Freeze[]>;
  /** Cases not yet closed, oldest first. */
  listOpenCases(): Promise<readonly OpenCase[]>;

  movementsPaused(): Promise<boolean>;
  /** Who paused or resumed movements last, when and why; undefined: they were never paused. */
  lastPause(): Promise<Pause | undefined>;
}

/**
 * The writes that may need two people. Use-cases have no access to them: they change a setting at the setting desk, which
 * writes it at once or with the decision of a second person (ports/setting-desk.ts).
 */
export interface SettingWrites {
  addVendor(vendor: StoredVendor, doing: Doing): Promise<'added' | 'account_taken'>;
  /** Renames a vendor or turns it on or off; transactions keep the snapshot they were accepted with. */
  changeVendor(
    id: string,
    change: { readonly name?: string; readonly active?: boolean },
    doing: Doing,
  ): Promise<'changed' | 'not_found' | 'account_taken'>;
  /** Fees are only ever added: a newer one takes over from its time on. */
  addFee(fee: StoredFee, doing: Doing): Promise<void>;
  /** Replaces the rule of that business, or the default, in that mode. */
  saveLimit(limit: LimitRule, doing: Doing): Promise<void>;
  /** False: the business is not frozen in that mode. */
  liftFreeze(businessId: string, mode: Mode, reason: string, doing: Doing): Promise<boolean>;
  /** False: no such case, or closed already. */
  closeCase(id: string, reason: string, doing: Doing): Promise<boolean>;
  setMovementsPaused(paused: boolean, reason: string, doing: Doing): Promise<void>;
}
