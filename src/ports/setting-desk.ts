// Settings as operators change them: what is written, and the proposals that wait for a second person. A decision, the change
// that it allows and its line in the log are one transaction.
import type { SettingProposal, SettingRequest } from '../domain/back-office/setting.ts';
import type { LimitRule } from '../domain/catalogue/limits.ts';
import type { StepUp } from '../domain/people/step-up.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { Doing, StoredFee, StoredVendor } from './back-office.ts';
import type { Refused } from './store/commit.ts';

/** A request as it is written: checked, and with what was left open filled in. */
export type SettingWrite =
  | { readonly setting: 'vendor_added'; readonly vendor: StoredVendor }
  | {
      readonly setting: 'vendor_renamed' | 'vendor_enabled' | 'vendor_disabled';
      readonly vendorId: string;
      readonly change: { readonly name: string } | { readonly active: boolean };
    }
  | { readonly setting: 'fee_set'; readonly fee: StoredFee }
  | { readonly setting: 'limit_set'; readonly limit: LimitRule }
  | Extract<SettingRequest, { readonly setting: AsAsked }>;

type AsAsked =
  | 'wallet_set'
  | 'freeze_lifted'
  | 'case_closed'
  | 'movements_paused'
  | 'movements_resumed'
  | 'signing_resumed'
  | 'network_forgotten';

/** `not_there`: there is nothing (any more) that the setting could change. */
export type WriteOutcome = 'done' | 'account_taken' | 'not_there';

export interface SettingDecision {
  readonly decidedBy: string;
  readonly approved: boolean;
  readonly reason: string;
  readonly atMs: number;
  readonly stepUp: StepUp | null;
}

export type DecisionOutcome =
  | { readonly kind: 'decided' }
  /** What it would change is not what it was when it was proposed. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'not_possible'; readonly why: Exclude<WriteOutcome, 'done'> }
  | Refused;

export interface SettingDesk {
  /** What the setting would change, as it is now, in one text. */
  before(request: SettingRequest): Promise<string>;
  /** For settings that one actor may change. */
  apply(write: SettingWrite, doing: Doing): Promise<WriteOutcome>;
  addProposal(proposal: SettingProposal): Promise<void>;
  findProposal(id: string): Promise<SettingProposal | undefined>;
  /** Oldest first. */
  listOpenProposals(mode?: Mode): Promise<readonly SettingProposal[]>;
  /** All proposals about one subject, oldest first. */
  proposalsOn(subjectId: string): Promise<readonly SettingProposal[]>;
  /** An approval writes the change with the decision; null: declined. */
  decide(
    proposal: SettingProposal,
    decision: SettingDecision,
    write: SettingWrite | null,
  ): Promise<DecisionOutcome>;
}
