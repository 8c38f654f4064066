// Opens the migrated database and everything that is built directly on it. The command line needs only this foundation; the
// service adds more.
import type { Logger } from 'pino';
import { makeNetworks } from '../adapters/networks/registry.ts';
import type { NetworksFile } from '../adapters/networks/settings/networks-file.ts';
import { makeAccountLookups } from '../adapters/postgres/account-lookups.ts';
import { makeAuditLog } from '../adapters/postgres/audit/audit-log.ts';
import { makeBackOffice } from '../adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../adapters/postgres/back-office/setting-store.ts';
import type { ConnectionSettings, Database } from '../adapters/postgres/connection/database.ts';
import { makeEventLog, makeLogReaders } from '../adapters/postgres/events/event-log.ts';
import { makeLedgerAudit } from '../adapters/postgres/ledger/audit.ts';
import { makeSealedTotp } from '../adapters/postgres/people/sealed-totp.ts';
import { makePostgresQuotes, type PostgresQuotes } from '../adapters/postgres/quotes/quote-store.ts';
import { makeRailEventStore } from '../adapters/postgres/rails/rail-event-store.ts';
import { makeRailStore } from '../adapters/postgres/rails/rail-store.ts';
import { makeDeskWrites } from '../adapters/postgres/rates/desk-prices.ts';
import { makeRateStore } from '../adapters/postgres/rates/rate-store.ts';
import { makeTransactionDetails } from '../adapters/postgres/reads/transaction-details.ts';
import { makeReconciliationStores } from '../adapters/postgres/reconciliation/reconciliation-store.ts';
import { makeProposalStore } from '../adapters/postgres/review/proposal-store.ts';
import { makeReviewStore } from '../adapters/postgres/review/review-store.ts';
import { makePostgresStore, type PostgresStore } from '../adapters/postgres/store.ts';
import { makeSealedTravelRule, makeTravelRuleStore } from '../adapters/postgres/travel-rule.ts';
import { makeTreasuryWatch } from '../adapters/postgres/treasury/treasury-watch.ts';
import { makeSealedWebhookKeys } from '../adapters/postgres/webhooks/endpoints.ts';
import { makeFaucet, makeSandbox } from '../adapters/simulation/sandbox.ts';
import { makeSystemEntropy } from '../adapters/system.ts';
import type { BackOfficeDeps } from '../app/back-office/manage-keys.ts';
import type { MembershipDeps } from '../app/membership/membership-deps.ts';
import { type PeopleDeps, totpPurpose } from '../app/people/people-deps.ts';
import { travelRulePurpose } from '../app/travel-rule/record-travel-rule-legs.ts';
import { webhookKeysPurpose } from '../app/webhooks/endpoint-keys.ts';
import type { Config } from '../config.ts';
import type { BankDirectory } from '../domain/catalogue/banks.ts';
import type { AccountLookups } from '../ports/account-lookups.ts';
import type { AuditStore } from '../ports/audit.ts';
import type { Clock, Entropy } from '../ports/clock.ts';
import type { EventLog, LogReaders } from '../ports/events.ts';
import type { LedgerAudit } from '../ports/ledger.ts';
import type { DisabledNetwork, Network, NetworkDescription, Networks } from '../ports/networks/network.ts';
import type { SealedSecrets } from '../ports/people/sealed-secrets.ts';
import type { RailRegistry } from '../ports/rails/rail.ts';
import type { RailEventStore } from '../ports/rails/rail-event-store.ts';
import type { RailStore } from '../ports/rails/rail-store.ts';
import type { DeskWrites, RatePlan, RateStore } from '../ports/rates.ts';
import type { ReconciliationStores } from '../ports/reconciliation.ts';
import type { ProposalStore, ReviewStore } from '../ports/review-store.ts';
import type { SettingStore } from '../ports/setting-store.ts';
import type { TransactionDetails } from '../ports/store/reads.ts';
import type { TravelRuleStore } from '../ports/travel-rule.ts';
import type { TreasuryWatch } from '../ports/treasury.ts';
import { loadBankDirectory, movesRealMoney, openBanks } from './banks.ts';
import { type CloseStack, openInSteps } from './close-stack.ts';
import { type ConfiguredNetworks, describeNetworks, openNetworks } from './networks/networks.ts';
import { explainDatabaseError, openMigratedDatabase } from './open-database.ts';
import {
  type MatchingStores,
  type OperatorStores,
  openMatchingStores,
  openOperatorStores,
  openPrivacyParts,
  type PrivacyParts,
} from './operator-stores.ts';
import { openMembership, openPeople } from './people.ts';
import { openRatePlan } from './rates.ts';
import { openSimulation, type SimulationParts } from './simulation.ts';
import { openStatements, type StatementParts } from './statements.ts';

