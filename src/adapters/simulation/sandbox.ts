// The actions of a tester. Payments and tokens arrive at the simulated bank and networks, and the service detects them in the
// same way as real ones. On local networks a faucet sends the tokens.
import type { Sandbox, SandboxDeposit } from '../../ports/sandbox.ts';
import type { SimulatedNetwork } from '../networks/simulated/network.ts';
import type { SimulatedBank } from '../rails/simulated/bank.ts';

export type SendFromFaucet = (id: string, deposit: SandboxDeposit) => Promise<string>;

const PATIENCE_MS = 30_000;

/** A repeated request with the same id returns the same transfer. */
export function makeFaucet(url: string): SendFromFaucet {
  return async (id, { network, address, memo, amountMinor }) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, network, address, memo, amount_minor: amountMinor.toString() }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) throw new Error(`the faucet answered ${answer.status}`);
    const { tx_hash: txHash } = (await answer.json()) as { tx_hash: string };
    return txHash;
  };
}

export function makeSandbox(
  bank: SimulatedBank,
  networks: readonly SimulatedNetwork[],
  faucet: SendFromFaucet | null = null,
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
