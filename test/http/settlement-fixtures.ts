// Makes credits, deposits, movements, attempts and changes for the tests of the commit, the queues and the reads on PostgreSQL.
// store-fixtures.ts makes the transactions.
import assert from 'node:assert/strict';
import { acceptBatch } from '../../src/adapters/postgres/accept/accept-batch.ts';
import { ruleOfConstraint } from '../../src/adapters/postgres/commit/commit-part.ts';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import { type Entry, entryOf } from '../../src/domain/ledger/ledger.ts';
import { type Change, type MatchRecord, makeMove } from '../../src/domain/records/change.ts';
import type { BankCredit } from '../../src/domain/records/credit.ts';
import type { Deposit } from '../../src/domain/records/deposit.ts';
import type { Attempt, Movement } from '../../src/domain/records/movement.ts';
import type { BankNotice } from '../../src/domain/records/notice.ts';
import type { Transaction } from '../../src/domain/records/transaction.ts';
import { moveTransaction } from '../../src/domain/records/transaction-moves.ts';
import { tokenAsset } from '../../src/domain/values/money.ts';
import type { CommitOutcome, CommitStore } from '../../src/ports/store/commit.ts';
import { acceptance, countOf, freshId, NOW, transaction } from './store-fixtures.ts';

export const COMMITTED: CommitOutcome = { kind: 'committed' };
export const STALE: CommitOutcome = { kind: 'stale' };
export const refusedBy = (constraint: string): CommitOutcome => ({
  kind: 'refused',
  rule: ruleOfConstraint(constraint),
  constraint,
});
export const kindsOf = (outcomes: readonly CommitOutcome[]) => outcomes.map(({ kind }) => kind);

const ASSET = tokenAsset('NGNC', 'Polygon');
/** Every fixture in a file is unique. A test sets only the values that it depends on. */
const QUEUED: { version: number; dueAtMs: number | null; tries: number } = {
  version: 1,
  dueAtMs: NOW,
  tries: 0,
};

export function credit(changes: Partial<BankCredit> = {}): BankCredit {
  const id = freshId('crd');
  return {
    id,
    mode: 'test',
    source: 'bank',
    sourceId: id,
    accountNumber: '9900000011',
    accountBankCode: 'providus-bank',
    amountMinor: 1_500_050n,
    payerAccount: '******6785',
    payerName: 'ADA OBI',
    payerBankName: 'GTBank',
    payerBankCode: null,
    narration: `TRF "ADA"\\ ${id}`,
    sessionId: null,
    balanceMinor: null,
    valueAtMs: NOW,
    receivedAtMs: NOW,
    raw: { line: [1, 'ọ'] },
    parentId: null,
    businessId: null,
    state: 'unmatched',
    exception: null,
    transactionId: null,
    ...QUEUED,
    ...changes,
  };
}

export function deposit(changes: Partial<Deposit> = {}): Deposit {
  const id = freshId('dep');
  return {
    id,
    mode: 'test',
    network: 'Polygon',
    txHash: `0x${id}`,
    txIndex: 0,
    address: '0xours',
    memo: '',
    sender: null,
    asset: ASSET,
    amountMinor: 10n ** 30n,
    transactionId: null,
    state: 'seen',
    exception: null,
    ...QUEUED,
    seenAtMs: NOW,
    chainAtMs: null,
    ...changes,
  };
}

export function notice(changes: Partial<BankNotice> = {}): BankNotice {
  const id = freshId('ntc');
  return {
    id,
    mode: 'test',
    source: 'bank',
    sourceId: id,
    kind: 'credit_reversed',
    about: 'x',
    amountMinor: 1n,
    receivedAtMs: NOW,
    raw: {},
    state: 'open',
    ...QUEUED,
    ...changes,
  };
}

export function movement(changes: Partial<Movement> = {}): Movement {
  return {
    id: freshId('mov'),
    kind: 'send',
    mode: 'test',
    network: 'Polygon',
    asset: ASSET,
    amountMinor: 15_000_500_000n,
    nairaMinor: 1_500_050n,
    transactionId: null,
    creditId: null,
    depositId: null,
    bankAccount: null,
    destination: { address: '0x1' },
    state: 'pending',
    reason: null,
    attempts: 0,
    ...QUEUED,
    createdAtMs: NOW,
    updatedAtMs: NOW,
    ...changes,
  };
}

let nextSequence = 1;

