// Simulates networks whose providers lag. Their responses are outdated and do not show accepted bytes yet. They forward some
// bytes so late that the sender no longer expects it, but before the bytes expire. None of their responses is false: a
// transaction that such a provider reports as dead is dead at the block height of the response.
import type { SimulatedNetwork } from '../../../src/adapters/networks/simulated/network.ts';
import type { Dice } from '../../support/dice.ts';
import type { Agenda } from './agenda.ts';

export interface Lag {
  readonly fromMs: number;
  readonly toMs: number;
  readonly byMs: number;
  readonly networks: ReadonlySet<string>;
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
  readonly clock: { now(): number };
  over(network: SimulatedNetwork, behind: SimulatedNetwork): SimulatedNetwork;
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
          // The provider forwards the bytes late, at the latest when they expire.
          agenda.at(agenda.now() + dice.between(1, leftMs), () => {
            network.broadcast(prepared).catch(() => undefined);
          });
          return dice.percent(50) ? { kind: 'accepted' } : { kind: 'unknown', reason: 'no answer came' };
        },
      };
    },
  };
}
