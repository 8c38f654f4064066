// Tokens for tests on local networks: a customer there who sends the tokens that are asked for.
import type { SandboxDeposit } from '../../ports/sandbox.ts';

export type Faucet = (id: string, deposit: SandboxDeposit) => Promise<string>;

const PATIENCE_MS = 30_000;

/** Asked again under the same id it answers with the same transfer. */
export function makeFaucet(url: string): Faucet {
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
