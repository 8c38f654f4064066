// The kinds of bank rails the product can open, and the rails of a process by mode and name. Adding a kind is one folder
// beside this file and one line in RAIL_KINDS (docs/adding-a-bank-rail.md).
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Banks, Rail } from '../../ports/bank/rail.ts';
import type { SimulatedBank } from './simulated/bank.ts';

/** One configured rail. A kind reads settings of its own from `options`. */
export interface RailSettings {
  readonly mode: Mode;
  readonly kind: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a kind may use of the process. */
export interface RailDeps {
  /** The bank of test mode that the sandbox drives. */
  readonly simulatedBank: SimulatedBank;
}

interface RailKind {
  readonly modes: readonly Mode[];
  /** Makes no call: a bank that does not answer must not stop the start. Throws when the settings are wrong. */
  open(settings: RailSettings, deps: RailDeps): Rail;
}

const RAIL_KINDS: ReadonlyMap<string, RailKind> = new Map([
  ['simulated', { modes: ['test'], open: (_settings, { simulatedBank }) => simulatedBank }],
] satisfies [string, RailKind][]);

export function openRail(settings: RailSettings, deps: RailDeps): Rail {
  const { mode, kind, name } = settings;
  const found = RAIL_KINDS.get(kind);
  if (found === undefined) {
    throw new Error(
      `rail ${name}: kind ${kind} is unknown; use one of: ${[...RAIL_KINDS.keys()].join(', ')}`,
    );
  }
  if (!found.modes.includes(mode)) {
    throw new Error(
      `rail ${name}: kind ${kind} is not for ${mode} mode; use it in: ${found.modes.join(', ')}`,
    );
  }
  const rail = found.open(settings, deps);
  if (rail.name !== name) throw new Error(`rail ${name}: a rail of kind ${kind} must be named ${rail.name}`);
  return rail;
}

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
