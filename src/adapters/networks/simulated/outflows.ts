// What left the treasury of a simulated network, read from the network's own rows and not from the service's records.
import type { Network } from '../../../ports/network/network.ts';
import { connect, type Simulation } from '../../simulation/simulation.ts';

/** Clocks of processes differ a little: what another one puts down may be final a moment ago. */
const CLOCKS_DIFFER_MS = 2_000;

export function makeOutflows(simulation: Simulation, name: string): Network['outflows'] {
  return async (position) => {
    connect(simulation, 'outflows', name);
    const nowMs = simulation.clock.now();
    const next = `${nowMs - CLOCKS_DIFFER_MS}`;
    if (position === null) return { outflows: [], unreadable: [], position: `${nowMs}` };
    const rows = await simulation.world.transfers.paidSince(name, Number(position), nowMs);
    const counts = new Map<string, number>();
    const outflows = rows.map(({ hash: txHash, address: to, amountMinor }) => {
      const index = counts.get(txHash) ?? 0;
      counts.set(txHash, index + 1);
      return { txHash, innerHash: null, index, to, amountMinor };
    });
    return { outflows, unreadable: [], position: Number(next) > Number(position) ? next : position };
  };
}
