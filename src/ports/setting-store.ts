// The settings that operators change: the current values, and the proposals that wait for approval by a second person. A
// decision, the change that it allows and its audit-log entry are written in one database transaction.
import type { SettingProposal, SettingRequest } from '../domain/back-office/setting.ts';
import type { LimitRule } from '../domain/catalogue/limits.ts';
import type { StepUp } from '../domain/people/people-needed.ts';
import type { Currency, RateProduct } from '../domain/rates/rates.ts';
import type { SpreadRule } from '../domain/rates/spread.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp, StoredFee, StoredVendor } from './back-office.ts';
import type { RefusedCommit } from './store/commit.ts';

/** A checked request in which all omitted values are filled in. */
export type SettingWrite =
  | { readonly setting: 'vendor_added'; readonly vendor: StoredVendor }
  | {
      readonly setting: 'vendor_renamed' | 'vendor_enabled' | 'vendor_disabled';
      readonly vendorId: string;
      readonly change: { readonly name: string } | { readonly active: boolean };
    }
  | {
      readonly setting: 'vendor_source_set';
      readonly vendorId: string;
      readonly mode: Mode;
      /** The ledger name of the bank account. */
      readonly account: string;
      readonly source: string;
    }
  | { readonly setting: 'fee_set'; readonly fee: StoredFee }
  | { readonly setting: 'limit_set'; readonly limit: LimitRule }
  | { readonly setting: 'rates_set'; readonly rates: CheckedRates }
  | {
      readonly setting: 'rates_withdrawn';
      readonly mode: Mode;
      readonly product: RateProduct;
      readonly currencies: readonly Currency[];
    }
  | { readonly setting: 'spread_set'; readonly spread: CheckedSpread }
  | Extract<SettingRequest, { readonly setting: PassThroughSetting }>;

type PassThroughSetting =
  | 'wallet_set'
  | 'business_frozen'
  | 'freeze_lifted'
  | 'claim_limit_lifted'
  | 'movements_paused'
  | 'movements_resumed'
  | 'signing_resumed'
  | 'network_forgotten'
  | 'tier_set'
  | 'rail_paused'
  | 'rail_resumed'
  | 'rail_trusted'
  | 'rail_route_set'
  | 'rail_route_removed'
  | 'rail_cap_set'
  | 'statement_profile_confirmed'
  | 'person_erased';

/** Prices before they are written. Their author, approver and expiry are not known yet. */
export interface CheckedRates {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly prices: readonly { readonly currency: Currency; readonly valueE4: bigint }[];
  readonly validForMs: number;
  readonly override: boolean;
}

/** A spread rule that applies from the moment it is written. */
export interface CheckedSpread extends Omit<SpreadRule, 'fromMs'> {
  readonly mode: Mode;
}

/** `not_there`: the target of the setting does not exist or was removed. */
export type WriteOutcome = 'done' | 'account_taken' | 'not_there';

/** A request, and the value of the setting on which the decision about the request was based. */
export interface JudgedRequest {
  readonly request: SettingRequest;
  readonly before: string;
}

export interface SettingDecision {
  readonly decidedBy: string;
  readonly approved: boolean;
  readonly reason: string;
  readonly atMs: number;
  readonly stepUp: StepUp | null;
}

export type DecisionOutcome =
  | { readonly kind: 'decided' }
  /** The current value of the setting differs from its value at the time of the proposal. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'not_possible'; readonly why: Exclude<WriteOutcome, 'done'> }
  | RefusedCommit;

export interface SettingStore {
  /** Returns the current value of the setting as text. */
  before(request: SettingRequest): Promise<string>;
  /**
   * Writes a setting that one actor may change. With `judged`, the change is written only if the judged value is still current,
   * and writes on the same subject run one after the other.
   */
  apply(write: SettingWrite, doing: AuditStamp, judged?: JudgedRequest): Promise<WriteOutcome | 'changed'>;
  addProposal(proposal: SettingProposal): Promise<void>;
  findProposal(id: string): Promise<SettingProposal | undefined>;
  /** Oldest first. */
  listOpenProposals(mode?: Mode): Promise<readonly SettingProposal[]>;
  proposalsOn(subjectId: string): Promise<readonly SettingProposal[]>;
  /**
   * Decides a proposal. An approval writes the change together with the decision. Null in place of the change means that the
   * proposal is declined.
   */
  decide(
    proposal: SettingProposal,
    decision: SettingDecision,
    write: SettingWrite | null,
  ): Promise<DecisionOutcome>;
}
