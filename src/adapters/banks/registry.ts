// The kinds of bank rails that BANKS_FILE can name, and the rails of a process by mode and name. Adding a kind is one folder beside
// this file and one line in RAIL_KINDS (docs/adding-a-bank-rail.md).
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Banks, Rail } from '../../ports/bank/rail.ts';
import { monnify } from './monnify/rail.ts';
import { nipBank } from './nip-bank/rail.ts';
import { paystack } from './paystack/rail.ts';
import type { RailKinds } from './rail-kind.ts';

export const RAIL_KINDS: RailKinds = new Map([
  ['nip-bank', nipBank],
  ['paystack', paystack],
  ['monnify', monnify],
]);

/** Each list in the order of preference. */
export function makeBanks(rails: { readonly [mode in Mode]: readonly Rail[] }): Banks {
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
