// Keeps the store and the review desk in memory, with the same results as the PostgreSQL adapter, for simulations of millions
// of steps. equivalence.test.ts and serial-order.test.ts in this folder prove that both behave the same.
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import type { QuoteStore } from '../../../src/ports/quotes.ts';
import type { ReviewStore } from '../../../src/ports/review-store.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import { DEFAULT_CLAIM_LIMIT } from '../../../src/ports/store/reads.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import {
  accept,
  bindIdempotencyKey,
  isDepositAddress,
  type OnScenario,
  purgeIdempotencyKeys,
} from './accept.ts';
import { claimsOfAmount, findCandidates, hastenCredits } from './candidates.ts';
import { commit } from './commit.ts';
import {
  addProposal,
  bankBooks,
  caseById,
  creditsMeaning,
  findFunding,
  findNairaMove,
  listQueue,
  openCasesOn,
  openProposals,
  seenTokens,
  unknownPayouts,
} from './desk.ts';
import { copyMemory, emptyMemory, putBack, viewOf } from './memory.ts';
import {
  hastenNotices,
  hastenRefunds,
  holdFeed,
  lease,
  leaseEndedPayouts,
  leaseMovements,
  leaseTransactions,
  moveEndedPayout,
  type Queued,
} from './queues.ts';
import { quoteCore } from './quotes.ts';
import {
  balances,
  depositAddresses,
  findRepeated,
  findTransaction,
  hasOpenReturn,
  lastAttempts,
  listTransactions,
  movementById,
  movementsOf,
  oldDepositAddresses,
  rowsById,
  rowsOf,
  timelineOf,
  turnOf,
  usageOf,
} from './reads.ts';
import { creditSources, creditsLike, setSource } from './reports.ts';
import { runStatement, type StatementResult } from './statement.ts';
import { put, type Table } from './table.ts';
import {
  DUE,
  joined,
  type Memory,
  type ModelKey,
  type ModelStepUp,
  type Sync,
  type Tables,
} from './tables.ts';
import { makeAccounts } from './write-ledger.ts';

export type QueueName = 'transactions' | 'credits' | 'deposits' | 'movements' | 'notices' | 'reports';

/** Changes of the database that are not made through the two ports. */
export interface BackRoom {
  /**
   * Runs one statement of a commit. It writes all changes that are not stale, or returns the rule that forbids the statement.
   */
  write(changes: readonly Change[]): StatementResult;
  /** Opens the accounts, as the adapter does before each such statement, whatever the result of the statement is. */
  openAccounts(changes: readonly Change[]): void;
  /** Sets a record without a check of its version. */
  put(queue: QueueName, row: Queued): void;
  addKey(key: ModelKey): void;
  revokeKey(id: string): void;
  liftFreeze(businessId: string, mode: Mode): boolean;
  trustRail(rail: string, mode: Mode): boolean;
  addStepUp(stepUp: ModelStepUp): void;
  /** Sets a quote without a check of its times. */
  putQuote(quote: Quote): void;
  setSource(mode: Mode, account: string, source: string): boolean;
}

export type SyncCore = Sync<Store> & Sync<ReviewStore> & BackRoom;

export interface ModelOptions {
  readonly keys: readonly ModelKey[];
  /** The database's clock. The default is the machine's clock. */
  readonly now?: () => number;
  readonly people?: readonly string[];
  readonly onScenario?: OnScenario;
  readonly onApplied?: (change: Change) => void;
  /** The model calls this when it stores an acceptance. An acceptance that already existed does not count. */
  readonly onAccepted?: (acceptance: Acceptance) => void;
}

export interface Model {
  readonly core: SyncCore;
  readonly store: Store;
  readonly quoteCore: Sync<QuoteStore>;
  readonly quotes: QuoteStore;
  readonly desk: ReviewStore;
  readonly tables: Tables;
  /** Returns an independent copy of the data, with the same listeners unless other listeners are given. */
  snapshot(listeners?: Omit<ModelOptions, 'keys'>): Model;
  /** Makes a backup. The returned function restores the state at the time of this call. */
  checkpoint(): () => void;
}

export function makeModel(options: ModelOptions): Model {
  return modelOn(emptyMemory(options.keys, options.people), options);
}

