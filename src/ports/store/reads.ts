// What is read of the records, the books and the deposit targets.
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

/** The default number of claims of one kind; reviewers are not shown more one by one. */
export const DEFAULT_CLAIM_LIMIT = 25;

/** The claims a credit may pay, and the credits that look exactly like it. */
export interface ClaimCandidates {
  readonly claims: readonly Transaction[];
  /** Ids of open credits with the same account, amount and payer, oldest first, this one included. */
  readonly equalCredits: readonly string[];
  /** There are more claims than are returned here: it cannot be decided which one is meant. */
  readonly more: boolean;
}

/** A line of the timeline; the acceptance comes from nowhere. */
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
  /** Deposit addresses of sells made before then, in the order of their ids, after one of them. */
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
  /** Finds the sell of each target, in the order asked. */
  findDepositTargets(
    mode: Mode,
    network: string,
    targets: readonly { readonly address: string; readonly memo: string }[],
  ): Promise<readonly (string | undefined)[]>;
  /** Finds at most so many claims of each kind and one more; FEW_CLAIMS by default. */
  findCandidates(
    credits: readonly BankCredit[],
    windowMs: number,
    most?: number,
  ): Promise<ReadonlyMap<string, ClaimCandidates>>;
  /** The credit sources of these bank accounts of the ledger; an account without one is missing. */
  creditSources(mode: Mode, accounts: readonly string[]): Promise<ReadonlyMap<string, CreditSource>>;
  /** Finds the credits that each report may describe, with the sources that reported each, by the id of the report. */
  creditsLike(
    reported: readonly (ReportFacts & { readonly id: string })[],
  ): Promise<ReadonlyMap<string, readonly ReportedCredit[]>>;
  /** The report that a source made under this name, of its own. */
  findReport(mode: Mode, source: string, sourceId: string): Promise<CreditReport | undefined>;
  /**
   * Open claims of exactly the amount on the account of each credit, whoever is to pay them: at most so many, those that end
   * soonest first. Credits that have none are left out.
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
  /** Sends and payouts that may still happen or did, payouts that came back, and all refunds. */
  movementsOf(transactionIds: readonly string[]): Promise<readonly Movement[]>;
  /** Movements of a credit that belongs to no transaction. */
  movementsOfCredit(creditId: string): Promise<readonly Movement[]>;
  /** `tried`: only a movement that was tried on this rail under this reference. */
  movementById(
    id: string,
    tried?: { readonly rail: string; readonly reference: string },
  ): Promise<Movement | undefined>;
  /** The last attempt of each movement. */
  lastAttempts(movementIds: readonly string[]): Promise<ReadonlyMap<string, Attempt>>;
  /** The deposits that were recorded for these transfers, in the order asked. */
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
  /** Everything that happened to a transaction, its acceptance first. */
  timeline(transactionId: string): Promise<readonly TimelineLine[]>;
  findTransaction(scope: BusinessScope, id: string): Promise<Transaction | undefined>;
  /** Newest first, by id. */
  listTransactions(scope: BusinessScope, filter: TransactionFilter): Promise<readonly Transaction[]>;
}

/**
 * What answers show of a transaction besides its own record: its refunds, its payout and what is held for
 * it. Read for a page of transactions at once, whatever their number.
 */
export interface TransactionExtras {
  /** The oldest first. `txHash`: under which the network has it; null by bank, or while no network is known to have it. */
  readonly refunds: readonly { readonly movement: Movement; readonly txHash: string | null }[];
  /** The one that may still happen or did; otherwise the last one that failed. */
  readonly payout: Movement | null;
  /** The time when a payout that a bank refused is about certain to stay unpaid; null: no such payout. */
  readonly payoutSureAtMs: number | null;
  /** Payments that wait for review only because they are not the amount asked for, in kobo. */
  readonly heldMinor: bigint;
  /** The bank's answer about the account of an accepted sell, as the code of a warning; null: no warning. */
  readonly accountWarning: string | null;
  /** The version of the transaction that they were read with; null when there is none. */
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
  /** The details by transaction id; transactions without any are missing. */
  detailsOf(transactions: readonly Transaction[]): Promise<ReadonlyMap<string, TransactionExtras>>;
}
