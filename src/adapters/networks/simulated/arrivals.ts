// Tokens that arrive on a simulated network. They are seen at once and final a little later. They can be reported again, always
// with the same hash. Only a planned fault makes a transfer disappear permanently.
import type { Network } from '../../../ports/networks/network.ts';
import {
  ConnectionLost,
  failIfDisconnected,
  readLogPosition,
  runOrUnknown,
  type Simulation,
} from '../../simulation/simulation.ts';
import type { FamilyLooks } from './family-looks.ts';

const PAGE = 500;

export interface ArrivingTokens {
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** False means a different token with the same symbol, for tests. */
  readonly ourToken?: boolean;
}

export interface ArrivalsParts {
  readonly simulation: Simulation;
  readonly name: string;
  readonly looks: FamilyLooks;
}

export interface Arrivals extends Pick<Network, 'observe' | 'confirm'> {
  /** Makes tokens arrive and returns the hash. A repeated id reports the same transfer again. */
  arrive(id: string, arriving: ArrivingTokens): Promise<string>;
}

export function makeArrivals({ simulation, name, looks }: ArrivalsParts): Arrivals {
  return {
    arrive: async (id, { address, memo, amountMinor, ourToken = true }) => {
      const atMs = simulation.clock.now();
      const trouble = simulation.chance.trouble('arrive', id, ['slow', 'gone']);
      const spanMs = (trouble === 'slow' ? 3 : 2) * simulation.paceMs;
      const { txHash } = await simulation.world.arrivals.put({
        id,
        network: name,
        txHash: looks.transactionHash('arrival', id),
        txIndex: 0,
        address,
        memo,
        sender: looks.wallet('sender', id),
        ourToken,
        amountMinor,
        fate: trouble === 'gone' ? 'gone' : 'settles',
        atMs,
        settledAtMs: atMs + simulation.chance.between(`arrival ${id}`, spanMs, Math.ceil(spanMs * 1.25)),
      });
      return txHash;
    },
    observe: async (text) => {
      const position = readLogPosition(text);
      const trouble = simulation.chance.trouble('observe', name, ['no_connection', 'repeated']);
      if (trouble === 'no_connection') throw new ConnectionLost('the connection failed');
      const rows = await simulation.world.arrivals.after(name, position, PAGE);
      const nowMs = simulation.clock.now();
      const sightings = rows.map(
        ({ txHash, txIndex, address, memo, sender, ourToken, amountMinor, ...row }) => ({
          txHash,
          txIndex,
          address,
          memo,
          sender,
          ourToken,
          amountMinor,
          final: row.fate === 'settles' && nowMs >= row.settledAtMs,
          chainAtMs: row.atMs,
        }),
      );
      return {
        sightings: trouble === 'repeated' ? [...sightings, ...sightings] : sightings,
        unreadable: [],
        position: `${rows.at(-1)?.position ?? position}`,
      };
    },
    confirm: async ({ txHash, txIndex }) => {
      const found = await runOrUnknown(() => {
        failIfDisconnected(simulation, 'confirm', txHash);
        return simulation.world.arrivals.find({ network: name, txHash, txIndex });
      });
      if (found === undefined || 'kind' in found) return 'unknown';
      if (simulation.clock.now() < found.settledAtMs) return 'pending';
      return found.fate === 'gone' ? 'gone' : 'final';
    },
  };
}
