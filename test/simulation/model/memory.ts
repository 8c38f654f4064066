// Creates, copies, restores and reads the memory of the model.
import { isOpenCredit } from '../../../src/domain/records/credit.ts';
import type { TransactionState } from '../../../src/domain/records/states.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { likeOf } from './reports.ts';
import { copyGroup, type Group, groupBy, tableOf } from './table.ts';
import { DUE, type Groups, isAlive, type Memory, type ModelKey, type Tables } from './tables.ts';

const dueOf = ({ dueAtMs }: { readonly dueAtMs: number | null }) => (dueAtMs === null ? null : DUE);

const CLAIM_STATES: ReadonlySet<TransactionState> = new Set<TransactionState>([
  'awaiting_wallet',
  'awaiting_payment',
  'expired',
  'on_hold',
  'cancelled',
]);

function isClaim({ type, state }: Transaction): boolean {
  return type === 'buy' && CLAIM_STATES.has(state);
}

function emptyGroups(): Groups {
  return {
    dueTransactions: groupBy(({ state, dueAtMs }) => (dueAtMs === null ? null : state)),
    claims: groupBy((each) => (isClaim(each) ? (each.vendor?.number ?? null) : null)),
    dueCredits: groupBy(dueOf),
    openCredits: groupBy((each) => (isOpenCredit(each) ? each.accountNumber : null)),
    creditsOf: groupBy(({ transactionId }) => transactionId),
    parts: groupBy(({ parentId }) => parentId),
    likeCredits: groupBy(({ parentId, accountNumber, amountMinor }) =>
      parentId === null ? likeOf(accountNumber, amountMinor) : null,
    ),
    dueReports: groupBy(dueOf),
    reportsOf: groupBy(({ creditId }) => creditId),
    dueDeposits: groupBy(dueOf),
    depositsOf: groupBy(({ transactionId }) => transactionId),
    dueMovements: groupBy(dueOf),
    alive: groupBy((each) => (isAlive(each) ? each.transactionId : null)),
    returned: groupBy(({ kind, state, transactionId }) =>
      kind === 'payout' && state === 'returned' ? transactionId : null,
    ),
    refunds: groupBy(({ kind, transactionId }) => (kind === 'refund' ? transactionId : null)),
    movementsOfCredit: groupBy(({ creditId }) => creditId),
    dueNotices: groupBy(dueOf),
    openNotices: groupBy(({ state, about }) => (state === 'open' ? about : null)),
  };
}

export function emptyMemory(keys: readonly ModelKey[], people: readonly string[] = []): Memory {
  return {
    ...tablesWith(emptyGroups()),
    creditSources: new Map(),
    sessions: new Map(),
    attempts: new Map(),
    replacements: new Map(),
    replacedHashes: new Map(),
    timeline: new Map(),
    entries: [],
    accounts: new Map(),
    matches: new Map(),
    usage: new Map(),
    feeds: new Map(),
    quarantine: [],
    cases: new Map(),
    closedCases: new Map(),
    returns: new Map(),
    endedPayouts: new Map(),
    freezes: new Map(),
    doubts: new Map(),
    nairaMoves: new Map(),
    proposals: new Map(),
    idempotencyKeys: new Map(),
    accepted: new Map(),
    quotes: new Map(),
    quoteKeys: new Map(),
    depositTargets: new Map(),
    depositAddresses: new Set(),
    keys: new Map(keys.map((key) => [key.id, key])),
    decisions: new Map(),
    people: new Set(people),
    stepUps: new Map(),
    usedStepUps: new Map(),
    references: new Map(),
    sources: new Map(),
    hashes: new Map(),
    sequences: new Map(),
    drawn: { quarantine: 0 },
  };
}

function tablesWith(groups: Groups) {
  return {
    groups,
    transactions: tableOf([groups.dueTransactions, groups.claims]),
    credits: tableOf([
      ...[groups.dueCredits, groups.openCredits, groups.creditsOf, groups.parts],
      groups.likeCredits,
    ]),
    reports: tableOf([groups.dueReports, groups.reportsOf]),
    deposits: tableOf([groups.dueDeposits, groups.depositsOf]),
    movements: tableOf([
      ...[groups.dueMovements, groups.alive, groups.returned, groups.refunds],
      groups.movementsOfCredit,
    ]),
    notices: tableOf([groups.dueNotices, groups.openNotices]),
  };
}

const TABLES = ['transactions', 'credits', 'deposits', 'movements', 'notices', 'reports'] as const;

export function copyMemory(memory: Memory): Memory {
  const groups = Object.fromEntries(
    Object.entries(memory.groups).map(([name, group]) => [name, copyGroup(group)]),
  ) as unknown as Groups;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(memory)) {
    if (value instanceof Map) copy[name] = new Map(value);
    else if (value instanceof Set) copy[name] = new Set(value);
    else if (Array.isArray(value)) copy[name] = [...value];
  }
  const tables = tablesWith(groups);
  for (const name of TABLES) {
    for (const [id, row] of memory[name].rows) tables[name].rows.set(id, row as never);
  }
  return { ...copy, ...tables, drawn: { ...memory.drawn } } as unknown as Memory;
}

/** Restores the state of the copy. The map objects stay the same. */
export function putBack(memory: Memory, copy: Memory): void {
  for (const [name, value] of Object.entries(memory)) {
    const before = copy[name as keyof Memory] as unknown;
    if (value instanceof Map) refill(value, before as Map<string, unknown>);
    else if (value instanceof Set) refillSet(value, before as Set<unknown>);
    else if (Array.isArray(value)) value.splice(0, value.length, ...(before as unknown[]));
  }
  for (const name of TABLES) refill(memory[name].rows as Map<string, unknown>, copy[name].rows);
  for (const [name, { ids }] of Object.entries(memory.groups))
    refill(ids, copyGroup(copy.groups[name as keyof Groups] as Group<unknown>).ids);
  Object.assign(memory.drawn, copy.drawn);
}

function refill<Value>(map: Map<string, Value>, from: ReadonlyMap<string, Value>): void {
  map.clear();
  for (const [key, value] of from) map.set(key, value);
}

function refillSet<Value>(set: Set<Value>, from: ReadonlySet<Value>): void {
  set.clear();
  for (const value of from) set.add(value);
}

export function viewOf(memory: Memory): Tables {
  const { transactions, credits, deposits, movements, notices, reports, ...rest } = memory;
  return {
    ...rest,
    transactions: transactions.rows,
    credits: credits.rows,
    deposits: deposits.rows,
    movements: movements.rows,
    notices: notices.rows,
    reports: reports.rows,
  };
}
