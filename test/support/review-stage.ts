// A database with money in every doubtful state, for the tests of reviews. The same changes as in settlement create the
// credits, deposits and transactions, so their books are correct from the start.
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { makeNetworks, makeSimulatedNetworks } from '../../src/adapters/networks/registry.ts';
import { makeBackOffice } from '../../src/adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../../src/adapters/postgres/back-office/setting-store.ts';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import { makeRailStore } from '../../src/adapters/postgres/rails/rail-store.ts';
import { makeProposalStore } from '../../src/adapters/postgres/review/proposal-store.ts';
import { makeReviewStore } from '../../src/adapters/postgres/review/review-store.ts';
import { makePostgresStore } from '../../src/adapters/postgres/store.ts';
import { makeTreasuryWatch } from '../../src/adapters/postgres/treasury/treasury-watch.ts';
import { makeSimulation } from '../../src/adapters/simulation/simulation.ts';
import { newId } from '../../src/app/engine/deps.ts';
import type { ProposalDeps } from '../../src/app/review/decide-proposal.ts';
import { proposeReview } from '../../src/app/review/propose-review.ts';
import { type LedgerAccountName, ledgerKey } from '../../src/domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../src/domain/ledger/ledger.ts';
import { stepEntries } from '../../src/domain/movements/entries.ts';
import { finishMovement, giveUpMovement } from '../../src/domain/movements/steps.ts';
import type { Change } from '../../src/domain/records/change.ts';
import { type BankCredit, nameCreditedAccount } from '../../src/domain/records/credit.ts';
import type { Deposit } from '../../src/domain/records/deposit.ts';
import type { TransactionException } from '../../src/domain/records/exceptions.ts';
import type { Attempt, Movement } from '../../src/domain/records/movement.ts';
import type { Transaction } from '../../src/domain/records/transaction.ts';
import { moveTransaction } from '../../src/domain/records/transaction-moves.ts';
import type { ReviewRequest } from '../../src/domain/review/proposal.ts';
import { holdForReview } from '../../src/domain/settlement/buy.ts';
import { NAIRA } from '../../src/domain/values/money.ts';
import { acceptance, databaseWithKeys, sell, transaction } from '../http/store-fixtures.ts';
import { makeMemoryWorld } from './memory-world.ts';
import { CHECKER, decideAs, MAKER } from './people/reviewers.ts';
import { rateDepsOn } from './rates/prices.ts';

export const TOKEN = 'NGNC@Polygon';
const VENDOR = '9900000011';
const PAYER = {
  payerAccount: '0123456785',
  payerName: 'ADA OBI',
  payerBankCode: 'guaranty-trust-bank',
} as const;

interface Stage {
  readonly database: Database;
  readonly deps: ProposalDeps;
  readonly clock: { now(): number };
  commit(change: Change): Promise<void>;
  find(id: string): Promise<Transaction>;
  findCredit(id: string): Promise<BankCredit>;
}

