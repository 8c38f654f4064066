// Inside one process, work that signs for the same wallet runs one after the other.
import type { WalletTurn } from '../../ports/networks/network-payer.ts';

/** The turn for wallets whose payments need no order, if the service knows no payment in progress. */
export const NO_WALLET_TURN: WalletTurn = { lastSequence: null, live: 0, inFlightMinor: 0n };

export interface WalletLocks {
  take<Outcome>(name: string, work: () => Promise<Outcome>): Promise<Outcome>;
}

export function makeWalletLocks(): WalletLocks {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: (name, work) => {
      const before = last.get(name) ?? Promise.resolve();
      const own = before.then(work, work);
      const settled = own.catch(() => undefined);
      last.set(name, settled);
      return own;
    },
  };
}
