// Lists the kinds of bank rails that BANKS_FILE can name, and finds the rails of a process by mode and name. To add a kind, a
// developer adds one folder next to this file and one line in RAIL_KINDS (docs/extend/adding-a-bank-rail.md).
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PayingRail, Rail, RailRegistry } from '../../ports/rails/rail.ts';
import { monnify } from './monnify/rail.ts';
import { nipBank } from './nip-bank/rail.ts';
import { paystack } from './paystack/rail.ts';
import type { RailKinds } from './rail-kind.ts';

export const RAIL_KINDS: RailKinds = new Map([
  ['nip-bank', nipBank],
  ['paystack', paystack],
  ['monnify', monnify],
]);

/** Each list of rails is in the order of preference. */
export function makeBanks(rails: { readonly [mode in Mode]: readonly Rail[] }): RailRegistry {
  for (const mode of MODES) {
    const names = rails[mode].map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new Error(`rail ${twice} is configured twice in ${mode} mode; give each rail its own name`);
    }
  }
  return {
    find: (mode, name) => rails[mode].find((rail) => rail.name === name),
    enabled: (mode) => rails[mode],
  };
}

// This wraps a rail and counts its name enquiries. A rail that does not answer name enquiries gets no payouts, so it counts as
// unhealthy, even if its balance call succeeds. Each process counts only its own recent enquiries, because the same process
// would make the payouts.
const RECENT_MS = 5 * 60_000;
/** After this number of unanswered name enquiries in a row, the rail counts as silent. */
const FAILURES_UNTIL_UNWELL = 3;

export function watchEnquiries(rail: Rail, clock: Clock): Rail {
  if (rail.payouts === null) return rail;
  const { payouts } = rail as PayingRail;
  let unanswered: number[] = [];
  return {
    ...rail,
    payouts: {
      ...payouts,
      enquireName: async (question) => {
        const answer = await payouts.enquireName(question);
        // An unanswered enquiry counts only if it is about a bank that the rail supports.
        if (answer.kind !== 'unknown') unanswered = [];
        else if (payouts.reaches(question.bankCode))
          unanswered = [...unanswered, clock.now()].slice(-FAILURES_UNTIL_UNWELL);
        return answer;
      },
    },
    whySilent: () => {
      const lately = unanswered.filter((atMs) => atMs > clock.now() - RECENT_MS);
      return lately.length < FAILURES_UNTIL_UNWELL
        ? null
        : `its last ${FAILURES_UNTIL_UNWELL} name enquiries got no answer`;
    },
  };
}