export async function openReviewStage() {
  const { database } = await databaseWithKeys();
  const store = makePostgresStore(database);
  const reviewDesk = makeReviewStore(database);
  let nowMs = Date.parse('2026-11-14T09:31:00Z');
  const clock = { now: () => nowMs++ };
  const entropy = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
  const options = { seed: 'review', faultPercent: 0, paceMs: 10 };
  const simulation = makeSimulation({ world: makeMemoryWorld(), clock, options });
  const networks = makeNetworks({
    live: [],
    test: makeSimulatedNetworks({ offCurve: 'accept' }, simulation),
  });
  const treasuryWatch = makeTreasuryWatch(database);
  const deps: ProposalDeps = {
    store,
    reviewDesk,
    proposalDesk: makeProposalStore(database),
    settingDesk: makeSettingStore(database),
    backOffice: makeBackOffice(database),
    treasuryWatch,
    clock,
    entropy,
    networks,
    banks: loadBankDirectory(),
    ...rateDepsOn(database),
    railDesk: makeRailStore(database),
  };
  const commit = async (change: Change) => {
    const [outcome] = await store.commit([change]);
    if (outcome?.kind !== 'committed') throw new Error(`not committed: ${JSON.stringify(outcome)}`);
  };
  const find = async (id: string): Promise<Transaction> => (await store.transactionsById([id])).get(id)!;
  const findCredit = async (id: string): Promise<BankCredit> => (await store.creditsById([id])).get(id)!;
  const accepted = async (made: Transaction): Promise<Transaction> => {
    await store.accept({ ...acceptance(), transaction: made, scenario: null });
    return find(made.id);
  };

  const stage: Stage = { database, deps, clock, commit, find, findCredit };
  const credit = makeCredits(stage);
  await fund(stage);

  return {
    deps,
    database,
    store,
    reviewDesk,
    clock,
    commit,
    find,
    findCredit,
    credit,
    inReview: (waiting: BankCredit, buys: readonly Transaction[], exception: TransactionException) =>
      putInReview(stage, waiting, buys, exception),
    deposit: (tokens: bigint, changes: Partial<Deposit> = {}) => makeDeposit(stage, tokens, changes),
    start: (id: string) => startRefund(stage, id),
    buy: (changes: Partial<Transaction> = {}) =>
      accepted(transaction({ amountMinor: 1_500_000n, ...changes })),
    sell: (changes: Partial<Transaction> = {}) => accepted(sell({ amountMinor: 1_500_000n, ...changes })),
    hold: async (held: Transaction, exception: TransactionException, updates: Partial<Transaction> = {}) => {
      const facts = { actor: 'settlement', atMs: clock.now(), reason: exception, dueAtMs: null };
      const move = moveTransaction(held, 'on_hold', { ...facts, updates: { exception, ...updates } });
      await commit({ atMs: clock.now(), transactions: [move] });
      return find(held.id);
    },
    ...makeReviewers(stage),
  };
}

async function fund({ clock, commit }: Stage): Promise<void> {
  await commit({
    atMs: clock.now(),
    entries: [
      entryOf('float_funded', {
        mode: 'test',
        subjectId: 'stage',
        payoutAccount: null,
        amounts: { amount: 10n ** 12n },
      }),
      entryOf('treasury_funded', {
        mode: 'test',
        subjectId: 'stage',
        asset: TOKEN,
        amounts: { tokens: 10n ** 18n },
      }),
    ],
  });
}

function makeReviewers(stage: Stage) {
  const { database, deps, clock, commit } = stage;
  return {
    refundsOf: async (id: string) =>
      (await deps.store.movementsOf([id])).filter(({ kind }) => kind === 'refund'),
    finish: async (id: string) => {
      await commit(
        finishMovement(await startRefund(stage, id), clock.now(), {}, { feeMinor: 0n, chargeMinor: 0n }),
      );
    },
    giveUp: async (id: string) => {
      const alive = await startRefund(stage, id);
      await commit(giveUpMovement(alive, clock.now(), 0n, 'the bank refused it', alive.attempt));
    },
    agree: async (request: ReviewRequest) => {
      const proposed = await proposeReview(deps, { ...request, actor: MAKER });
      if (!proposed.ok) return proposed;
      const proposalId = proposed.value.id;
      const decision = { proposalId, actor: CHECKER, approve: true, reason: 'looked at' };
      return decideAs(database, deps, decision);
    },
    /** The balance of an account. A credit balance is negative. */
    balance: async (name: LedgerAccountName, asset = NAIRA) => {
      const key = ledgerKey('test', asset, name);
      return (await deps.store.balances([key])).get(key) ?? 0n;
    },
  };
}

