// Tokens that came to an address of their own, on their way into the treasury. The books counted them when they came.
import type { Deposit } from './deposit.ts';
import type { Movement } from './movement.ts';

export function sweepOf(
  deposit: Deposit,
  facts: { readonly id: string; readonly nairaMinor: bigint; readonly atMs: number },
): Movement {
  const { mode, network, asset, amountMinor, transactionId, address } = deposit;
  const { id, nairaMinor, atMs } = facts;
  return {
    id,
    kind: 'sweep',
    mode,
    network,
    asset,
    amountMinor,
    nairaMinor,
    transactionId,
    creditId: null,
    depositId: deposit.id,
    destination: { address },
    state: 'pending',
    reason: null,
    version: 1,
    attempts: 0,
    dueAtMs: atMs,
    tries: 0,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}