export function attempt(of: Movement, changes: Partial<Attempt> = {}): Attempt {
  return {
    movementId: of.id,
    no: 1,
    mode: of.mode,
    network: of.network,
    rail: of.network === null ? 'rail' : null,
    reference: `0x${of.id}`,
    source: '0xtreasury',
    sequence: String(nextSequence++),
    payload: 'signed',
    bound: null,
    index: 0,
    orders: [of.id],
    replacements: [],
    state: 'prepared',
    evidence: null,
    atMs: NOW,
    updatedAtMs: NOW,
    ...changes,
  };
}

export function match(of: BankCredit, transactionId: string | null, version = of.version + 1): MatchRecord {
  const verdict: MatchRecord['verdict'] = { kind: 'matched', transactionId: 'x', exception: null };
  return {
    creditId: of.id,
    version,
    transactionId,
    actor: 'matching',
    ruleVersion: 1,
    candidates: [],
    verdict,
  };
}

export function paying(of: Transaction) {
  return moveTransaction(of, 'paid', { actor: 'matching', atMs: NOW, reason: 'payment_found', dueAtMs: NOW });
}

export function recording(given: BankCredit): Change {
  const facts = { mode: given.mode, subjectId: given.id, bankAccount: 'p:1' };
  const entry = entryOf('credit_received', { ...facts, amounts: { amount: given.amountMinor } });
  return { atMs: NOW, newCredits: [given], entries: [entry] };
}

/** Takes naira out of suspense. The database refuses this if the balance is too low. */
export function matchedEntry(of: Transaction, amount = of.amountMinor): Entry {
  return entryOf('credit_matched', { mode: of.mode, subjectId: of.id, amounts: { amount } });
}

export function matching(of: Transaction, paid: BankCredit): Change {
  const tokens = { mode: of.mode, subjectId: of.id, asset: ASSET, amounts: { tokens: 5n } };
  const send = movement({ transactionId: of.id });
  return {
    atMs: NOW,
    transactions: [paying(of)],
    credits: [makeMove(paid, { state: 'matched', transactionId: of.id, dueAtMs: null })],
    match: match(paid, of.id),
    newMovements: [send],
    attempts: [attempt(send)],
    entries: [matchedEntry(of), entryOf('tokens_reserved', tokens)],
  };
}

export const FUNDING: Change = {
  atMs: NOW,
  entries: [
    entryOf('treasury_funded', {
      mode: 'test',
      subjectId: 'funding',
      asset: ASSET,
      amounts: { tokens: 10n ** 30n },
    }),
  ],
};

export async function acceptedBuys(database: Database, count: number): Promise<Transaction[]> {
  const buys = Array.from({ length: count }, () => transaction());
  const outcomes = await acceptBatch(
    database,
    buys.map((each) => acceptance(each)),
  );
  for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'created' });
  return buys;
}

export function recordingIn(database: Database, store: Pick<CommitStore, 'commit'>) {
  const recorded = async (count: number): Promise<BankCredit[]> => {
    const credits = Array.from({ length: count }, () => credit());
    const outcomes = await store.commit(credits.map(recording));
    assert.deepEqual(new Set(kindsOf(outcomes)), new Set(['committed']));
    return credits;
  };
  const pairs = async (count: number): Promise<[Transaction, BankCredit][]> => {
    const [buys, credits] = [await acceptedBuys(database, count), await recorded(count)];
    return buys.map((buy, index) => [buy, credits[index]!]);
  };
  return { recorded, pairs };
}

const WRITTEN = [
  'timeline',
  'entries',
  'postings',
  'bank_credits',
  'match_decisions',
  'deposits',
  'movements',
  'movement_attempts',
  'bank_notices',
  'cases',
  'freezes',
  'limit_usage',
  'idempotency_keys',
] as const;

export async function rowCounts(database: Database): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {};
  for (const table of WRITTEN) counts[table] = await countOf(database, table);
  const { rows } = await database.query({
    text: 'select key, balance from accounts where balance <> 0 order by key',
  });
  return { ...counts, balances: rows };
}

export async function assertLedgerSound(database: Database): Promise<void> {
  const wrong = await database.query({
    text: `select a.key, a.balance, coalesce(sum(p.amount_minor), 0) as posted
      from accounts a left join postings p on p.account_id = a.id group by a.id
      having a.balance <> coalesce(sum(p.amount_minor), 0)`,
  });
  assert.deepEqual(wrong.rows, []);
  const uneven = await database.query({
    text: 'select mode, asset from accounts group by mode, asset having sum(balance) <> 0',
  });
  assert.deepEqual(uneven.rows, []);
}
