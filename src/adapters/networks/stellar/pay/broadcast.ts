// Broadcasts signed bytes to every provider. An error of a server proves nothing. A broadcast is accepted when the bytes are in a
// ledger or enough servers have them. With two providers both must have them, because one may accept the bytes and not forward
// them. Every other outcome is unknown, and `ask` finds the real outcome later.
import { witnessesNeeded } from '../../../../domain/movements/proof-of-death.ts';
import type { BroadcastOutcome } from '../../../../ports/networks/network-payer.ts';
import { hashOf, readStoredTransaction, type StoredTransaction } from '../horizon/envelope.ts';
import { type Horizon, HorizonError } from '../horizon/horizon.ts';
import type { NetworkPart, StellarChain } from '../horizon/stellar-chain.ts';

/** The time limit for a server without asynchronous submission, which responds only after the ledger has closed. */
const SYNCHRONOUS_TIMEOUT_MS = 30_000;

type OfferOutcome = 'taken' | 'landed' | { readonly refused: string };

export function makeBroadcast({ providers, settings }: StellarChain): NetworkPart<'broadcast'> {
  const needed = witnessesNeeded(providers.count);
  /** Resolves as soon as enough providers have the bytes. The bytes are still sent to the other providers. */
  const offerToAll = (stored: StoredTransaction): Promise<BroadcastOutcome> =>
    new Promise((resolve) => {
      let taken = 0;
      const refusals: string[] = [];
      const offered = providers.all(async (horizon) => {
        const answer = await offerBytes(horizon, stored);
        if (answer === 'taken') taken++;
        else if (answer !== 'landed') refusals.push(answer.refused);
        if (answer === 'landed' || taken >= needed) resolve({ kind: 'accepted' });
      });
      // A stalled provider also accepts the bytes but does not forward them. So the bytes are sent again until a different
      // provider has them.
      const few = () => `${taken} of ${providers.count} providers accepted it`;
      void offered.then(() => resolve({ kind: 'unknown', reason: refusals[0] ?? few() }));
    });
  return {
    broadcast: async (prepared) => {
      try {
        return await offerToAll(readStoredTransaction(prepared, settings.passphrase));
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).message };
      }
    },
  };
}

async function offerBytes(horizon: Horizon, { hash, inner, xdr }: StoredTransaction): Promise<OfferOutcome> {
  let { status, body } = await horizon.post('/transactions_async', { tx: xdr });
  if (typeof body.tx_status === 'string') {
    if (body.tx_status === 'PENDING' || body.tx_status === 'DUPLICATE') return 'taken';
    return lookUpLanded(horizon, hashOf(inner), body.tx_status);
  }
  if (status === 404 || status === 405) {
    ({ status, body } = await horizon.post('/transactions', { tx: xdr }, SYNCHRONOUS_TIMEOUT_MS));
    if (status === 200 && body.hash === hash) return 'landed';
  }
  if (status >= 500 || status === 429) throw new HorizonError(`a server answered ${status} to a transaction`);
  return lookUpLanded(horizon, hashOf(inner), `${status}`);
}

/**
 * A server refuses bytes that have already landed, because their sequence number is used. Either these bytes used it, or the
 * same transaction with a different fee bump or without one.
 */
async function lookUpLanded(horizon: Horizon, hash: string, answer: string): Promise<OfferOutcome> {
  const found = await horizon.get(`/transactions/${hash}`);
  if (found?.hash === hash) return 'landed';
  return { refused: `the server answered ${answer.slice(0, 40)}` };
}
