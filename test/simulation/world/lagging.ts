// Networks whose providers are behind: what they answer was true a while ago, signed bytes they accepted are not to be seen
// yet, and some are passed on so late that their sender has given them up, though in time. None of it is a lie: what such a
// provider calls dead is dead at the height it answers from.
import type { SimulatedNetwork } from '../../../src/adapters/networks/simulated/network.ts';
import type { Dice } from '../../support/dice.ts';
import type { Agenda } from './agenda.ts';

/** For how long providers are behind, and by how much. */
export interface Lag {
  readonly fromMs: number;
  readonly toMs: number;
  readonly byMs: number;
  readonly networks: ReadonlySet<string>;
  /** Of a hundred broadcasts meanwhile, how many are passed on late. */
  readonly latePercent: number;
}

export const NO_LAG: Lag = { fromMs: 0, toMs: 0, byMs: 0, networks: new Set(), latePercent: 0 };

export function drawLag(dice: Dice, startMs: number, names: readonly string[]): Lag {
  const fromMs = startMs + dice.below(60_000);
  return {
    fromMs,
    toMs: fromMs + dice.between(10_000, 120_000),
    byMs: dice.pick([3_000, 15_000, 60_000]),
    networks: new Set(names.filter(() => dice.percent(60))),
    latePercent: dice.pick([20, 60]),
  };
}

export interface Lagging {
  /** The clock by which providers that are behind answer. */
  readonly clock: { now(): number };
  /** `behind`: the same network, on that clock. */
  over(network: SimulatedNetwork, behind: SimulatedNetwork): SimulatedNetwork;
  /** From here on all answers are those of now. */
  end(): void;
}

export function makeLagging(agenda: Agenda, dice: Dice, lag: Lag): Lagging {
  let ended = lag === NO_LAG;
  const lags = () => !ended && agenda.now() >= lag.fromMs && agenda.now() < lag.toMs;
  return {
    clock: { now: () => agenda.now() - lag.byMs },
    end: () => {
      ended = true;
    },
    over: (network, behind) => {
      if (!lag.networks.has(network.name)) return network;
      const asked = () => (lags() ? behind : network);
      return {
        ...network,
        ask: (envelope) => asked().ask(envelope),
        confirm: (sighting) => asked().confirm(sighting),
        broadcast: async (prepared) => {
          const leftMs = Number(prepared.bound) - agenda.now();
          if (!lags() || leftMs < 2 || !dice.percent(lag.latePercent)) return network.broadcast(prepared);
          // As late as it can be and land all the same, or a little too late.
          agenda.at(agenda.now() + dice.between(1, leftMs), () => {
            network.broadcast(prepared).catch(() => undefined);
          });
          return dice.percent(50) ? { kind: 'accepted' } : { kind: 'unknown', reason: 'no answer came' };
        },
      };
    },
  };
}
