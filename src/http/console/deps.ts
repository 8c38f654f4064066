// The dependencies that console routes pass to the use-cases.
import type { BackOfficeDeps } from '../../app/back-office/manage-keys.ts';
import type { DetailDeps } from '../../app/intake/read-details.ts';
import type { MembershipDeps } from '../../app/membership/membership-deps.ts';
import type { CompareCandidatesDeps } from '../../app/operations/compare-candidates.ts';
import type { ReadAttention } from '../../app/operations/list-attention.ts';
import type { ProviderDeps } from '../../app/people/sign-in-with-provider.ts';
import type { ErasePersonDeps } from '../../app/privacy/erase-person.ts';
import type { ExportPersonDeps } from '../../app/privacy/export-person.ts';
import type { QuoteDeps } from '../../app/quotes/make-quote.ts';
import type { Thresholds } from '../../app/reconciliation/threshold-report.ts';
import type { ProposalDeps } from '../../app/review/decide-proposal.ts';
import type { ExampleDeps } from '../../app/sandbox/make-example-transaction.ts';
import type { WebhookDeps } from '../../app/webhooks/webhook-deps.ts';
import type { ActivityFigureReads, TransactionSearch } from '../../ports/activity.ts';
import type { AuditLog, AuditReads } from '../../ports/audit.ts';
import type { Catalogue } from '../../ports/catalogue.ts';
import type { Entropy } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/events.ts';
import type { LedgerAudit, LedgerBook } from '../../ports/ledger.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { OperationsStore } from '../../ports/operations/operations-store.ts';
import type { ProviderUnavailable } from '../../ports/people/identity-provider.ts';
import type { QuoteStore } from '../../ports/quotes.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import type { RailStore } from '../../ports/rails/rail-store.ts';
import type { RateBoard } from '../../ports/rates.ts';
import type { HolidayStore, LargeTransferReads, ReconciliationStore } from '../../ports/reconciliation.ts';
import type { RequestLog } from '../../ports/request-log.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import type { StatementReaders, StatementStore } from '../../ports/statements.ts';
import type { TreasuryStore } from '../../ports/treasury.ts';
import type { OneRangeAtATime, WorkTurns } from '../admission/work-turns.ts';
import type { StreamDeps } from '../streams/serve-stream.ts';
import type { ChangeStreams } from './operations/change-streams.ts';

export interface ConsoleDeps extends Omit<ProposalDeps, 'networks'>, DetailDeps {
  readonly people: MembershipDeps;
  readonly audit: AuditLog & AuditReads;
  readonly networks: Networks;
  readonly ledgerAudit: Pick<LedgerAudit, 'listHalts' | 'explain' | 'unswept' | 'idle'>;
  readonly ledgerBook: LedgerBook;
  readonly treasuryDesk: TreasuryStore;
  readonly activity: ActivityDeps;
  readonly operations: OperationsStore;
  readonly policies: CompareCandidatesDeps['policies'];
  readonly readAttention: ReadAttention;
  readonly changeStreams: ChangeStreams;
  readonly backOffice: BackOfficeDeps['backOffice'];
  readonly webhooks: WebhookDeps;
  readonly oneRangeAtATime: OneRangeAtATime;
  readonly requestLog: RequestLog;
  readonly railDesk: RailStore;
  readonly reconciliation: ReconciliationStore;
  readonly holidays: HolidayStore;
  readonly thresholdReads: LargeTransferReads;
  readonly thresholds: Thresholds;
  readonly entropy: Entropy;
  readonly statements: StatementStore;
  readonly statementReaders: StatementReaders;
  readonly statementMaxBytes: number;
  readonly bankRails: Pick<RailRegistry, 'enabled'>;
  readonly rateBoard: RateBoard;
  readonly quoting: QuotingDeps;
  readonly customerData: CustomerDataDeps;
  /** Null if people sign in with passwords only. */
  readonly identityProvider: ConsoleProvider | null;
}

/** What finds, exports and erases the personal data of one customer. */
export type CustomerDataDeps = Pick<
  ErasePersonDeps & ExportPersonDeps,
  'privacy' | 'personalHash' | 'travelRule' | 'box' | 'keepMs' | 'requestsKeepMs' | 'byLawMs'
>;

/** Members of a business create and read quotes in the same way as keys do. */
export interface QuotingDeps extends QuoteDeps {
  readonly quotes: QuoteStore;
}

export interface ActivityDeps {
  readonly figures: ActivityFigureReads;
  readonly search: TransactionSearch;
  readonly eventLog: EventLog;
  readonly catalogue: Catalogue;
  readonly live: StreamDeps;
  /** Limits how many exports read a page at the same time. */
  readonly exportTurns: WorkTurns;
  readonly submissions: ExampleDeps;
  readonly sandbox: Sandbox;
  readonly entropy: Entropy;
  readonly wakeFeeds: (where: 'banks' | 'networks') => void;
}

export interface ConsoleProvider extends Pick<ProviderDeps, 'provider' | 'providerStore'> {
  /**
   * The URL that redirects the browser to the identity provider. It has the same host as the callback URL, because a cookie
   * belongs to one host.
   */
  readonly startUrl: string;
  readonly onUnavailable: (error: ProviderUnavailable, requestId: string) => void;
}
