// The hands of whoever tests: payments and tokens arrive at the simulated bank and networks, and the service learns of
// them the way it learns of real ones.
import type { Sandbox } from '../../ports/sandbox.ts';
import type { SimulatedBank } from '../banks/simulated/bank.ts';
import type { SimulatedNetwork } from '../networks/simulated/network.ts';

export function makeSandbox(bank: SimulatedBank, networks: readonly SimulatedNetwork[]): Sandbox {
  return {
    payIn: bank.payIn,
    reverse: bank.reverse,
    returnPayout: bank.returnPayout,
    deposit: async (id, { network: name, ...deposit }) => {
      const network = networks.find((each) => each.name === name);
      if (network === undefined) throw new Error(`no simulated network is called ${name}`);
      return network.arrive(id, deposit);
    },
  };
}
