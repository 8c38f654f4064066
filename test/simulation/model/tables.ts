// Everything the database remembers, in maps. Records are immutable and shared between snapshots; the maps are not.
// What the groups are for is what the database has indexes for.

import type { LedgerEvent, Posting } from '../../../src/domain/ledger/ledger.ts';
import type { MatchRecord, Quarantined } from '../../../src/domain/records/change.ts';
import { type BankCredit, isOpen } from '../../../src/domain/records/credit.ts';
import type { Deposit } from '../../../src/domain/records/deposit.ts';
import type { Attempt, Movement, Replacement } from '../../../src/domain/records/movement.ts';
import type { BankNotice } from '../../../src/domain/records/notice.ts';
import type { State } from '../../../src/domain/records/states.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Proposal } from '../../../src/domain/review/proposal.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import type { OpenCase, QuarantinedLine } from '../../../src/ports/review-desk.ts';
import type { TimelineLine } from '../../../src/ports/store/reads.ts';
import { copyGroup, type Group, groupBy, type Table, tableOf } from './table.ts';

export interface ModelKey {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  /** The business's; without it, what the transaction says. */
  readonly linkTag?: string;
}

export interface WrittenEntry {
  readonly event: LedgerEvent;
  readonly subjectId: string;
  readonly mode: Mode;
  readonly atMs: number;
  readonly postings: readonly Posting[];
}

/** A line of the timeline as it is read: with the version it made. */
export interface WrittenLine extends TimelineLine {
  readonly version: number;
  readonly from: State;
}

export interface UsedLimit {
  readonly businessId: string;
  readonly mode: Mode;
  readonly period: string;
  readonly usedMinor: bigint;
  readonly limitMinor: bigint;
}

export interface Feed {
  readonly name: string;
  readonly position: string | null;
  readonly holder: string;
  readonly heldUntilMs: number;
  readonly fence: number;
}

export interface Freeze {
  readonly businessId: string;
  readonly mode: Mode;
  readonly reason: string;
  readonly atMs: number;
}

export interface BoundKey {
  readonly businessId: string;
  readonly mode: Mode;
  readonly key: string;
  readonly requestHash: string;
  readonly transactionId: string;
  readonly createdAtMs: number;
}

/** What the acceptance left beside the transaction. */
export interface Accepted {
  readonly bodyHash: string;
  readonly keyId: string;
}

export interface QuarantineRow extends QuarantinedLine, Quarantined {}

/** What a simulation may look at. Keys of several parts are joined by `joined`. */
/** Which attempt of which movement. */
export type AttemptName = Pick<Attempt, 'movementId' | 'no'>;

export interface Tables {
  readonly transactions: ReadonlyMap<string, Transaction>;
  readonly credits: ReadonlyMap<string, BankCredit>;
  readonly deposits: ReadonlyMap<string, Deposit>;
  readonly movements: ReadonlyMap<string, Movement>;
  readonly notices: ReadonlyMap<string, BankNotice>;
  /** By movement, in the order of their numbers. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** By mode, network and reference, in the order of their numbers. */
  readonly replacements: ReadonlyMap<string, readonly Replacement[]>;
  /** Mode, network, hash and index, to the attempt that has them. */
  readonly hashes: ReadonlyMap<string, AttemptName>;
  /** By transaction, without the acceptance. */
  readonly timeline: ReadonlyMap<string, readonly WrittenLine[]>;
  readonly entries: readonly WrittenEntry[];
  /** By account key, debits positive. */
  readonly accounts: ReadonlyMap<string, bigint>;
  /** By credit, in the order of their versions. */
  readonly matches: ReadonlyMap<string, readonly MatchRecord[]>;
  readonly usage: ReadonlyMap<string, UsedLimit>;
  readonly feeds: ReadonlyMap<string, Feed>;
  readonly quarantine: readonly QuarantineRow[];
  /** The open ones. */
  readonly cases: ReadonlyMap<string, OpenCase>;
  readonly freezes: ReadonlyMap<string, Freeze>;
  readonly proposals: ReadonlyMap<string, Proposal>;
  readonly idempotencyKeys: ReadonlyMap<string, BoundKey>;
  /** By transaction. */
  readonly accepted: ReadonlyMap<string, Accepted>;
  /** Mode, network, address and memo to the sell. */
  readonly depositTargets: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, ModelKey>;
}

/** The same, to be written. */
export interface Memory {
  readonly transactions: Table<Transaction>;
  readonly credits: Table<BankCredit>;
  readonly deposits: Table<Deposit>;
  readonly movements: Table<Movement>;
  readonly notices: Table<BankNotice>;
  readonly groups: Groups;
  readonly attempts: Map<string, readonly Attempt[]>;
  /** By mode, network and reference, in the order of their numbers. */
  readonly replacements: Map<string, readonly Replacement[]>;
  readonly replacedHashes: Map<string, string>;
  readonly timeline: Map<string, readonly WrittenLine[]>;
  readonly entries: WrittenEntry[];
  readonly accounts: Map<string, bigint>;
  readonly matches: Map<string, readonly MatchRecord[]>;
  readonly usage: Map<string, UsedLimit>;
  readonly feeds: Map<string, Feed>;
  readonly quarantine: QuarantineRow[];
  readonly cases: Map<string, OpenCase>;
  readonly closedCases: Set<string>;
  /** By the movement that came back, the case. */
  readonly returns: Map<string, string>;
  readonly freezes: Map<string, Freeze>;
  readonly proposals: Map<string, Proposal>;
  readonly idempotencyKeys: Map<string, BoundKey>;
  readonly accepted: Map<string, Accepted>;
  readonly depositTargets: Map<string, string>;
  readonly keys: Map<string, ModelKey>;
  /** Who proposed what was decided, by proposal. */
  readonly decisions: Map<string, string>;
  /** Mode, network and address. */
  readonly depositAddresses: Set<string>;
  /** Unique keys to the id that has them. */
  readonly references: Map<string, string>;
  readonly sources: Map<string, string>;
  /** Mode, network, hash and index, or mode, network, source and sequence, to the attempt that has them. */
  readonly hashes: Map<string, AttemptName>;
  readonly sequences: Map<string, string>;
  /** The last number drawn for a quarantined line; numbers drawn in vain are gone. */
  readonly drawn: { quarantine: number };
}

