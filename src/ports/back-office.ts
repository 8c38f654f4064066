// The records that operators manage: businesses, keys, vendors, fees, limits and the switch that pauses all money movements.
// Every change is recorded with its actor, in the same commit.
import type { FeeRule } from '../domain/catalogue/fees.ts';
import type { LimitRule } from '../domain/catalogue/limits.ts';
import type { KeyScope } from '../domain/catalogue/secret-keys.ts';
import type { Wallet } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The actor and the time, written to the audit log with the change. */
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
  /** The tier decides the spreads of the business. */
  readonly tier: string;
}

/** The owner's name for the key (may be empty), and its scope. */
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
  /** The last use, to the minute. It is only a hint: a use shortly before a crash may be missing. Null: never used. */
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
   * The credit source of the account; null or missing if it has none yet: the first rail that reports a credit becomes the
   * source.
   */
  readonly creditSource?: string | null;
}

/** The money that buyers should pay into a vendor account. */
export interface AwaitedMoney {
  readonly buys: number;
  readonly amountMinor: bigint;
  /** Whether there are more buys than were counted. */
  readonly isMore: boolean;
}

export interface StoredFee extends FeeRule {
  readonly mode: Mode;
}

/** A business whose money is frozen. */
export interface Freeze {
  readonly businessId: string;
  readonly mode: Mode;
  readonly reason: string;
  readonly atMs: number;
}

/** The last pause of money movements, or the end of that pause. */
export interface Pause extends AuditStamp {
  readonly paused: boolean;
  readonly reason: string;
}

export interface BackOffice {
  addBusiness(business: NewBusiness, doing: AuditStamp): Promise<'added' | 'link_tag_taken'>;
  listBusinesses(): Promise<readonly StoredBusiness[]>;
  setDefaultWallet(businessId: string, mode: Mode, wallet: Wallet | null, doing: AuditStamp): Promise<void>;
  /** Null if no default wallet is set. */
  defaultWallet(businessId: string, mode: Mode): Promise<Wallet | null>;

  addKey(key: NewApiKey, doing: AuditStamp): Promise<void>;
  listKeys(businessId?: string): Promise<readonly StoredKey[]>;
  hasActiveKey(businessId: string, mode: Mode, hash: string): Promise<boolean>;
  /** Adds the new key and sets the expiry of the old key, in one commit. False if the old key is not active. */
  rollKey(oldKeyId: string, replacement: NewApiKey, oldEndsAtMs: number, doing: AuditStamp): Promise<boolean>;
  /** False if there is no such key. */
  renameKey(keyId: string, name: string, doing: AuditStamp): Promise<boolean>;
  /** False if there is no such key, or it is already revoked. */
  revokeKey(keyId: string, doing: AuditStamp): Promise<boolean>;

  listVendors(): Promise<readonly StoredVendor[]>;
  /** Whether payouts are or were made from the account; `account` is its name in the ledger, such as `058:0123456789`. */
  isPayoutAccount(mode: Mode, account: string): Promise<boolean>;
  /** The awaited money of unexpired buys, by account number; account numbers without such buys are omitted. */
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
  /** The last pause or resumption: who, when and why; undefined if movements were never paused. */
  lastPause(): Promise<Pause | undefined>;
}

/**
 * The writes that may need two people. Use cases have no access to them: they change a setting in the setting store,
 * which writes it at once or with the decision of a second person (ports/setting-store.ts).
 */
export interface SettingWrites {
  addVendor(vendor: StoredVendor, doing: AuditStamp): Promise<'added' | 'account_taken'>;
  /** Renames, enables or disables a vendor; transactions keep the vendor snapshot from their acceptance. */
  changeVendor(
    id: string,
    change: { readonly name?: string; readonly active?: boolean },
    doing: AuditStamp,
  ): Promise<'changed' | 'not_found' | 'account_taken'>;
  /** False if it is already the credit source. Credits from other sources do not change. */
  setCreditSource(
    rule: { readonly mode: Mode; readonly account: string; readonly source: string },
    doing: AuditStamp,
  ): Promise<boolean>;
  /** Fees are only added: a newer fee replaces the older one from its start time on. */
  addFee(fee: StoredFee, doing: AuditStamp): Promise<void>;
  /** Replaces the rule of that business, or the default, in that mode. */
  saveLimit(limit: LimitRule, doing: AuditStamp): Promise<void>;
  /** False if the business is already frozen in that mode. */
  freezeBusiness(businessId: string, mode: Mode, reason: string, doing: AuditStamp): Promise<boolean>;
  /** False if the business is not frozen in that mode. */
  liftFreeze(businessId: string, mode: Mode, reason: string, doing: AuditStamp): Promise<boolean>;
  /** From now on, buys that have already expired do not count against the limit of unpaid buys. */
  liftClaimLimit(businessId: string, mode: Mode, reason: string, doing: AuditStamp): Promise<void>;
  setMovementsPaused(paused: boolean, reason: string, doing: AuditStamp): Promise<void>;
  /** False if there is no such business, or it is already in that tier. */
  setTier(businessId: string, tier: string, doing: AuditStamp): Promise<boolean>;
}

/** The times when keys were last used. They are only information for people: no decision uses them. */
export interface KeyUses {
  /** Stores the times by key id. A time older than the stored one changes nothing. */
  note(uses: ReadonlyMap<string, number>): Promise<void>;
}
