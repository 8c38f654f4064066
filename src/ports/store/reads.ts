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

/** The default maximum number of claims of each kind; reviewers do not see more of them one by one. */
export const DEFAULT_CLAIM_LIMIT = 25;

/** The claims that a credit may pay, and the credits equal to it. */
export interface ClaimCandidates {
  readonly claims: readonly Transaction[];
  /** Ids of open credits with the same account, amount and payer, oldest first, including this one. */
  readonly equalCredits: readonly string[];
  /** There are more claims than were returned here, so it cannot be decided which one the credit pays. */
  readonly more: boolean;
}

/** One line of the timeline. The first line, the acceptance, has no earlier state. */
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
  /** The list, newest first, starts after this transaction. */
  readonly after?: { readonly id: string; readonly createdAtMs: number };
  readonly limit: number;
}

export interface ReadStore {
  /** The used sequence numbers of a wallet, and the payments in progress. */
  turnOf(mode: Mode, network: string, wallet: string): Promise<WalletTurn>;
  /** Deposit addresses of sells that were created since then. */
  depositAddresses(mode: Mode, network: string, sinceMs: number): Promise<readonly string[]>;
  /** Deposit addresses of sells that were created before then, ordered by id, starting after the given one. */
  oldDepositAddresses(
    mode: Mode,
    network: string,
    range: { readonly beforeMs: number; readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly transactionId: string; readonly address: string }[]>;
  /** Returns those of these addresses that are our deposit addresses. */
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
  /**
   * Finds at most `most` claims of each kind, and one more to show that there are more; `most` is DEFAULT_CLAIM_LIMIT by default.
   */
  findCandidates(
    credits: readonly BankCredit[],
    windowMs: number,
    most?: number,
  ): Promise<ReadonlyMap<string, ClaimCandidates>>;
  /** The credit sources of these bank accounts, by ledger name; accounts without a source are omitted. */
  creditSources(mode: Mode, accounts: readonly string[]): Promise<ReadonlyMap<string, CreditSource>>;
  /** For each report, by its id: the credits that it may describe, with the sources that reported them. */
  creditsLike(
    reported: readonly (ReportFacts & { readonly id: string })[],
  ): Promise<ReadonlyMap<string, readonly ReportedCredit[]>>;
  /** The report of a source with this id. */
  findReport(mode: Mode, source: string, sourceId: string): Promise<CreditReport | undefined>;
  /**
   * For each credit: open claims on its account for exactly its amount, from any payer. Their number is limited; those that
   * expire first are returned. Credits without such claims are omitted.
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
  /** Sends and payouts that were made or may still be made, returned payouts, and all refunds. */
  movementsOf(transactionIds: readonly string[]): Promise<readonly Movement[]>;
  /** The movements of a credit that belongs to no transaction. */
  movementsOfCredit(creditId: string): Promise<readonly Movement[]>;
  /** `tried`: finds only a movement that has an attempt on this rail with this reference. */
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
  /** Whether an open notice of this rail reports that the payout with this reference was returned. */
  hasOpenReturn(mode: Mode, rail: string, reference: string): Promise<boolean>;
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
 * What API responses show of a transaction besides its record: its refunds, its payout and its held payments. The extras are read
 * for a whole page of transactions at once.
 */
export interface TransactionExtras {
  /** The oldest first. `txHash`: the hash on the network; null for a bank refund, or if no network is known to have it. */
  readonly refunds: readonly { readonly movement: Movement; readonly txHash: string | null }[];
  /** The payout that was made or may still be made; otherwise the last payout that failed. */
  readonly payout: Movement | null;
  /**
   * For a payout that a bank refused: the expected time when it is certain that it stays unpaid; null if there is no such payout.
   */
  readonly payoutSureAtMs: number | null;
  /** The sum in kobo of payments that wait for review only because their amount differs from the request. */
  readonly heldMinor: bigint;
  /** The warning code from the bank's response about the account of an accepted sell; null if there is no warning. */
  readonly accountWarning: string | null;
  /** The version of the transaction with which the extras were read; null if there is none. */
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
