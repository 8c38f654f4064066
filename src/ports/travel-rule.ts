// Stores Travel Rule records. A record is written once and never changes, and both parties in it are encrypted.
import type { TravelRuleParties, TravelRuleRecord } from '../domain/travel-rule/travel-rule.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface SealedTravelRuleRecord extends Omit<TravelRuleRecord, keyof TravelRuleParties> {
  readonly sealed: string;
}

export interface TravelRuleFilter {
  readonly mode?: Mode | undefined;
  readonly businessId?: string | undefined;
  /** The start of the period, inclusive. */
  readonly fromMs?: number | undefined;
  /** The end of the period, exclusive. */
  readonly toMs?: number | undefined;
  /** The list starts after this record. */
  readonly after?: Pick<TravelRuleRecord, 'atMs' | 'leg'> | undefined;
  readonly limit: number;
}

export interface TravelRuleStore {
  businessNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Adds records for transfers that have no record yet, and returns the number of added records. */
  add(records: readonly SealedTravelRuleRecord[]): Promise<number>;
  /** Oldest first. */
  list(filter: TravelRuleFilter): Promise<readonly SealedTravelRuleRecord[]>;
}
