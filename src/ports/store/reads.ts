// Reads the records, the ledger and the deposit targets.
import type { TimelineEntry } from '../../domain/records/change.ts';
import type { BankCredit, CreditReport, CreditSource } from '../../domain/records/credit.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Attempt, Movement } from '../../domain/records/movement.ts';
import type { TransactionState, TransactionType } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { ReportedCredit, ReportFacts } from '../../domain/reports/link-report.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { WalletTurn } from '../networks/network-payer.ts';

export interface BusinessScope {
  readonly businessId: string;
  readonly mode: Mode;
}

/** The default maximum number of claims of each kind. Reviewers do not look at more claims one by one. */
export const DEFAULT_CLAIM_LIMIT = 25;

/** The claims that a credit may pay, and the credits with the same account, amount and payer. */
export interface ClaimCandidates {
  readonly claims: readonly Transaction[];
  /** The ids of open credits with the same account, amount and payer, oldest first, including this credit. */
  readonly equalCredits: readonly string[];
  /** Whether there are more claims than were returned. If so, no person can decide which of them the credit pays. */
  readonly more: boolean;
}

/** One line of the timeline. The first line is the acceptance and has no earlier state. */
export interface TimelineLine extends Omit<TimelineEntry, 'from'> {
  readonly from: TransactionState | null;
  readonly atMs: number;
}

export interface TransactionFilter {
  readonly type?: TransactionType;
  readonly state?: TransactionState;
  readonly reference?: string;
  /** The earliest time of creation, inclusive. */
  readonly createdFromMs?: number;
  /** The latest time of creation, inclusive. */
  readonly createdToMs?: number;
  /** The list is sorted newest first and starts after this transaction. */
  readonly after?: { readonly id: string; readonly createdAtMs: number };
  readonly limit: number;
}

export interface ReadStore {
  /** Returns the used sequence numbers of a wallet, and its payments in progress. */
  turnOf(mode: Mode, network: string, wallet: string): Promise<WalletTurn>;
  depositAddresses(mode: Mode, network: string, sinceMs: number): Promise<readonly string[]>;
  /**
   * Returns the deposit addresses of sells that were created before this time, ordered by id. The list starts after the given
   * address.
   */
  oldDepositAddresses(
    mode: Mode,
    network: string,
    range: { readonly beforeMs: number; readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly transactionId: string; readonly address: string }[]>;
  /** Returns those of the given addresses that are our deposit addresses. */
  ownDepositAddresses(
    mode: Mode,
    network: string,
    addresses: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Finds the sell of each deposit target, in the order of the targets. */
  findDepositTargets(
    mode: Mode,
    network: string,
    targets: readonly { readonly address: string; readonly memo: string }[],
  ): Promise<readonly (string | undefined)[]>;
  /**
   * Finds at most `most` claims of each kind, and one more claim to show that there are more. The default of `most` is
   * DEFAULT_CLAIM_LIMIT.
   */
  findCandidates(
    credits: readonly BankCredit[],
    windowMs: number,
    most?: number,
  ): Promise<ReadonlyMap<string, ClaimCandidates>>;
  /** Returns the credit sources of these bank accounts by ledger name, and omits accounts without a source. */
  creditSources(mode: Mode, accounts: readonly string[]): Promise<ReadonlyMap<string, CreditSource>>;
  /** Returns for each report, by its id, the credits that it may describe, with the sources that reported them. */
  creditsLike(
    reported: readonly (ReportFacts & { readonly id: string })[],
  ): Promise<ReadonlyMap<string, readonly ReportedCredit[]>>;
  findReport(mode: Mode, source: string, sourceId: string): Promise<CreditReport | undefined>;
  /**
   * Returns for each credit the open claims on its account for exactly its amount, from any payer. If there are too many
   * claims, it returns those that expire first. It omits credits without such claims.
   */
  claimsOfAmount(
    credits: readonly BankCredit[],
    windowMs: number,
    most: number,
  ): Promise<ReadonlyMap<string, readonly Transaction[]>>;
  transactionsById(ids: readonly string[]): Promise<ReadonlyMap<string, Transaction>>;
  creditsById(ids: readonly string[]): Promise<ReadonlyMap<string, BankCredit>>;
  partsOf(creditId: string): Promise<readonly BankCredit[]>;
  depositsOf(transactionIds: readonly string[]): Promise<readonly Deposit[]>;
  creditsOf(transactionIds: readonly string[]): Promise<readonly BankCredit[]>;
  /** Returns the sends and payouts that were made or may still be made, the returned payouts, and all refunds. */
  movementsOf(transactionIds: readonly string[]): Promise<readonly Movement[]>;
  movementsOfCredit(creditId: string): Promise<readonly Movement[]>;
  /** `tried`: finds a movement only if it has an attempt on this rail with this reference. */
  movementById(
    id: string,
    tried?: { readonly rail: string; readonly reference: string },
  ): Promise<Movement | undefined>;
  lastAttempts(movementIds: readonly string[]): Promise<ReadonlyMap<string, Attempt>>;
  /** Returns the deposits that were recorded for these transfers, in the order of the transfers. */
  findDeposits(
    mode: Mode,
    network: string,
    transfers: readonly { readonly txHash: string; readonly txIndex: number }[],
  ): Promise<readonly (Deposit | undefined)[]>;
  findCredit(mode: Mode, source: string, sourceId: string): Promise<BankCredit | undefined>;
  /** Whether an open notice of this rail reports that the payout with this reference was returned. */
  hasOpenReturn(mode: Mode, rail: string, reference: string): Promise<boolean>;
  balances(keys: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  usage(
    keys: readonly { readonly businessId: string; readonly mode: Mode; readonly period: string }[],
  ): Promise<readonly bigint[]>;
  /** Returns all timeline lines of a transaction, its acceptance first. */
  timeline(transactionId: string): Promise<readonly TimelineLine[]>;
  findTransaction(scope: BusinessScope, id: string): Promise<Transaction | undefined>;
  /** Lists transactions by id, newest first. */
  listTransactions(scope: BusinessScope, filter: TransactionFilter): Promise<readonly Transaction[]>;
}

/**
 * What API responses show of a transaction besides its record: its refunds, its payout and its held payments. The store reads
 * these extras for a whole page of transactions at once.
 */
export interface TransactionExtras {
  /**
   * The refunds, the oldest first. `txHash` is the hash on the network; null for a bank refund, or if no network is known to
   * have it.
   */
  readonly refunds: readonly { readonly movement: Movement; readonly txHash: string | null }[];
  /** The payout that was made or may still be made. If there is none, this is the last payout that failed. */
  readonly payout: Movement | null;
  /**
   * If a bank refused the payout: the expected time when it is certain that the payout stays unpaid. Null if there is no such
   * payout.
   */
  readonly payoutSureAtMs: number | null;
  /** The sum of payments, in kobo, that wait for review only because their amount differs from the request. */
  readonly heldMinor: bigint;
  /** The warning code for the bank's response about the account of an accepted sell; null if there is no warning. */
  readonly accountWarning: string | null;
  /** The version of the transaction with which the extras were read; null if there is no such version. */
  readonly version: number | null;
}

export const NO_TRANSACTION_EXTRAS: TransactionExtras = {
  refunds: [],
  payout: null,
  payoutSureAtMs: null,
  heldMinor: 0n,
  accountWarning: null,
  version: null,
};

export interface TransactionDetails {
  /** Returns the extras by transaction id, and omits transactions without extras. */
  detailsOf(transactions: readonly Transaction[]): Promise<ReadonlyMap<string, TransactionExtras>>;
}
