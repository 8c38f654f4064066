// What a tester can do: payments and tokens arrive at the simulated bank and networks, and the service learns of
// them the way it learns of real ones. On local networks a faucet sends the tokens.
import type { Sandbox } from '../../ports/sandbox.ts';
import type { SimulatedBank } from '../banks/simulated/bank.ts';
import type { SimulatedNetwork } from '../networks/simulated/network.ts';
import type { Faucet } from './faucet.ts';

export function makeSandbox(
  bank: SimulatedBank,
  networks: readonly SimulatedNetwork[],
  faucet: Faucet | null = null,
): Sandbox {
  const find = (name: string) => networks.find((each) => each.name === name);
  return {
    payIn: bank.payIn,
    reverse: bank.reverse,
    returnPayout: bank.returnPayout,
    sendsOn: (name) => faucet !== null || find(name) !== undefined,
    deposit: async (id, deposit) => {
      const network = find(deposit.network);
      if (network !== undefined) return network.arrive(id, deposit);
      if (faucet !== null) return faucet(id, deposit);
      throw new Error(`the sandbox cannot send tokens on ${deposit.network}`);
    },
  };
}