function modelOn(memory: Memory, options: Omit<ModelOptions, 'keys'>): Model {
  const quotes = quoteCore(memory, options.now ?? Date.now);
  const core: SyncCore = { ...storeCore(memory, options), ...deskCore(memory), ...backRoom(memory) };
  return {
    core,
    store: waiting<Store>(core, STORE_VERBS),
    quoteCore: quotes,
    quotes: waiting<QuoteStore>(quotes, Object.keys(quotes)),
    desk: waiting<ReviewStore>(core, DESK_VERBS),
    tables: viewOf(memory),
    snapshot: (listeners = options) => modelOn(copyMemory(memory), listeners),
    checkpoint: () => {
      const copy = copyMemory(memory);
      return () => putBack(memory, copy);
    },
  };
}

function storeCore(memory: Memory, options: Omit<ModelOptions, 'keys'>): Sync<Store> {
  const { transactions, credits, deposits, movements, notices, reports, groups } = memory;
  return {
    accept: (acceptance) => {
      const before = transactions.rows.size;
      const nowMs = (options.now ?? Date.now)();
      const outcome = accept(memory, acceptance, nowMs, options.onScenario);
      if (transactions.rows.size > before) options.onAccepted?.(acceptance);
      return outcome;
    },
    commit: (changes, feed) => commit(memory, changes, feed, options.onApplied),
    leaseTransactions: (states, request) => leaseTransactions(memory, states, request),
    leaseCredits: (request) => lease(credits, groups.dueCredits, DUE, request),
    leaseDeposits: (request) => lease(deposits, groups.dueDeposits, DUE, request),
    leaseMovements: (states, request) => leaseMovements(memory, states, request),
    leaseNotices: (request) => lease(notices, groups.dueNotices, DUE, request),
    leaseReports: (request) => lease(reports, groups.dueReports, DUE, request),
    creditSources: (mode, accounts) => creditSources(memory, mode, accounts),
    creditsLike: (reported) => creditsLike(memory, reported),
    findReport: (mode, source, sourceId) =>
      reports.rows.get(memory.sources.get(joined('report', mode, source, sourceId)) ?? ''),
    leaseEndedPayouts: (request) => leaseEndedPayouts(memory, request),
    moveEndedPayout: (payout, next) => moveEndedPayout(memory, payout, next),
    holdFeed: (name, holder, atMs, leaseMs) => holdFeed(memory, name, holder, atMs, leaseMs),
    findDepositTargets: (mode, network, targets) =>
      targets.map(({ address, memo }) => memory.depositTargets.get(joined(mode, network, address, memo))),
    turnOf: (mode, network, wallet) => turnOf(memory, mode, network, wallet),
    depositAddresses: (mode, network, sinceMs) => depositAddresses(memory, mode, network, sinceMs),
    oldDepositAddresses: (mode, network, range) => oldDepositAddresses(memory, mode, network, range),
    ownDepositAddresses: (mode, network, addresses) =>
      new Set(addresses.filter((each) => memory.depositAddresses.has(joined(mode, network, each)))),
    claimsOfAmount: (given, windowMs, most) => claimsOfAmount(memory, given, windowMs, most),
    findCandidates: (given, windowMs, most = DEFAULT_CLAIM_LIMIT) =>
      findCandidates(memory, given, windowMs, most),
    hastenCredits: (claims, atMs) => hastenCredits(memory, claims, atMs),
    hastenNotices: (given, atMs) => hastenNotices(memory, given, atMs),
    hastenRefunds: (transactionId, atMs) => hastenRefunds(memory, transactionId, atMs),
    transactionsById: (ids) => rowsById(transactions, ids),
    creditsById: (ids) => rowsById(credits, ids),
    partsOf: (creditId) => rowsOf(credits, groups.parts, [creditId]),
    depositsOf: (ids) => rowsOf(deposits, groups.depositsOf, ids),
    creditsOf: (ids) => rowsOf(credits, groups.creditsOf, ids),
    movementsOf: (ids) => movementsOf(memory, ids),
    movementsOfCredit: (creditId) => rowsOf(movements, groups.movementsOfCredit, [creditId]),
    movementById: (id, tried) => movementById(memory, id, tried),
    lastAttempts: (ids) => lastAttempts(memory, ids),
    findDeposits: (mode, network, transfers) =>
      transfers.map(({ txHash, txIndex }) =>
        deposits.rows.get(memory.sources.get(joined('deposit', mode, network, txHash, txIndex)) ?? ''),
      ),
    findCredit: (mode, source, sourceId) =>
      credits.rows.get(memory.sources.get(joined('credit', mode, source, sourceId)) ?? ''),
    hasOpenReturn: (mode, rail, reference) => hasOpenReturn(memory, mode, rail, reference),
    balances: (keys) => balances(memory, keys),
    usage: (keys) => usageOf(memory, keys),
    timeline: (transactionId) => timelineOf(memory, transactionId),
    findRepeated: (scope, claims) => findRepeated(memory, scope, claims),
    findTransaction: (scope, id) => findTransaction(memory, scope, id),
    listTransactions: (scope, filter) => listTransactions(memory, scope, filter),
    isDepositTarget: (mode, wallet) => isDepositAddress(memory, mode, wallet),
    bindIdempotencyKey: (scope, given, transactionId, atMs) =>
      bindIdempotencyKey(memory, scope, given, transactionId, atMs),
    findIdempotencyKey: ({ businessId, mode }, key) => {
      const found = memory.idempotencyKeys.get(joined(businessId, mode, key));
      return found && { requestHash: found.requestHash, transactionId: found.transactionId };
    },
    purgeIdempotencyKeys: (beforeMs) => purgeIdempotencyKeys(memory, beforeMs),
  };
}

