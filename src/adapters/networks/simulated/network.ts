// A network that exists only in test mode. It has no explorer, because a real explorer would show that its transactions do not
// exist. It keeps its own balance: the opening balance of the treasury, minus the payments, plus the deposits.
import type { Network } from '../../../ports/networks/network.ts';
import { PAYING_FATES } from '../../simulation/simulated-world.ts';
import { failIfDisconnected, runOrUnknown, type Simulation } from '../../simulation/simulation.ts';
import { type Arrivals, makeArrivals } from './arrivals.ts';
import { type FamilySettings, familyLooksOf } from './family-looks.ts';
import { finalityDelayMs, makeOutflows, makeSends } from './sends.ts';

const OPENING_NAIRA = 10n ** 12n;
const TRUSTLINE_PACES = 2;

export interface SimulatedNetworkSettings extends FamilySettings {
  readonly assetCode: string;
  readonly decimals: number;
  readonly confirmations: number;
}

export interface SimulatedNetwork extends Network, Pick<Arrivals, 'arrive'> {
  /** The final balance of the treasury. Only final payments and final deposits count. */
  treasuryMinor(): Promise<bigint>;
  /** How often an order was paid or will certainly be paid. This must never be more than once. */
  paidTimes(orderId: string): Promise<number>;
}

export function makeSimulatedNetwork(
  settings: SimulatedNetworkSettings,
  simulation: Simulation,
): SimulatedNetwork {
  const { name, confirmations, assetCode, decimals } = settings;
  const looks = familyLooksOf(settings);

  const walletReady = async (about: string): Promise<'ready' | 'waiting'> => {
    failIfDisconnected(simulation, 'ready', about);
    if ((await simulation.world.plays.scenarioOf(about)) !== 'no_trustline') return 'ready';
    const nowMs = simulation.clock.now();
    const askedAtMs = await simulation.world.plays.walletAskedAtMs(about, nowMs);
    return nowMs < askedAtMs + TRUSTLINE_PACES * simulation.paceMs ? 'waiting' : 'ready';
  };

  return {
    name,
    asset: { code: assetCode, decimals },
    native: null,
    confirmations,
    providerCount: 0,
    orderedBy: simulation.ordered === true ? looks.treasury : null,
    sweeps: false,
    observeEveryMs: 0,
    get finalAfterMs() {
      return finalityDelayMs(simulation.paceMs);
    },
    checkAddress: looks.checkAddress,
    depositTarget: looks.depositTarget,
    explorerUrl: () => null,
    recipientReady: async ({ about }) => {
      if (!looks.trustlines || about === null) return 'ready';
      const answer = await runOrUnknown(() => walletReady(about));
      return typeof answer === 'string' ? answer : 'unknown';
    },
    ...makeSends({ simulation, name, confirmations, looks }),
    ...makeArrivals({ simulation, name, looks }),
    outflows: makeOutflows(simulation, name),
    treasury: async () => null,
    finalTokens: async () => null,
    providers: async () => [],
    treasuryMinor: async () => {
      const settled = await simulation.world.settledMinor(name, simulation.clock.now());
      return OPENING_NAIRA * 10n ** BigInt(decimals) - settled.out + settled.in;
    },
    paidTimes: async (orderId) =>
      (await simulation.world.transfers.ofOrder(orderId)).filter(({ fate }) => PAYING_FATES.includes(fate))
        .length,
  };
}
