// Tokens that came to an address of their own, on their way into the treasury. The books counted them when they came.
import type { Deposit } from '../records/deposit.ts';
import { type Movement, newMovement } from '../records/movement.ts';

export function sweepOf(
  deposit: Deposit,
  facts: { readonly id: string; readonly nairaMinor: bigint; readonly atMs: number },
): Movement {
  const { mode, network, asset, amountMinor, transactionId, address } = deposit;
  const { id, nairaMinor, atMs } = facts;
  return newMovement({
    ...{ id, kind: 'sweep', mode, network, asset, amountMinor, nairaMinor, transactionId, atMs },
    depositId: deposit.id,
    destination: { address },
  });
}
