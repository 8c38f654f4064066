// Settings that operators change: what is asked for, and the proposal that waits for a second person where one is needed
// (domain/people/decisions.ts).
import type { FeeRule } from '../catalogue/fees.ts';
import type { Limit } from '../catalogue/limits.ts';
import type { ProposalDecision } from '../review/proposal.ts';
import type { Mode } from '../values/mode.ts';

export type SettingRequest =
  | { readonly setting: 'vendor_added'; readonly vendor: GivenVendor }
  | { readonly setting: 'vendor_renamed'; readonly vendorId: string; readonly name: string }
  | { readonly setting: 'vendor_enabled' | 'vendor_disabled'; readonly vendorId: string }
  | { readonly setting: 'fee_set'; readonly fee: GivenFee }
  | { readonly setting: 'limit_set'; readonly limit: GivenLimit }
  | {
      readonly setting: 'freeze_lifted';
      readonly businessId: string;
      readonly mode: Mode;
      readonly reason: string;
    }
  | { readonly setting: 'case_closed'; readonly caseId: string; readonly reason: string }
  | { readonly setting: 'movements_paused' | 'movements_resumed'; readonly reason: string }
  /** The note of the stop that shall end. Live: keys of live networks are behind it. */
  | { readonly setting: 'signing_resumed'; readonly mode: Mode; readonly note: string }
  /** The next start binds the network as it is configured then: with another key, token or factory. */
  | {
      readonly setting: 'network_forgotten';
      readonly mode: Mode;
      readonly network: string;
      readonly identity: string;
    };

export interface GivenVendor {
  readonly mode: Mode;
  readonly name: string;
  readonly number: string;
  readonly bank: string;
}

export interface GivenFee extends Omit<FeeRule, 'fromMs'> {
  readonly mode: Mode;
  /** Null: from the moment it is set. */
  readonly fromMs: number | null;
}

/** Limits left out keep their value; null takes one away. */
export interface GivenLimit extends Partial<Limit> {
  readonly mode: Mode;
  /** Null: of all businesses without limits of their own. */
  readonly businessId: string | null;
}

export interface SettingProposal {
  readonly id: string;
  readonly mode: Mode;
  readonly request: SettingRequest;
  /** What the setting would change, as it was when it was proposed. If it is another by now, it must be proposed again. */
  readonly before: string;
  readonly proposedBy: string;
  readonly proposedAtMs: number;
  /** Null while it is open. */
  readonly decision: ProposalDecision | null;
}

/** What the setting is about: two proposals on one subject may be in each other's way. */
export function settingSubject(request: SettingRequest): string {
  switch (request.setting) {
    case 'vendor_added':
      return `vendor ${request.vendor.mode} ${request.vendor.number}`;
    case 'vendor_renamed':
    case 'vendor_enabled':
    case 'vendor_disabled':
      return request.vendorId;
    case 'fee_set': {
      const { mode, product, businessId } = request.fee;
      return `fee ${mode} ${product} ${businessId ?? 'all'}`;
    }
    case 'limit_set':
      return `limit ${request.limit.mode} ${request.limit.businessId ?? 'all'}`;
    case 'freeze_lifted':
      return `freeze ${request.mode} ${request.businessId}`;
    case 'case_closed':
      return request.caseId;
    case 'movements_paused':
    case 'movements_resumed':
      return 'movements';
    case 'signing_resumed':
      return 'signing';
    case 'network_forgotten':
      return `network ${request.mode} ${request.network}`;
  }
}
