// Deposit addresses that are too old to be watched all the time: some of them in each turn, from the oldest on and then again,
// so that what comes to one years later is found, too.
import { address } from '@solana/kit';
import type { Watch } from '../../../../ports/network/observes.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { readTokenAccount, tokenAccountOf } from '../rpc/token-account.ts';

/** One request more in this time. */
const EVERY_MS = 30_000;

/** Answers those owners of this turn whose deposit account holds tokens. */
type Turn = (client: SolanaClient, watch: Watch) => Promise<readonly string[]>;

export function makeLateTurns({ mint, clock, onTrouble }: SolanaChain): Turn {
  let after: string | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const turn: Turn = async (client, watch) => {
    if (watch.older === undefined || clock.now() - lookedAtMs < EVERY_MS) return [];
    const { addresses: owners, next } = await watch.older(after);
    const accounts = await Promise.all(owners.map((owner) => tokenAccountOf(mint, address(owner))));
    const held = await client.accounts(accounts, 'confirmed');
    after = next;
    lookedAtMs = clock.now();
    return owners.filter((_, place) => (readTokenAccount(held[place]!)?.amountMinor ?? 0n) > 0n);
  };

  // What is only looked for now and then must not keep the other deposits from being counted.
  return (client, watch) =>
    turn(client, watch).catch((error: unknown) => {
      onTrouble('old deposit addresses cannot be looked at', { error: messageOf(error) });
      return [];
    });
}
