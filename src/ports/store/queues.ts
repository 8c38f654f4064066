// What is due: the oldest first, leased to the caller for a while and its version raised, so that a worker that outlived
// its lease can commit nothing.
import type { BankCredit, CreditReport } from '../../domain/records/credit.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Movement, MovementState } from '../../domain/records/movement.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import type { TransactionState } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';

/** The records to take off a queue: the oldest due first, each leased to the caller and its version raised. */
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
  /** `bankLeaseMs`: of those by bank, whose banks may take long to answer. */
  leaseMovements(
    states: readonly MovementState[],
    request: LeaseRequest & { readonly bankLeaseMs?: number },
  ): Promise<readonly Movement[]>;
  leaseNotices(request: LeaseRequest): Promise<readonly BankNotice[]>;
  leaseReports(request: LeaseRequest): Promise<readonly CreditReport[]>;
  /** Open credits that a new claim might explain are looked at again now. Answers how many. */
  hastenCredits(claims: readonly Transaction[], atMs: number): Promise<number>;
  /** Finds the credits that an open notice reports as reversed; those notices become due now. */
  hastenNotices(credits: readonly BankCredit[], atMs: number): Promise<ReadonlySet<string>>;
  /** Refunds that wait for a destination are looked at again now. */
  hastenRefunds(transactionId: string, atMs: number): Promise<void>;
}
