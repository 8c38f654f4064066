// How many people a setting needs: one table, which docs/operate/reviews.md prints. What lets live money move, or changes what it
// costs, needs two people; stopping needs one, so that it can be done at once; lifting a stop needs two. Test mode needs one. A price is
// judged: by one person while it is near what is known, by two otherwise, in both modes.
import type { Mode } from '../values/mode.ts';

const BOTH = { live: 2, test: 2 } as const;
const LIVE = { live: 2, test: 1 } as const;
const NEITHER = { live: 1, test: 1 } as const;
/** The number of people depends on the request: domain/rates/price-change.ts. */
const JUDGED = { live: 'judged', test: 'judged' } as const;

export const PEOPLE_NEEDED = {
  vendor_added: LIVE,
  vendor_renamed: LIVE,
  vendor_enabled: LIVE,
  vendor_disabled: NEITHER,
  vendor_source_set: LIVE,
  fee_set: LIVE,
  limit_set: LIVE,
  wallet_set: LIVE,
  business_frozen: NEITHER,
  freeze_lifted: LIVE,
  claim_limit_lifted: LIVE,
  movements_paused: NEITHER,
  movements_resumed: BOTH,
  signing_resumed: LIVE,
  network_forgotten: LIVE,
  rates_set: JUDGED,
  rates_withdrawn: NEITHER,
  spread_set: LIVE,
  tier_set: LIVE,
  rail_paused: NEITHER,
  rail_resumed: LIVE,
  rail_trusted: LIVE,
  rail_route_set: LIVE,
  rail_route_removed: LIVE,
  rail_cap_set: LIVE,
  person_erased: LIVE,
} as const satisfies Readonly<Record<string, Readonly<Record<Mode, 1 | 2 | 'judged'>>>>;

type SettingName = keyof typeof PEOPLE_NEEDED;

/** Whatever is asked for. */
export function needsTwo(setting: SettingName, mode: Mode): boolean {
  return PEOPLE_NEEDED[setting][mode] === 2;
}

/** One person or two, by what is asked for: it is judged each time. */
export function isJudged(setting: SettingName): boolean {
  return PEOPLE_NEEDED[setting].live === 'judged';
}

// A step-up: a second factor given for one subject, which a decision about that subject relies on.

/** The time that a decision may rely on a step-up. The database has the same bound (migrations/0011_decisions.sql). */
export const STEP_UP_MS = 5 * 60_000;

export interface StepUp {
  readonly id: string;
  readonly atMs: number;
}
