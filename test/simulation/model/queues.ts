// Models the queues of records with a due time. A lease takes the oldest records and raises their versions. If several records
// are due at the same time, the database does not define which come first, nor the order of the result. The model sorts them by
// id.
import type { BankCredit } from '../../../src/domain/records/credit.ts';
import type { Movement, MovementState } from '../../../src/domain/records/movement.ts';
import type { TransactionState } from '../../../src/domain/records/states.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { FeedLease } from '../../../src/ports/store/commit.ts';
import type { LeaseRequest } from '../../../src/ports/store/queues.ts';
import type { EndedPayout, EndedPayoutStore } from '../../../src/ports/store/store.ts';
import { byId, type Group, type Identified, idsIn, put, type Table } from './table.ts';
import { DUE, joined, type Memory, type Sync } from './tables.ts';

export interface Queued extends Identified {
  readonly version: number;
  readonly tries: number;
  readonly dueAtMs: number | null;
}

export function leaseTransactions(
  { transactions, groups }: Memory,
  states: readonly TransactionState[],
  request: LeaseRequest,
): Transaction[] {
  const taken: Transaction[] = [];
  for (const state of states) {
    const limit = request.limit - taken.length;
    taken.push(...lease(transactions, groups.dueTransactions, state, { ...request, limit }));
    if (taken.length >= request.limit) break;
  }
  return taken;
}

export function leaseMovements(
  { movements, groups }: Memory,
  states: readonly MovementState[],
  request: LeaseRequest & { readonly bankLeaseMs?: number },
): Movement[] {
  const { leaseMs, bankLeaseMs = leaseMs } = request;
  const forMs = ({ network }: Movement) => (network === null ? bankLeaseMs : leaseMs);
  return lease(movements, groups.dueMovements, DUE, request, ({ state }) => states.includes(state), forMs);
}

export function lease<Row extends Queued>(
  table: Table<Row>,
  group: Group<Row>,
  key: string,
  { atMs, leaseMs, limit }: LeaseRequest,
  isWanted: (row: Row) => boolean = () => true,
  forMs: (row: Row) => number = () => leaseMs,
): Row[] {
  const due: Row[] = [];
  for (const id of idsIn(group, key)) {
    const row = table.rows.get(id)!;
    if (row.dueAtMs! <= atMs && isWanted(row)) due.push(row);
  }
  if (due.length === 0) return due;
  due.sort(oldestFirst);
  const taken = due.length > limit ? due.slice(0, limit) : due;
  return taken.sort(byId).map((row) => {
    const next = leased(row, atMs + forMs(row));
    put(table, row.id, next);
    return next;
  });
}

function oldestFirst(a: Queued, b: Queued): number {
  return a.dueAtMs! - b.dueAtMs! || byId(a, b);
}

export function leased<Row extends Queued>(row: Row, dueAtMs: number): Row {
  return { ...row, dueAtMs, version: row.version + 1, tries: row.tries + 1 };
}

export function holdFeed(
  { feeds }: Memory,
  name: string,
  holder: string,
  atMs: number,
  leaseMs: number,
): FeedLease | undefined {
  const there = feeds.get(name);
  const isSame = there?.holder === holder;
  if (there !== undefined && !isSame && there.heldUntilMs > atMs) return undefined;
  const fence = there === undefined ? 1 : isSame ? there.fence : there.fence + 1;
  const position = there?.position ?? null;
  feeds.set(name, { name, position, holder, heldUntilMs: atMs + leaseMs, fence });
  return { name, fence, position };
}

export function hastenNotices(
  { notices, groups }: Memory,
  credits: readonly BankCredit[],
  atMs: number,
): Set<string> {
  const found = new Set<string>();
  for (const { id: creditId, mode, source, sourceId } of credits) {
    for (const id of idsIn(groups.openNotices, sourceId)) {
      const notice = notices.rows.get(id)!;
      if (notice.mode !== mode || notice.source !== source || notice.kind !== 'credit_reversed') continue;
      put(notices, id, { ...notice, dueAtMs: atMs, version: notice.version + 1 });
      found.add(creditId);
    }
  }
  return found;
}

export function hastenRefunds({ movements, groups }: Memory, transactionId: string, atMs: number): void {
  for (const id of idsIn(groups.refunds, transactionId)) {
    const refund = movements.rows.get(id)!;
    if (refund.state !== 'pending' || refund.destination !== null) continue;
    put(movements, id, { ...refund, dueAtMs: atMs, version: refund.version + 1 });
  }
}

type Ended = Sync<EndedPayoutStore>;

export function leaseEndedPayouts(
  { endedPayouts }: Memory,
  { atMs, leaseMs, limit }: Parameters<Ended['leaseEndedPayouts']>[0],
): readonly EndedPayout[] {
  const due = [...endedPayouts.values()].filter(({ dueAtMs }) => dueAtMs <= atMs);
  const taken = due.sort((a, b) => a.dueAtMs - b.dueAtMs || byEndedName(a, b)).slice(0, limit);
  return taken.sort(byEndedName).map((row) => {
    const { dueAtMs: _due, ...leased } = { ...row, version: row.version + 1 };
    endedPayouts.set(endedName(row), { ...leased, dueAtMs: atMs + leaseMs });
    return leased;
  });
}

export function moveEndedPayout(
  { endedPayouts }: Memory,
  payout: EndedPayout,
  next: Parameters<Ended['moveEndedPayout']>[1],
): void {
  const there = endedPayouts.get(endedName(payout));
  if (there?.version !== payout.version) return;
  if (next === null) endedPayouts.delete(endedName(payout));
  else {
    const { looks, said, dueAtMs } = next;
    endedPayouts.set(endedName(payout), { ...there, looks, said, dueAtMs, version: there.version + 1 });
  }
}

function endedName({ movementId, no }: EndedPayout): string {
  return joined(movementId, no);
}

function byEndedName(a: EndedPayout, b: EndedPayout): number {
  return a.movementId === b.movementId ? a.no - b.no : a.movementId < b.movementId ? -1 : 1;
}
