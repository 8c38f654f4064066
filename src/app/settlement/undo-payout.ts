// Undoes a payout that the bank finally refused. The naira is free again, the promise to pay is reversed, and the tokens return
// to the owner's wallet.
import { type Entry, entryOf } from '../../domain/ledger/ledger.ts';
import { mergeMemory, readMemory } from '../../domain/movements/outcome-memory.ts';
import { giveUpMovement, type LiveAttempt, updateAttempt } from '../../domain/movements/steps.ts';
import type { Change } from '../../domain/records/change.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTransaction } from '../../domain/records/transaction-moves.ts';
import { makeDepositRefund } from '../../domain/settlement/refund.ts';
import { koboToToken, tokenToKobo } from '../../domain/values/money.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import { newId, type PickDeps } from '../engine/deps.ts';

// Returns the number of decimals of a deposit's token. The sell stores the decimals, so they are known even while the network
// is disabled. If people assigned a deposit to a sell, the deposit may be on a network that the sell does not list.

/** Throws an error while the decimals are unknown, and the caller tries again later. */
export function findDepositDecimals(
  { networks }: { readonly networks: DescribedNetworks },
  { deposits }: Transaction,
  { mode, network }: Deposit,
): number {
  const instruction = deposits.find((each) => each.network === network);
  const decimals = instruction?.decimals ?? networks.find(mode, network)?.asset.decimals;
  if (decimals !== undefined) return decimals;
  throw new Error(`the decimals of ${network} are not known while it is not enabled`);
}

export async function undoPayout(
  deps: TokenRefundDeps,
  alive: LiveAttempt,
  reason: string,
  atMs: number,
): Promise<Change> {
  const { transaction, attempt } = alive;
  if (transaction === null) throw new Error(`payout ${alive.movement.id} belongs to no transaction`);
  const { movements, entries } = await makeTokenRefunds(deps, transaction, 'payout_failed', atMs);
  const evidence = mergeMemory(attempt, readMemory(attempt), { reason });
  const given = giveUpMovement(alive, atMs, 0n, reason, updateAttempt(attempt, 'failed', atMs, evidence));
  return {
    ...given,
    transactions: [
      moveTransaction(transaction, 'payout_failed', {
        actor: 'bank',
        atMs,
        reason: 'payout_failed',
        dueAtMs: null,
        updates: { exception: 'payout_failed' },
        evidence: { movement: alive.movement.id, reference: attempt.reference, bank_says: reason },
      }),
    ],
    newMovements: movements,
    entries: [...(given.entries ?? []), ...entries],
  };
}

export interface TokenRefundDeps extends PickDeps<'store' | 'clock' | 'entropy'> {
  readonly networks: DescribedNetworks;
}

/** Returns the refunds of all deposits that a sell used. They do not include the latest excess, which was already refunded. */
export async function makeTokenRefunds(
  deps: TokenRefundDeps,
  transaction: NonNullable<LiveAttempt['transaction']>,
  reason: string,
  atMs: number,
): Promise<{ readonly movements: readonly Movement[]; readonly entries: readonly Entry[] }> {
  const deposits = (await deps.store.depositsOf([transaction.id])).filter(({ state }) => state === 'applied');
  const over = (await deps.store.movementsOf([transaction.id])).filter(({ kind }) => kind === 'refund');
  const movements: Movement[] = [];
  const entries: Entry[] = [];
  let leftMinor = transaction.amountMinor;
  for (const [index, deposit] of deposits.entries()) {
    const decimals = findDepositDecimals(deps, transaction, deposit);
    // The excess over the amount of the sell was already refunded, as a refund of the deposit that contained it.
    const backMinor = over.reduce(
      (sum, each) => (each.depositId === deposit.id ? sum + each.nairaMinor : sum),
      0n,
    );
    const kobo = tokenToKobo(deposit.amountMinor, decimals).kobo - backMinor;
    // The last refund also includes fractions of a kobo that are left.
    const nairaMinor = kobo < leftMinor && index < deposits.length - 1 ? kobo : leftMinor;
    if (nairaMinor === 0n) continue;
    leftMinor -= nairaMinor;
    const tokens = koboToToken(nairaMinor, decimals)!;
    movements.push(
      makeDepositRefund(deposit, transaction, { id: newId(deps, 'mov'), tokens, nairaMinor, reason, atMs }),
    );
    entries.push(
      entryOf('payout_undone', {
        mode: transaction.mode,
        subjectId: transaction.id,
        asset: deposit.asset,
        amounts: { amount: nairaMinor, tokens },
      }),
    );
  }
  return { movements, entries };
}