export interface Foundation<Each extends NetworkDescription = Network>
  extends PrivacyParts,
    ReconciliationStores,
    StatementParts,
    OperatorStores,
    MatchingStores {
  readonly connection: ConnectionSettings;
  readonly migrated: readonly string[];
  readonly database: Database;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly banks: BankDirectory;
  readonly bankRails: RailRegistry;
  readonly networks: Networks<Each>;
  /**
   * Tries again to enable a disabled network. Returns null if the network is now enabled. Otherwise it returns the problem, and
   * whether the settings of the network are wrong.
   */
  readonly enableNetwork: EnableNetwork;
  readonly networksFile: NetworksFile;
  /** Whether this installation moves money of real people; see `movesRealMoney`. */
  readonly isReal: boolean;
  readonly simulation: SimulationParts;
  readonly store: PostgresStore;
  readonly quotes: PostgresQuotes;
  readonly eventLog: EventLog;
  readonly details: TransactionDetails;
  readonly enquiries: AccountLookups;
  readonly logReaders: LogReaders;
  readonly travelRule: TravelRuleStore;
  readonly ledgerAudit: LedgerAudit;
  readonly audit: AuditStore;
  readonly reviewDesk: ReviewStore;
  readonly proposalDesk: ProposalStore;
  readonly settingDesk: SettingStore;
  readonly treasuryWatch: TreasuryWatch;
  readonly backOffice: BackOfficeDeps['backOffice'];
  readonly rateStore: RateStore;
  readonly deskWrites: DeskWrites;
  readonly ratePlan: RatePlan;
  readonly railDesk: RailStore;
  readonly eventDesk: RailEventStore;
  readonly people: PeopleDeps;
  readonly membership: MembershipDeps;
  readonly sealedTables: readonly SealedSecrets[];
  close(): Promise<void>;
}

export type DescribedFoundation = Foundation<NetworkDescription>;

export type EnableNetwork = (
  place: Pick<DisabledNetwork, 'mode' | 'name'>,
  /** The service calls this before it enables the network. */
  prepare?: (network: Network) => Promise<void>,
) => Promise<{ readonly problem: string; readonly wrong: boolean } | null>;

export interface FoundationOptions {
  /**
   * `open` opens the networks with their keys and compares them with their chains. `describe` builds the networks from their
   * settings alone.
   */
  readonly networks: 'open' | 'describe';
  /** The store calls this after every group commit of accepted transactions. */
  readonly onAcceptBatch?: (size: number, seconds: number) => void;
}

export function openFoundation(
  config: Config,
  log: Logger,
  options: FoundationOptions & { readonly networks: 'open' },
): Promise<Foundation>;
export function openFoundation(
  config: Config,
  log: Logger,
  options?: FoundationOptions & { readonly networks: 'describe' },
): Promise<DescribedFoundation>;
export function openFoundation(
  config: Config,
  log: Logger,
  options: FoundationOptions = { networks: 'describe' },
): Promise<DescribedFoundation> {
  return openInSteps((closing) => openFoundationParts(closing, config, log, options)).catch(
    (error: unknown) => {
      throw config.databaseUrl === null ? error : explainDatabaseError(error as NodeJS.ErrnoException);
    },
  );
}

