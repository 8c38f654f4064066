// The queues of due records. The oldest record comes first and is leased to the caller for a limited time. The lease increases
// the version of the record, so that a worker whose lease has ended cannot commit.
import type { BankCredit, CreditReport } from '../../domain/records/credit.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Movement, MovementState } from '../../domain/records/movement.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import type { TransactionState } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';

/**
 * Which records the caller takes from a queue: those that have been due for the longest time. Each record is leased to the
 * caller, and its version increases.
 */
export interface LeaseRequest {
  readonly atMs: number;
  readonly leaseMs: number;
  readonly limit: number;
}

export interface QueueStore {
  leaseTransactions(
    states: readonly TransactionState[],
    request: LeaseRequest,
  ): Promise<readonly Transaction[]>;
  leaseCredits(request: LeaseRequest): Promise<readonly BankCredit[]>;
  leaseDeposits(request: LeaseRequest): Promise<readonly Deposit[]>;
  /** `bankLeaseMs`: the lease time of movements by bank. It is separate because a bank may respond slowly. */
  leaseMovements(
    states: readonly MovementState[],
    request: LeaseRequest & { readonly bankLeaseMs?: number },
  ): Promise<readonly Movement[]>;
  leaseNotices(request: LeaseRequest): Promise<readonly BankNotice[]>;
  leaseReports(request: LeaseRequest): Promise<readonly CreditReport[]>;
  /** Makes open credits due now if a new claim might explain them, and returns their number. */
  hastenCredits(claims: readonly Transaction[], atMs: number): Promise<number>;
  /** Finds the credits that an open notice reports as reversed, and makes those notices due now. */
  hastenNotices(credits: readonly BankCredit[], atMs: number): Promise<ReadonlySet<string>>;
  /** Makes the refunds of a transaction due now that wait for a destination. */
  hastenRefunds(transactionId: string, atMs: number): Promise<void>;
}
