// The records that operators manage: businesses, keys, vendors, fees, limits and the switch that pauses all money movements.
// Every change is recorded with its actor in the same commit.
import type { FeeRule } from '../domain/catalogue/fees.ts';
import type { LimitRule } from '../domain/catalogue/limits.ts';
import type { KeyScope } from '../domain/catalogue/secret-keys.ts';
import type { Wallet } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface AuditStamp {
  readonly actor: string;
  readonly atMs: number;
}

export interface NewBusiness {
  readonly id: string;
  readonly name: string;
  readonly linkTag: string;
  readonly sandbox: boolean;
}

export interface StoredBusiness extends NewBusiness {
  /** The tier decides which spreads the business gets. */
  readonly tier: string;
}

/** The owner's name for the key, which may be empty, and the scope of the key. */
export interface KeyFacts {
  readonly name: string;
  readonly scope: KeyScope;
}

export interface StoredKey extends KeyFacts {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly hint: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /**
   * The time of the last use, to the minute; null if the key was never used. It is only a hint: a use shortly before a crash
   * may be missing.
   */
  readonly lastUsedAtMs: number | null;
}

export interface NewApiKey extends KeyFacts {
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
  /**
   * The credit source of the account. Null or missing if the account has no credit source yet. The first rail that reports a
   * credit then becomes the source.
   */
  readonly creditSource?: string | null;
}

export interface AwaitedMoney {
  readonly buys: number;
  readonly amountMinor: bigint;
  readonly isMore: boolean;
}

export interface StoredFee extends FeeRule {
  readonly mode: Mode;
}

export interface Freeze {
  readonly businessId: string;
  readonly mode: Mode;
  readonly reason: string;
  readonly atMs: number;
}

export interface Pause extends AuditStamp {
  readonly paused: boolean;
  readonly reason: string;
}

export interface BackOffice {
  addBusiness(business: NewBusiness, doing: AuditStamp): Promise<'added' | 'link_tag_taken'>;
  listBusinesses(): Promise<readonly StoredBusiness[]>;
  setDefaultWallet(businessId: string, mode: Mode, wallet: Wallet | null, doing: AuditStamp): Promise<void>;
  defaultWallet(businessId: string, mode: Mode): Promise<Wallet | null>;

  addKey(key: NewApiKey, doing: AuditStamp): Promise<void>;
  listKeys(businessId?: string): Promise<readonly StoredKey[]>;
  hasActiveKey(businessId: string, mode: Mode, hash: string): Promise<boolean>;
  /** Adds the new key and sets the expiry of the old key, in one commit. The result is false if the old key is not active. */
  rollKey(oldKeyId: string, replacement: NewApiKey, oldEndsAtMs: number, doing: AuditStamp): Promise<boolean>;
  renameKey(keyId: string, name: string, doing: AuditStamp): Promise<boolean>;
  /** The result is false if there is no such key, or if the key is already revoked. */
  revokeKey(keyId: string, doing: AuditStamp): Promise<boolean>;

  listVendors(): Promise<readonly StoredVendor[]>;
  /**
   * Whether the service makes or made payouts from this account. `account` is the account's name in the ledger, such as
   * `058:0123456789`.
   */
  isPayoutAccount(mode: Mode, account: string): Promise<boolean>;
  /** Returns the awaited money of unexpired buys, by account number. It omits account numbers without such buys. */
  awaitedMoney(
    mode: Mode,
    vendorNumbers: readonly string[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, AwaitedMoney>>;

  /** Lists fees in the order in which they were added. */
  listFees(): Promise<readonly StoredFee[]>;

  listLimits(): Promise<readonly LimitRule[]>;

  listFreezes(): Promise<readonly Freeze[]>;

  movementsPaused(): Promise<boolean>;
  /** Returns who last paused or resumed movements, when and why. Undefined if movements were never paused. */
  lastPause(): Promise<Pause | undefined>;
}

/**
 * The writes that may need two people. Use cases cannot call them. They change a setting in the setting store, which writes it
 * at once or with the decision of a second person (ports/setting-store.ts).
 */
export interface SettingWrites {
  addVendor(vendor: StoredVendor, doing: AuditStamp): Promise<'added' | 'account_taken'>;
  /** Renames, enables or disables a vendor. A transaction keeps the vendor data from the time of its acceptance. */
  changeVendor(
    id: string,
    change: { readonly name?: string; readonly active?: boolean },
    doing: AuditStamp,
  ): Promise<'changed' | 'not_found' | 'account_taken'>;
  /** The result is false if this source is already the credit source. Credits from other sources do not change. */
  setCreditSource(
    rule: { readonly mode: Mode; readonly account: string; readonly source: string },
    doing: AuditStamp,
  ): Promise<boolean>;
  /** Fees are only added. A newer fee replaces the older fee from the start time of the newer fee. */
  addFee(fee: StoredFee, doing: AuditStamp): Promise<void>;
  /** Replaces the limit of this business in this mode. A rule without a business replaces the default limit of the mode. */
  saveLimit(limit: LimitRule, doing: AuditStamp): Promise<void>;
  freezeBusiness(businessId: string, mode: Mode, reason: string, doing: AuditStamp): Promise<boolean>;
  liftFreeze(businessId: string, mode: Mode, reason: string, doing: AuditStamp): Promise<boolean>;
  /** After this call, buys that have already expired do not count against the limit of unpaid buys. */
  liftClaimLimit(businessId: string, mode: Mode, reason: string, doing: AuditStamp): Promise<void>;
  setMovementsPaused(paused: boolean, reason: string, doing: AuditStamp): Promise<void>;
  /** The result is false if there is no such business, or if the business is already in that tier. */
  setTier(businessId: string, tier: string, doing: AuditStamp): Promise<boolean>;
}

/** The times when keys were last used. They only inform people: no decision uses them. */
export interface KeyUses {
  /** Stores the times by key id. A time older than the stored time changes nothing. */
  note(uses: ReadonlyMap<string, number>): Promise<void>;
}
