// Settings that operators change. A request takes effect at once, or it becomes a proposal that waits for a second person
// (domain/people/people-needed.ts).
import type { FeeRule } from '../catalogue/fees.ts';
import type { Limit } from '../catalogue/limits.ts';
import type { Route } from '../rails/settings.ts';
import type { Currency, RateProduct } from '../rates/rates.ts';
import type { Wallet } from '../records/transaction.ts';
import type { ProposalDecision } from '../review/proposal.ts';
import type { Mode } from '../values/mode.ts';

export type SettingRequest =
  | { readonly setting: 'vendor_added'; readonly vendor: VendorInput }
  | { readonly setting: 'vendor_renamed'; readonly vendorId: string; readonly name: string }
  | { readonly setting: 'vendor_enabled' | 'vendor_disabled'; readonly vendorId: string }
  /** `source`: the credit source of the vendor's account, which is a rail or `statements`. */
  | { readonly setting: 'vendor_source_set'; readonly vendorId: string; readonly source: string }
  | { readonly setting: 'fee_set'; readonly fee: FeeInput }
  | { readonly setting: 'limit_set'; readonly limit: LimitInput }
  | {
      readonly setting: 'business_frozen' | 'freeze_lifted';
      readonly businessId: string;
      readonly mode: Mode;
      readonly reason: string;
    }
  | {
      readonly setting: 'claim_limit_lifted';
      readonly businessId: string;
      readonly mode: Mode;
      readonly reason: string;
    }
  /** The operator sets the default wallet of the business. Null: the business has no default wallet. */
  | {
      readonly setting: 'wallet_set';
      readonly businessId: string;
      readonly mode: Mode;
      readonly wallet: Wallet | null;
    }
  | { readonly setting: 'movements_paused' | 'movements_resumed'; readonly reason: string }
  /**
   * Resumes signing after a stop. `note` is the note of that stop. In live mode, the stop protects the keys of live networks.
   */
  | { readonly setting: 'signing_resumed'; readonly mode: Mode; readonly note: string }
  /**
   * At the next start, the service binds the network to its current configuration, which may have another key, token or
   * factory.
   */
  | {
      readonly setting: 'network_forgotten';
      readonly mode: Mode;
      readonly network: string;
      readonly identity: string;
    }
  /** Sets desk prices. A currency that is left out keeps its price and its expiry. */
  | ({ readonly setting: 'rates_set' } & RatesInput)
  /** Withdraws desk prices: the prices of these currencies expire now. */
  | {
      readonly setting: 'rates_withdrawn';
      readonly mode: Mode;
      readonly product: RateProduct;
      readonly currencies: readonly string[];
    }
  | ({ readonly setting: 'spread_set' } & SpreadInput)
  /** Sets the tier of a business. The tier applies to both modes, so this setting counts as live. */
  | { readonly setting: 'tier_set'; readonly businessId: string; readonly tier: string }
  | { readonly setting: 'rail_paused'; readonly mode: Mode; readonly rail: string; readonly reason: string }
  | { readonly setting: 'rail_resumed'; readonly mode: Mode; readonly rail: string; readonly reason: string }
  /**
   * The service trusts the refusals of the rail again. Its trust had ended because the rail paid a payout that it had refused.
   */
  | { readonly setting: 'rail_trusted'; readonly mode: Mode; readonly rail: string; readonly reason: string }
  | { readonly setting: 'rail_route_set'; readonly mode: Mode; readonly route: RouteInput }
  | { readonly setting: 'rail_route_removed'; readonly mode: Mode; readonly routeId: number }
  /** Sets the daily cap of a rail. Null removes the cap. */
  | {
      readonly setting: 'rail_cap_set';
      readonly mode: Mode;
      readonly rail: string;
      readonly perDayMinor: bigint | null;
    }
  /** People compared the totals of the first file that an unverified column profile read for an account. */
  | ({ readonly setting: 'statement_profile_confirmed' } & StatementConfirmation)
  /**
   * Erases the personal data in these records once the records have ended and, in live mode, the time of the law is over.
   * `person`: a part of a keyed hash, never the data itself. `keptUntilMs`: when the last of the ended records may be erased; null
   * or absent: all of them at once.
   */
  | {
      readonly setting: 'person_erased';
      readonly mode: Mode;
      readonly person: string;
      readonly subjects: readonly string[];
      readonly keptUntilMs?: number | null;
    };

export interface StatementConfirmation {
  readonly mode: Mode;
  readonly account: string;
  readonly profile: string;
  readonly fileId: string;
  readonly rows: number;
  /** The totals of the file as both people read them. */
  readonly moneyIn: string;
  readonly moneyOut: string;
  readonly fromDay: string | null;
  readonly toDay: string | null;
}

/** `id`: the route to replace. Null: the route is new. */
export interface RouteInput extends Omit<Route, 'id' | 'mode'> {
  readonly id: number | null;
}

export interface PriceInput {
  readonly currency: string;
  /** The price in naira per unit of the currency, as decimal text. */
  readonly price: string;
}

export interface RatesInput {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly prices: readonly PriceInput[];
  /** How long the prices are valid after they are stored. */
  readonly validForMs: number;
  /** While these prices are valid, only they are used. Reports of other sources are ignored. */
  readonly override: boolean;
}

