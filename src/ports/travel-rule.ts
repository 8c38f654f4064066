// Where Travel-Rule records are kept: written once, never changed, with both parties sealed.
import type { TravelRuleParties, TravelRuleRecord } from '../domain/travel-rule/travel-rule.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface SealedTravelRuleRecord extends Omit<TravelRuleRecord, keyof TravelRuleParties> {
  readonly sealed: string;
}

export interface TravelRuleFilter {
  readonly mode?: Mode | undefined;
  readonly businessId?: string | undefined;
  /** At or after. */
  readonly fromMs?: number | undefined;
  /** Before. */
  readonly toMs?: number | undefined;
  /** Only what comes after this record. */
  readonly after?: Pick<TravelRuleRecord, 'atMs' | 'leg'> | undefined;
  readonly limit: number;
}

export interface TravelRuleStore {
  businessNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those whose leg has no record yet; answers how many. */
  add(records: readonly SealedTravelRuleRecord[]): Promise<number>;
  /** Oldest first. */
  list(filter: TravelRuleFilter): Promise<readonly SealedTravelRuleRecord[]>;
}
