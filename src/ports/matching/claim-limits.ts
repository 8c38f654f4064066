// Buys that expired without any payment, counted for each business: claims that match nothing cost everyone who looks for a claim.
import type { Mode } from '../../domain/values/mode.ts';

export interface ClaimLimits {
  /** In the window of this mode up to then, and since the limit was last lifted; counting stops at the limit. */
  countUnmatched(businessId: string, mode: Mode, atMs: number): Promise<number>;
  /** Businesses that have reached half of the limit, the worst first. */
  nearLimit(
    mode: Mode,
    atMs: number,
  ): Promise<readonly { readonly businessId: string; readonly count: number }[]>;
}

export interface ClaimLimitSettings {
  /** 0: no limit. */
  readonly most: number;
  readonly windowMs: number;
  /** How long a buy waits for its payment: one made longer ago than this and the window has expired before it. */
  readonly expiryMs: number;
}