function deskCore(memory: Memory): Sync<ReviewStore> {
  return {
    addProposal: (proposal) => addProposal(memory, proposal),
    findProposal: (id) => memory.proposals.get(id),
    listOpenProposals: (mode) => openProposals(memory, (each) => mode === undefined || each.mode === mode),
    openProposalsOn: (subjectId) => openProposals(memory, ({ request }) => request.subjectId === subjectId),
    listQueue: (limit, mode) => listQueue(memory, limit, mode),
    unknownPayouts: (atMs, limit, mode) => unknownPayouts(memory, atMs, limit, mode),
    creditsMeaning: (transaction) => creditsMeaning(memory, transaction),
    depositById: (id) => memory.deposits.rows.get(id),
    bankBooks: (mode) => bankBooks(memory, mode),
    findNairaMove: (move) => findNairaMove(memory, move),
    findFunding: (id) => findFunding(memory, id),
    seenTokens: (mode, network) => seenTokens(memory, mode, network),
    noticeById: (id) => memory.notices.rows.get(id),
    reportById: (id) => memory.reports.rows.get(id),
    caseById: (id) => caseById(memory, id),
    // The reports of the model are not from statement files.
    openCasesOfFile: () => [],
    openCasesOn: (movementIds) => openCasesOn(memory, movementIds),
  };
}

function backRoom(memory: Memory): BackRoom {
  const { keys, freezes, doubts } = memory;
  return {
    write: (changes) => runStatement(memory, changes),
    openAccounts: (changes) => {
      for (const change of changes) makeAccounts(memory, change);
    },
    put: (queue, row) => {
      put(memory[queue] as unknown as Table<Queued>, row.id, row);
    },
    addKey: (key) => {
      keys.set(key.id, key);
    },
    revokeKey: (id) => {
      keys.delete(id);
    },
    liftFreeze: (businessId, mode) => freezes.delete(joined(businessId, mode)),
    trustRail: (rail, mode) => doubts.delete(joined(rail, mode)),
    addStepUp: (stepUp) => {
      memory.stepUps.set(stepUp.id, stepUp);
    },
    putQuote: (quote) => {
      memory.quotes.set(quote.id, quote);
    },
    setSource: (mode, account, source) => setSource(memory, mode, account, source),
  };
}

const NOTHING = emptyMemory([]);
const STORE_VERBS = Object.keys(storeCore(NOTHING, {}));
const DESK_VERBS = Object.keys(deskCore(NOTHING));

/** Returns the same methods, each returning a promise. An exception becomes a rejection. */
function waiting<Port>(core: object, verbs: readonly string[]): Port {
  const port: Record<string, unknown> = {};
  for (const verb of verbs) {
    const answer = core[verb as keyof typeof core] as (...given: readonly unknown[]) => unknown;
    port[verb] = async (...given: readonly unknown[]) => answer(...given);
  }
  return port as Port;
}
