// Offers signed bytes to the network. What a server says against them proves nothing: only that it has them, or that they
// are in a ledger, is news. Everything else is unknown, and `ask` finds out.
import type { BroadcastOutcome } from '../../../ports/network.ts';
import type { Chain, Part } from './chain.ts';
import { storedOf } from './envelope.ts';
import { type Horizon, HorizonFailed } from './horizon.ts';

/** A server without the asynchronous call answers when the ledger has closed. */
const SYNCHRONOUS_TIMEOUT_MS = 30_000;

export function makeBroadcast({ providers, settings }: Chain): Part<'broadcast'> {
  return {
    broadcast: async (prepared) => {
      try {
        const { hash, xdr } = storedOf(prepared, settings.passphrase);
        return await providers.one((horizon) => offer(horizon, hash, xdr));
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).message };
      }
    },
  };
}

/** Throws when the server failed: the same bytes may then go to another one. */
async function offer(horizon: Horizon, hash: string, xdr: string): Promise<BroadcastOutcome> {
  let { status, body } = await horizon.post('/transactions_async', { tx: xdr });
  if (typeof body.tx_status === 'string') {
    if (body.tx_status === 'PENDING' || body.tx_status === 'DUPLICATE') return { kind: 'accepted' };
    return lookUp(horizon, hash, body.tx_status);
  }
  if (status === 404 || status === 405) {
    ({ status, body } = await horizon.post('/transactions', { tx: xdr }, SYNCHRONOUS_TIMEOUT_MS));
    if (status === 200 && body.hash === hash) return { kind: 'accepted' };
  }
  if (status >= 500 || status === 429)
    throw new HorizonFailed(`a server answered ${status} to a transaction`);
  return lookUp(horizon, hash, `${status}`);
}

/** Bytes that have landed are refused when they are offered again, for their place is taken: by themselves. */
async function lookUp(horizon: Horizon, hash: string, answer: string): Promise<BroadcastOutcome> {
  const found = await horizon.get(`/transactions/${hash}`);
  if (found?.hash === hash) return { kind: 'accepted' };
  return { kind: 'unknown', reason: `the server answered ${answer.slice(0, 40)}` };
}
