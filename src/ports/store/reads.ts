// Reads of the records, the books and the deposit targets.
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

/** The default number of claims of each kind; reviewers do not see more of them one by one. */
export const DEFAULT_CLAIM_LIMIT = 25;

/** The claims that a credit may pay, and the credits equal to it. */
export interface ClaimCandidates {
  readonly claims: readonly Transaction[];
  /** Ids of open credits with the same account, amount and payer, oldest first, including this one. */
  readonly equalCredits: readonly string[];
  /** There are more claims than returned here, so it cannot be decided which one the credit pays. */
  readonly more: boolean;
}

/** A line of the timeline. The acceptance has no earlier state. */
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
  /** The transaction to start after in the list, newest first. */
  readonly after?: { readonly id: string; readonly createdAtMs: number };
  readonly limit: number;
}

export interface ReadStore {
  /** The used sequence numbers of a wallet, and the payments in progress. */
  turnOf(mode: Mode, network: string, wallet: string): Promise<WalletTurn>;
  /** Deposit addresses of sells made since then. */
  depositAddresses(mode: Mode, network: string, sinceMs: number): Promise<readonly string[]>;
  /** Deposit addresses of sells made before then, ordered by id, after a given one. */
  oldDepositAddresses(
    mode: Mode,
    network: string,
    range: { readonly beforeMs: number; readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly transactionId: string; readonly address: string }[]>;
  /** Finds our deposit addresses among these. */
  ownDepositAddresses(
    mode: Mode,
    network: string,
    addresses: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Finds the sell of each target, in the order of the targets. */
  findDepositTargets(
    mode: Mode,
    network: string,
    targets: readonly { readonly address: string; readonly memo: string }[],
  ): Promise<readonly (string | undefined)[]>;
  /** Finds at most `most` claims of each kind, and one more to show that there are more; the default is DEFAULT_CLAIM_LIMIT. */
  findCandidates(
    credits: readonly BankCredit[],
    windowMs: number,
    most?: number,
  ): Promise<ReadonlyMap<string, ClaimCandidates>>;
  /** The credit sources of these bank accounts in the ledger; accounts without a source are omitted. */
  creditSources(mode: Mode, accounts: readonly string[]): Promise<ReadonlyMap<string, CreditSource>>;
  /** Finds the credits that each report may describe, with the sources that reported each, by the id of the report. */
  creditsLike(
    reported: readonly (ReportFacts & { readonly id: string })[],
  ): Promise<ReadonlyMap<string, readonly ReportedCredit[]>>;
  /** The report of a source with this id. */
  findReport(mode: Mode, source: string, sourceId: string): Promise<CreditReport | undefined>;
  /**
   * Open claims of exactly the amount on the account of each credit, for any payer: a limited number, those that expire
   * first. Credits without such claims are omitted.
   */
  claimsOfAmount(
    credits: readonly BankCredit[],
    windowMs: number,
    most: number,
  ): Promise<ReadonlyMap<string, readonly Transaction[]>>;
  transactionsById(ids: readonly string[]): Promise<ReadonlyMap<string, Transaction>>;
  creditsById(ids: readonly string[]): Promise<ReadonlyMap<string, BankCredit>>;
  /** Finds the parts of a split credit. */
  partsOf(creditId: string): Promise<readonly BankCredit[]>;
  depositsOf(transactionIds: readonly string[]): Promise<readonly Deposit[]>;
  creditsOf(transactionIds: readonly string[]): Promise<readonly BankCredit[]>;
  /** Sends and payouts that may still happen or did, returned payouts, and all refunds. */
  movementsOf(transactionIds: readonly string[]): Promise<readonly Movement[]>;
  /** Movements of a credit without a transaction. */
  movementsOfCredit(creditId: string): Promise<readonly Movement[]>;
  /** `tried`: only a movement with an attempt on this rail under this reference. */
  movementById(
    id: string,
    tried?: { readonly rail: string; readonly reference: string },
  ): Promise<Movement | undefined>;
  /** The last attempt of each movement. */
  lastAttempts(movementIds: readonly string[]): Promise<ReadonlyMap<string, Attempt>>;
  /** The deposits that were recorded for these transfers, in the order of the transfers. */
  findDeposits(
    mode: Mode,
    network: string,
    transfers: readonly { readonly txHash: string; readonly txIndex: number }[],
  ): Promise<readonly (Deposit | undefined)[]>;
  findCredit(mode: Mode, source: string, sourceId: string): Promise<BankCredit | undefined>;
  balances(keys: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  usage(
    keys: readonly { readonly businessId: string; readonly mode: Mode; readonly period: string }[],
  ): Promise<readonly bigint[]>;
  /** All lines of a transaction, its acceptance first. */
  timeline(transactionId: string): Promise<readonly TimelineLine[]>;
  findTransaction(scope: BusinessScope, id: string): Promise<Transaction | undefined>;
  /** Newest first, by id. */
  listTransactions(scope: BusinessScope, filter: TransactionFilter): Promise<readonly Transaction[]>;
}

/**
 * What API responses show of a transaction besides its own record: its refunds, its payout and its held payments. Read
 * for a whole page of transactions at once.
 */
export interface TransactionExtras {
  /** The oldest first. `txHash`: the hash on the network; null: by bank, or no network is known to have it. */
  readonly refunds: readonly { readonly movement: Movement; readonly txHash: string | null }[];
  /** The payout that may still happen or did; otherwise the last one that failed. */
  readonly payout: Movement | null;
  /** The expected time when a payout that a bank refused is certain to stay unpaid; null: there is no such payout. */
  readonly payoutSureAtMs: number | null;
  /** Payments that wait for review only because their amount differs from the request, in kobo. */
  readonly heldMinor: bigint;
  /** The warning code from the bank's answer about the account of an accepted sell; null: no warning. */
  readonly accountWarning: string | null;
  /** The version of the transaction that they were read with; null: there is none. */
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
  /** The details by transaction id; transactions without details are omitted. */
  detailsOf(transactions: readonly Transaction[]): Promise<ReadonlyMap<string, TransactionExtras>>;
}
