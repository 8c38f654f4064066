// The data that the parts of the trading act share, in addition to the data of settlement.
import type { ProductPlan } from '../../../src/domain/rates/reading.ts';
import type { ExposureLimits } from '../../../src/ports/quotes.ts';
import type { RatePlan } from '../../../src/ports/rates.ts';
import type { Dice } from '../../support/dice.ts';
import type { Setting } from '../world/setting.ts';
import type { RateMemory } from './rate-store.ts';
import type { RateWorld } from './rate-world.ts';
import type { TradeWatch } from './watch.ts';

export interface TradeStage {
  readonly setting: Setting;
  /** Separate randomness, so that settlement in a seed does not depend on rates. */
  readonly dice: Dice;
  readonly memory: RateMemory;
  readonly world: RateWorld;
  readonly ratePlan: RatePlan;
  readonly plan: ProductPlan;
  readonly watch: TradeWatch;
  readonly limits: ExposureLimits;
  readonly validForMs: number;
  /** The maximum error of a process's clock, in both directions. */
  readonly skewMs: number;
}