function makeCredits({ deps, clock, commit, findCredit }: Stage) {
  let credits = 0;
  return async (amountMinor: bigint, changes: Partial<BankCredit> = {}): Promise<BankCredit> => {
    const atMs = clock.now();
    const made: BankCredit = {
      id: newId(deps, 'crd'),
      mode: 'test',
      source: 'stage',
      sourceId: `line ${++credits}`,
      accountNumber: VENDOR,
      accountBankCode: null,
      amountMinor,
      ...PAYER,
      payerBankName: null,
      narration: null,
      sessionId: null,
      balanceMinor: null,
      valueAtMs: atMs,
      receivedAtMs: atMs,
      raw: {},
      parentId: null,
      businessId: null,
      state: 'unmatched',
      exception: null,
      transactionId: null,
      version: 1,
      dueAtMs: atMs + 60_000,
      tries: 0,
      ...changes,
    };
    const amounts = { amount: amountMinor };
    const facts = { mode: made.mode, subjectId: made.id, bankAccount: nameCreditedAccount(made), amounts };
    await commit({ atMs, newCredits: [made], entries: [entryOf('credit_received', facts)] });
    return findCredit(made.id);
  };
}

/** Creates one credit that seems to belong to several buys. The buys are on hold, and the credit is in review. */
async function putInReview(
  { clock, commit, findCredit }: Stage,
  waiting: BankCredit,
  buys: readonly Transaction[],
  exception: TransactionException,
): Promise<BankCredit> {
  const ids = buys.map(({ id }) => id);
  const match = {
    ruleVersion: 1,
    candidates: ids.map((transactionId) => ({ transactionId, score: 50, reasons: ['amount'] })),
    verdict: { kind: 'review', exception: 'ambiguous', transactionIds: ids },
    creditId: waiting.id,
    version: waiting.version + 1,
    transactionId: null,
    actor: 'matching',
  } as const;
  const atMs = clock.now();
  const facts = { credit: waiting, match, actor: 'matching', atMs, nextDueMs: atMs, exception };
  await commit(holdForReview(buys, { ...facts, claimException: exception, lookAgainMs: null }));
  return findCredit(waiting.id);
}

async function makeDeposit(
  { deps, clock, commit }: Stage,
  tokens: bigint,
  changes: Partial<Deposit>,
): Promise<Deposit> {
  const id = newId(deps, 'dep');
  const made: Deposit = {
    id,
    mode: 'test',
    network: 'Polygon',
    txHash: `hash of ${id}`,
    txIndex: 0,
    address: 'ours',
    memo: '',
    sender: null,
    asset: TOKEN,
    amountMinor: tokens,
    transactionId: null,
    state: 'suspense',
    exception: 'unattributed',
    version: 1,
    dueAtMs: null,
    tries: 0,
    seenAtMs: clock.now(),
    chainAtMs: null,
    ...changes,
  };
  const amounts = { tokens: tokens - (tokens % 10_000n), dust: tokens % 10_000n };
  const entry = entryOf('deposit_received', { mode: 'test', subjectId: id, asset: TOKEN, amounts });
  await commit({
    atMs: clock.now(),
    newDeposits: [made],
    entries: made.state === 'suspense' && made.asset === TOKEN ? [entry] : [],
  });
  return (await deps.reviewDesk.depositById(id))!;
}

async function startRefund({ deps, clock, commit, find }: Stage, id: string) {
  const movement = (await deps.store.movementById(id))!;
  const atMs = clock.now();
  const underWay: Movement = { ...movement, state: 'sending', attempts: 1, version: movement.version + 1 };
  const attempt: Attempt = {
    ...{
      movementId: id,
      no: 1,
      mode: movement.mode,
      network: movement.network,
      rail: movement.network === null ? 'rail' : null,
      reference: `reference ${id}`,
    },
    ...{ source: null, sequence: null, payload: null, bound: null, state: 'prepared', evidence: null },
    ...{ index: 0, orders: [id], replacements: [] },
    ...{ atMs, updatedAtMs: atMs },
  } as Attempt;
  await commit({
    atMs,
    movements: [{ version: movement.version, after: underWay }],
    attempts: [attempt],
    entries: stepEntries(movement, 'reserve'),
  });
  const transaction = movement.transactionId === null ? null : await find(movement.transactionId);
  return { movement: underWay, attempt, transaction };
}