export interface Groups {
  /** By state, as the claim asks for them. */
  readonly dueTransactions: Group<Transaction>;
  /** Buys a credit may pay, by the vendor's account. */
  readonly claims: Group<Transaction>;
  readonly dueCredits: Group<BankCredit>;
  /** By the account credited. */
  readonly openCredits: Group<BankCredit>;
  readonly creditsOf: Group<BankCredit>;
  readonly parts: Group<BankCredit>;
  readonly dueDeposits: Group<Deposit>;
  readonly depositsOf: Group<Deposit>;
  readonly dueMovements: Group<Movement>;
  /** Sends and payouts that may still happen, or did; at most one of a transaction. */
  readonly alive: Group<Movement>;
  readonly refunds: Group<Movement>;
  readonly movementsOfCredit: Group<Movement>;
  readonly dueNotices: Group<BankNotice>;
  /** By what they are about. */
  readonly openNotices: Group<BankNotice>;
}

export const DUE = 'due';

const dueOf = ({ dueAtMs }: { readonly dueAtMs: number | null }) => (dueAtMs === null ? null : DUE);

const CLAIM_STATES: ReadonlySet<State> = new Set<State>([
  'awaiting_wallet',
  'awaiting_payment',
  'expired',
  'on_hold',
  'cancelled',
]);

function isClaim({ type, state }: Transaction): boolean {
  return type === 'buy' && CLAIM_STATES.has(state);
}

export function isAlive({ kind, state }: Movement): boolean {
  return kind !== 'refund' && state !== 'failed';
}

function emptyGroups(): Groups {
  return {
    dueTransactions: groupBy(({ state, dueAtMs }) => (dueAtMs === null ? null : state)),
    claims: groupBy((each) => (isClaim(each) ? (each.vendor?.number ?? null) : null)),
    dueCredits: groupBy(dueOf),
    openCredits: groupBy((each) => (isOpen(each) ? each.accountNumber : null)),
    creditsOf: groupBy(({ transactionId }) => transactionId),
    parts: groupBy(({ parentId }) => parentId),
    dueDeposits: groupBy(dueOf),
    depositsOf: groupBy(({ transactionId }) => transactionId),
    dueMovements: groupBy(dueOf),
    alive: groupBy((each) => (isAlive(each) ? each.transactionId : null)),
    refunds: groupBy(({ kind, transactionId }) => (kind === 'refund' ? transactionId : null)),
    movementsOfCredit: groupBy(({ creditId }) => creditId),
    dueNotices: groupBy(dueOf),
    openNotices: groupBy(({ state, about }) => (state === 'open' ? about : null)),
  };
}

export function emptyMemory(keys: readonly ModelKey[]): Memory {
  return {
    ...tablesWith(emptyGroups()),
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
    closedCases: new Set(),
    returns: new Map(),
    freezes: new Map(),
    proposals: new Map(),
    idempotencyKeys: new Map(),
    accepted: new Map(),
    depositTargets: new Map(),
    depositAddresses: new Set(),
    keys: new Map(keys.map((key) => [key.id, key])),
    decisions: new Map(),
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
    credits: tableOf([groups.dueCredits, groups.openCredits, groups.creditsOf, groups.parts]),
    deposits: tableOf([groups.dueDeposits, groups.depositsOf]),
    movements: tableOf([groups.dueMovements, groups.alive, groups.refunds, groups.movementsOfCredit]),
    notices: tableOf([groups.dueNotices, groups.openNotices]),
  };
}

/** An independent copy. */
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
  for (const name of ['transactions', 'credits', 'deposits', 'movements', 'notices'] as const) {
    for (const [id, row] of memory[name].rows) tables[name].rows.set(id, row as never);
  }
  return { ...copy, ...tables, drawn: { ...memory.drawn } } as unknown as Memory;
}

/** Everything as it was when the copy was made; the maps stay the same ones. */
export function putBack(memory: Memory, copy: Memory): void {
  for (const [name, value] of Object.entries(memory)) {
    const before = copy[name as keyof Memory] as unknown;
    if (value instanceof Map) refill(value, before as Map<string, unknown>);
    else if (value instanceof Set) refillSet(value, before as Set<unknown>);
    else if (Array.isArray(value)) value.splice(0, value.length, ...(before as unknown[]));
  }
  for (const name of ['transactions', 'credits', 'deposits', 'movements', 'notices'] as const)
    refill(memory[name].rows as Map<string, unknown>, copy[name].rows);
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
  const { transactions, credits, deposits, movements, notices, ...rest } = memory;
  return {
    ...rest,
    transactions: transactions.rows,
    credits: credits.rows,
    deposits: deposits.rows,
    movements: movements.rows,
    notices: notices.rows,
  };
}

/** The key of several parts. */
export function joined(...parts: readonly (string | number | null)[]): string {
  return parts.join('\n');
}
