// A final deposit whose address holds less than the token's transfer log shows, because the token took a hidden fee or its
// issuer removed tokens. The deposit counts only when its address holds the full amount. Until then, people get one case, and
// the service keeps querying the network.
import { type Change, makeMove } from '../records/change.ts';
import type { Deposit } from '../records/deposit.ts';
import type { Transaction } from '../records/transaction.ts';
import { tokenToKobo } from '../values/money.ts';

export interface ShortDepositFacts {
  readonly deposit: Deposit;
  /** The amount that is missing at the address of the deposit, in the token's minor units. */
  readonly missingMinor: bigint;
  readonly decimals: number;
  readonly atMs: number;
  readonly dueAtMs: number;
  readonly newCaseId: string;
}

/** The exception of the deposit shows whether a case was already opened. */
export function holdShortDeposit(transaction: Transaction | null, facts: ShortDepositFacts): Change {
  const { deposit, missingMinor, decimals, atMs, dueAtMs, newCaseId: id } = facts;
  const { mode, transactionId, id: about } = deposit;
  const asked = deposit.exception === 'arrived_short';
  const { kobo, rest } = tokenToKobo(missingMinor, decimals);
  const of = { mode, businessId: transaction?.businessId ?? null, transactionId, creditId: null, about };
  return {
    atMs,
    deposits: [makeMove(deposit, { exception: 'arrived_short', dueAtMs })],
    // A fraction of a kobo counts as a whole missing kobo.
    ...(!asked && {
      openCase: { id, kind: 'deposit_short', ...of, amountMinor: rest > 0n ? kobo + 1n : kobo },
    }),
  };
}
