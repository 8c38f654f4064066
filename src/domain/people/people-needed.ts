// How many people a setting needs, as one table that docs/operate/reviews.md prints. A setting that lets live money move, or
// changes its cost, needs two people. A stop needs one person, so that it is possible at once, and lifting a stop needs two.
// Test mode needs one person. In both modes, a price near the known values needs one person, and any other price needs two.
import type { Mode } from '../values/mode.ts';

const TWO_PEOPLE = { live: 2, test: 2 } as const;
const TWO_PEOPLE_IN_LIVE = { live: 2, test: 1 } as const;
const ONE_PERSON = { live: 1, test: 1 } as const;
/** domain/rates/price-change.ts decides for each request how many people it needs. */
const JUDGED_EACH_TIME = { live: 'judged', test: 'judged' } as const;

export const PEOPLE_NEEDED = {
  vendor_added: TWO_PEOPLE_IN_LIVE,
  vendor_renamed: TWO_PEOPLE_IN_LIVE,
  vendor_enabled: TWO_PEOPLE_IN_LIVE,
  vendor_disabled: ONE_PERSON,
  vendor_source_set: TWO_PEOPLE_IN_LIVE,
  fee_set: TWO_PEOPLE_IN_LIVE,
  limit_set: TWO_PEOPLE_IN_LIVE,
  wallet_set: TWO_PEOPLE_IN_LIVE,
  business_frozen: ONE_PERSON,
  freeze_lifted: TWO_PEOPLE_IN_LIVE,
  claim_limit_lifted: TWO_PEOPLE_IN_LIVE,
  movements_paused: ONE_PERSON,
  movements_resumed: TWO_PEOPLE,
  signing_resumed: TWO_PEOPLE_IN_LIVE,
  network_forgotten: TWO_PEOPLE_IN_LIVE,
  rates_set: JUDGED_EACH_TIME,
  rates_withdrawn: ONE_PERSON,
  spread_set: TWO_PEOPLE_IN_LIVE,
  tier_set: TWO_PEOPLE_IN_LIVE,
  rail_paused: ONE_PERSON,
  rail_resumed: TWO_PEOPLE_IN_LIVE,
  rail_trusted: TWO_PEOPLE_IN_LIVE,
  rail_route_set: TWO_PEOPLE_IN_LIVE,
  rail_route_removed: TWO_PEOPLE_IN_LIVE,
  rail_cap_set: TWO_PEOPLE_IN_LIVE,
  statement_profile_confirmed: TWO_PEOPLE_IN_LIVE,
  person_erased: TWO_PEOPLE_IN_LIVE,
} as const satisfies Readonly<Record<string, Readonly<Record<Mode, 1 | 2 | 'judged'>>>>;

type SettingName = keyof typeof PEOPLE_NEEDED;

export function needsTwoPeople(setting: SettingName, mode: Mode): boolean {
  return PEOPLE_NEEDED[setting][mode] === 2;
}

export function isJudgedEachTime(setting: SettingName): boolean {
  return PEOPLE_NEEDED[setting].live === 'judged';
}

// A step-up is a second factor that a person gives for one subject. A decision about that subject relies on the step-up.

/** How long a decision may rely on a step-up. The database has the same limit (migrations/0011_decisions.sql). */
export const STEP_UP_VALID_MS = 5 * 60_000;

export interface StepUp {
  readonly id: string;
  readonly atMs: number;
}
