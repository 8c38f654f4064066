// Deposit addresses that are too old to be watched all the time: a few of them in each turn, from the oldest on and then again
// from the start, so that a deposit that comes years later is found as well.
import { address } from '@solana/kit';
import type { Watch } from '../../../../ports/network/observes.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { readTokenAccount, tokenAccountOf } from '../rpc/token-account.ts';

/** One more request in this time. */
const EVERY_MS = 30_000;

/** Returns those owners of this turn whose deposit account holds tokens. */
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
    return owners.filter((_, index) => (readTokenAccount(held[index]!)?.amountMinor ?? 0n) > 0n);
  };

  // A failure here must not keep the other deposits from being counted.
  return (client, watch) =>
    turn(client, watch).catch((error: unknown) => {
      onTrouble('looking at old deposit addresses failed', { error: messageOf(error) });
      return [];
    });
}
