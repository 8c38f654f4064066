// A final deposit whose address holds less than came to it by the token's own records: a fee that the records hide, or tokens that the
// issuer took away. It does not count, people are asked once, and the network is asked on: it counts when all of it lies there.
import { type Change, makeMove } from '../records/change.ts';
import type { Deposit } from '../records/deposit.ts';
import type { Transaction } from '../records/transaction.ts';
import { tokenToKobo } from '../values/money.ts';

export interface ShortDepositFacts {
  readonly deposit: Deposit;
  /** The amount missing at its address, in the token's minor units. */
  readonly missingMinor: bigint;
  readonly decimals: number;
  readonly atMs: number;
  /** The time of the next question to the network. */
  readonly dueAtMs: number;
  readonly newCaseId: string;
}

/** The deposit says by its exception that people were asked. */
export function holdShortDeposit(transaction: Transaction | null, facts: ShortDepositFacts): Change {
  const { deposit, missingMinor, decimals, atMs, dueAtMs, newCaseId: id } = facts;
  const { mode, transactionId, id: about } = deposit;
  const asked = deposit.exception === 'arrived_short';
  const { kobo, rest } = tokenToKobo(missingMinor, decimals);
  const of = { mode, businessId: transaction?.businessId ?? null, transactionId, creditId: null, about };
  return {
    atMs,
    deposits: [makeMove(deposit, { exception: 'arrived_short', dueAtMs })],
    // A part of a kobo is missing, too.
    ...(!asked && {
      openCase: { id, kind: 'deposit_short', ...of, amountMinor: rest > 0n ? kobo + 1n : kobo },
    }),
  };
}
