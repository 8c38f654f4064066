// How many people a setting needs: one table, which docs/reviews.md prints. What lets live money move, or changes what it
// costs, takes two; stopping takes one, so that it can be done at once; lifting a stop takes two. Test mode takes one.
import type { Mode } from '../values/mode.ts';

const BOTH = { live: 2, test: 2 } as const;
const LIVE = { live: 2, test: 1 } as const;
const NEITHER = { live: 1, test: 1 } as const;

export const PEOPLE_NEEDED = {
  vendor_added: LIVE,
  vendor_renamed: LIVE,
  vendor_enabled: LIVE,
  vendor_disabled: NEITHER,
  fee_set: LIVE,
  limit_set: LIVE,
  wallet_set: LIVE,
  freeze_lifted: LIVE,
  case_closed: LIVE,
  movements_paused: NEITHER,
  movements_resumed: BOTH,
  signing_resumed: LIVE,
  network_forgotten: LIVE,
} as const satisfies Readonly<Record<string, Readonly<Record<Mode, 1 | 2>>>>;

type SettingName = keyof typeof PEOPLE_NEEDED;

export function needsTwo(setting: SettingName, mode: Mode): boolean {
  return PEOPLE_NEEDED[setting][mode] === 2;
}