export interface SpreadInput {
  readonly mode: Mode;
  readonly product: RateProduct;
  /** Null: the rule is for all currencies without their own rule. */
  readonly currency: Currency | null;
  /** Null: the rule is for all tiers without their own rule. */
  readonly tier: string | null;
  readonly spreadBps: number;
}

export interface VendorInput {
  readonly mode: Mode;
  readonly name: string;
  readonly number: string;
  readonly bank: string;
}

export interface FeeInput extends Omit<FeeRule, 'fromMs'> {
  readonly mode: Mode;
  /** The time from which the fee applies. Null: the time when the setting is stored. */
  readonly fromMs: number | null;
}

/** A limit that is left out keeps its value. A null limit is removed. */
export interface LimitInput extends Partial<Limit> {
  readonly mode: Mode;
  /** Null: the limits are for all businesses without their own limits. */
  readonly businessId: string | null;
}

export interface SettingProposal {
  readonly id: string;
  readonly mode: Mode;
  readonly request: SettingRequest;
  /**
   * The value of the setting at the time of the proposal. If the value has changed since then, a person must propose the change
   * again.
   */
  readonly before: string;
  /**
   * The reason why this request needs two people, although other requests for the setting need only one. Null: every request
   * for the setting needs two people.
   */
  readonly why: string | null;
  readonly proposedBy: string;
  readonly proposedAtMs: number;
  /** Null: no person has decided on the proposal yet. */
  readonly decision: ProposalDecision | null;
}

/** The subject of the setting. Two proposals about one subject may conflict. */
export function settingSubject(request: SettingRequest): string {
  switch (request.setting) {
    case 'vendor_added':
      return `vendor ${request.vendor.mode} ${request.vendor.number}`;
    case 'vendor_renamed':
    case 'vendor_enabled':
    case 'vendor_disabled':
    case 'vendor_source_set':
      return request.vendorId;
    case 'fee_set': {
      const { mode, product, businessId } = request.fee;
      return `fee ${mode} ${product} ${businessId ?? 'all'}`;
    }
    case 'limit_set':
      return `limit ${request.limit.mode} ${request.limit.businessId ?? 'all'}`;
    case 'wallet_set':
      return `wallet ${request.mode} ${request.businessId}`;
    case 'business_frozen':
    case 'freeze_lifted':
      return `freeze ${request.mode} ${request.businessId}`;
    case 'claim_limit_lifted':
      return `claim limit ${request.mode} ${request.businessId}`;
    case 'movements_paused':
    case 'movements_resumed':
      return 'movements';
    case 'signing_resumed':
      return 'signing';
    case 'network_forgotten':
      return `network ${request.mode} ${request.network}`;
    case 'rates_set':
    case 'rates_withdrawn':
      return `rates ${request.mode} ${request.product}`;
    case 'spread_set':
      return `spread ${request.mode} ${request.product} ${request.currency ?? 'all'} ${request.tier ?? 'all'}`;
    case 'tier_set':
      return `tier ${request.businessId}`;
    case 'rail_paused':
    case 'rail_resumed':
    case 'rail_trusted':
      return `rail ${request.mode} ${request.rail}`;
    case 'rail_route_set':
    case 'rail_route_removed':
      return `rail routes ${request.mode}`;
    case 'rail_cap_set':
      return `rail cap ${request.mode} ${request.rail}`;
    case 'statement_profile_confirmed':
      return `statement profile ${request.mode} ${request.account} ${request.profile}`;
    case 'person_erased':
      return `${request.person} ${request.mode}`;
  }
}

// Whether a setting is unchanged since its proposal. Most settings must have exactly the same value. Prices move while the
// second person decides. A price proposal therefore stays valid until another desk price is set, or until the last accepted
// value has moved by more than 2 %. At this distance the rate book also rejects a number.

/**
 * The newest desk price and the last accepted value of one currency, as the field `before` stores them. Null: no such value
 * existed.
 */
export type PriceSnapshot = readonly [
  currency: string,
  deskPriceId: string | null,
  acceptedE4: string | null,
];

const MAX_MOVE_PERCENT = 2n;

export function isUnchangedSinceProposal(request: SettingRequest, then: string, now: string): boolean {
  if (then === now || request.setting !== 'rates_set') return then === now;
  const [old, current] = [then, now].map((text) => JSON.parse(text) as readonly PriceSnapshot[]);
  return (
    old!.length === current!.length && old!.every((price, index) => isPriceNear(price, current![index]!))
  );
}

function isPriceNear([currency, deskPrice, accepted]: PriceSnapshot, now: PriceSnapshot): boolean {
  const [nowCurrency, nowDeskPrice, nowAccepted] = now;
  if (currency !== nowCurrency || deskPrice !== nowDeskPrice) return false;
  if (accepted === null || nowAccepted === null) return accepted === nowAccepted;
  const moved = BigInt(nowAccepted) - BigInt(accepted);
  return (moved < 0n ? -moved : moved) * 100n <= BigInt(accepted) * MAX_MOVE_PERCENT;
}
