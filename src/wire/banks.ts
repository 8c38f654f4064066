// The bank rails of this process, opened from their settings. Live mode has none yet; test mode has the simulated bank.
import { makeBanks, openRail, type RailDeps, type RailSettings } from '../adapters/banks/registry.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { Banks } from '../ports/bank/rail.ts';

const RAILS: readonly RailSettings[] = [{ mode: 'test', kind: 'simulated', name: 'simulated', options: {} }];

/** Rails are listed with the preferred one first: a payout goes to the first of its mode that pays. */
export function openBanks(deps: RailDeps, settings: readonly RailSettings[] = RAILS): Banks {
  const open = (mode: Mode) =>
    settings.filter((each) => each.mode === mode).map((each) => openRail(each, deps));
  return makeBanks({ live: open('live'), test: open('test') });
}