async function openFoundationParts(
  closing: CloseStack,
  config: Config,
  log: Logger,
  { networks: how, onAcceptBatch }: FoundationOptions,
): Promise<DescribedFoundation> {
  const { connection, migrated, database, clock } = await openMigratedDatabase(closing, config, log);
  const simulated = openSimulation(config, database, clock);
  closing.add(() => simulated.drain());
  closing.add(() => clock.close());
  const names = simulated.networks.map(({ name }) => name);
  const configured =
    how === 'open'
      ? await openNetworks(config, { database, clock, log, simulated: names })
      : await describeNetworks(config);
  const entropy = makeSystemEntropy();
  const people = await openPeople(config, { database, clock, entropy });
  const networks = addSimulatedNetworks(configured, simulated);
  const banks = loadBankDirectory();
  const isReal = movesRealMoney(config, networks.networks, configured.file);
  const lazily = how === 'describe';
  return {
    connection,
    migrated,
    database,
    clock,
    entropy,
    banks,
    bankRails: openBanks(config, { directory: banks, clock, simulatedBank: simulated.bank }, { lazily }),
    ...networks,
    networksFile: configured.file,
    isReal,
    store: makePostgresStore(database, onAcceptBatch),
    quotes: makePostgresQuotes(database),
    eventLog: makeEventLog(database),
    details: makeTransactionDetails(database),
    enquiries: makeAccountLookups(database),
    ...openMatchingStores(database, config),
    logReaders: makeLogReaders(database),
    travelRule: makeTravelRuleStore(database),
    ledgerAudit: makeLedgerAudit(database),
    audit: makeAuditLog(database),
    ...openPrivacyParts(database, people.box),
    reviewDesk: makeReviewStore(database, config.unknownPayoutMs),
    proposalDesk: makeProposalStore(database),
    settingDesk: makeSettingStore(database),
    treasuryWatch: makeTreasuryWatch(database),
    backOffice: makeBackOffice(database),
    rateStore: makeRateStore(database),
    deskWrites: makeDeskWrites(database),
    ratePlan: openRatePlan(config, clock, { lazily }),
    railDesk: makeRailStore(database),
    eventDesk: makeRailEventStore(database),
    ...openOperatorStores(database, config, configured.file),
    ...makeReconciliationStores(database),
    ...openStatements(config, database, connection),
    people,
    membership: openMembership(config, { database, people, sandbox: config.databaseUrl === null && !isReal }),
    sealedTables: [
      makeSealedTotp(database, totpPurpose),
      makeSealedWebhookKeys(database, webhookKeysPurpose),
      makeSealedTravelRule(database, travelRulePurpose),
    ],
    close: () => closing.close(),
  };
}

/**
 * In test mode, every network that is not configured is simulated. A tester can send tokens on real and on simulated networks.
 */
function addSimulatedNetworks(
  { file, networks: { live, test }, closed }: ConfiguredNetworks<NetworkDescription>,
  simulated: SimulationParts,
): Pick<DescribedFoundation, 'networks' | 'enableNetwork' | 'simulation'> {
  // A simulated network never replaces a network that is configured but disabled.
  const real = new Set([...test, ...closed.filter(({ mode }) => mode === 'test')].map(({ name }) => name));
  const rest = simulated.networks.filter(({ name }) => !real.has(name));
  const networks = makeNetworks<NetworkDescription>(
    { live, test: [...test, ...rest] },
    file.networks.map(({ settings }) => settings.name),
    closed,
  );
  return {
    networks,
    enableNetwork: async ({ mode, name }, prepare = async () => undefined) => {
      const opening = await closed.find((each) => each.mode === mode && each.name === name)!.open();
      if (opening.kind !== 'ready') return { problem: opening.message, wrong: opening.kind === 'wrong' };
      await prepare(opening.network);
      networks.enable(mode, opening.network);
      return null;
    },
    simulation: {
      ...simulated,
      networks: rest,
      sandbox: makeSandbox(simulated.bank, rest, file.faucet === null ? null : makeFaucet(file.faucet)),
    },
  };
}
