// Reads records by id or by owner, and the transactions of a business.
import type { Attempt, Movement } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { findIdLowerBound } from '../../../src/domain/values/ids.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import type { WalletTurn } from '../../../src/ports/networks/network-payer.ts';
import type { BusinessScope, TimelineLine, TransactionFilter } from '../../../src/ports/store/reads.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { byId, type Group, type Identified, rowsIn, type Table } from './table.ts';
import { joined, type Memory, type Tables } from './tables.ts';

export function rowsById<Row extends Identified>(
  { rows }: Table<Row>,
  ids: readonly string[],
): Map<string, Row> {
  const found: Row[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row !== undefined) found.push(row);
  }
  if (found.length > 1) found.sort(byId);
  return new Map(found.map((row) => [row.id, row]));
}

export function rowsOf<Row extends Identified>(
  table: Table<Row>,
  group: Group<Row>,
  owners: readonly string[],
): Row[] {
  if (owners.length === 1) return rowsIn(table, group, owners[0]!).sort(byId);
  return [...new Set(owners)].flatMap((owner) => rowsIn(table, group, owner)).sort(byId);
}

/** Returns movements that can still succeed or have succeeded, then returned payouts, then refunds. */
export function movementsOf({ movements, groups }: Memory, ids: readonly string[]): Movement[] {
  const { alive, returned, refunds } = groups;
  return [alive, returned, refunds].flatMap((group) => rowsOf(movements, group, ids));
}

export function movementById(
  { movements, attempts }: Memory,
  id: string,
  tried: Parameters<Store['movementById']>[1],
): Movement | undefined {
  const there = ({ rail, reference }: Attempt) => rail === tried?.rail && reference === tried?.reference;
  const found = tried === undefined || attempts.get(id)?.some(there) === true;
  return found ? movements.rows.get(id) : undefined;
}

export function lastAttempts(memory: Memory, ids: readonly string[]): Map<string, Attempt> {
  const found = new Map<string, Attempt>();
  for (const id of ids) {
    const last = memory.attempts.get(id)?.at(-1);
    if (last !== undefined) found.set(id, asRead(memory, last));
  }
  return found;
}

type Written = Pick<Tables, 'attempts' | 'hashes' | 'replacements'>;

/** Bytes with several orders are stored with the first order, and their new signatures are stored next to them. */
export function asRead({ attempts, hashes, replacements }: Written, attempt: Attempt): Attempt {
  const { mode, network, reference, index, movementId } = attempt;
  const named = index === 0 ? undefined : hashes.get(joined(mode, network, reference, 0));
  const lead =
    index === 0 ? attempt : attempts.get(named?.movementId ?? '')?.find(({ no }) => no === named!.no);
  const orders = lead !== undefined && lead.orders.length > 1 ? lead.orders : [movementId];
  return {
    ...attempt,
    payload: lead?.payload ?? null,
    orders,
    replacements: network === null ? [] : (replacements.get(joined(mode, network, reference)) ?? []),
  };
}

export function turnOf(memory: Memory, mode: Mode, network: string, wallet: string): WalletTurn {
  const places = [...memory.attempts.values()]
    .flat()
    .filter(
      (each) =>
        each.mode === mode &&
        each.network === network &&
        each.source === wallet &&
        each.sequence !== null &&
        each.index === 0 &&
        each.state !== 'rejected' &&
        each.state !== 'dead',
    );
  const byPlace = places.sort((a, b) => (BigInt(a.sequence!) < BigInt(b.sequence!) ? -1 : 1));
  const flying = [...memory.movements.rows.values()].filter(
    (each) =>
      each.mode === mode &&
      each.network === network &&
      each.kind !== 'sweep' &&
      (each.state === 'sending' || each.state === 'unknown'),
  );
  return {
    lastSequence: byPlace.at(-1)?.sequence ?? null,
    live: places.filter(({ state }) => LIVE.has(state)).length,
    inFlightMinor: flying.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
  };
}

const LIVE = new Set<Attempt['state']>(['prepared', 'accepted', 'unknown']);

/** Returns the deposit addresses of sells created since that time. The id of a sell begins with its time. */
export function depositAddresses(
  { depositTargets }: Memory,
  mode: Mode,
  network: string,
  sinceMs: number,
): string[] {
  const start = joined(mode, network, '');
  const first = findIdLowerBound('txn', sinceMs);
  const found = new Set<string>();
  for (const [target, id] of depositTargets)
    if (target.startsWith(start) && id >= first) found.add(target.slice(start.length).split('\n')[0]!);
  return [...found];
}

export function oldDepositAddresses(
  { depositTargets }: Memory,
  mode: Mode,
  network: string,
  { beforeMs, afterId, limit }: Parameters<Store['oldDepositAddresses']>[2],
): { transactionId: string; address: string }[] {
  const start = joined(mode, network, '');
  const before = findIdLowerBound('txn', beforeMs);
  return [...depositTargets]
    .filter(([target, id]) => target.startsWith(start) && id < before && id > (afterId ?? ''))
    .map(([target, id]) => ({
      transactionId: id,
      address: target.slice(start.length).split('\n')[0]!,
    }))
    .toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1))
    .slice(0, limit);
}

export function balances({ accounts }: Memory, keys: readonly string[]): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const key of keys) {
    const balance = accounts.get(key);
    if (balance !== undefined) found.set(key, balance);
  }
  return found;
}

export function usageOf(
  { usage }: Memory,
  keys: readonly { readonly businessId: string; readonly mode: Mode; readonly period: string }[],
): bigint[] {
  return keys.map(
    ({ businessId, mode, period }) => usage.get(joined(businessId, mode, period))?.usedMinor ?? 0n,
  );
}

/** The first line, the acceptance, comes from the transaction itself. Its state is the state before the first stored line. */
export function timelineOf({ transactions, timeline, accepted }: Memory, id: string): TimelineLine[] {
  const transaction = transactions.rows.get(id);
  const lines: TimelineLine[] = [...(timeline.get(id) ?? [])];
  if (transaction === undefined) return lines;
  const first = {
    version: 1,
    from: null,
    to: lines[0]?.from ?? transaction.state,
    actor: accepted.get(id)!.keyId,
    reason: 'accepted',
    evidence: null,
    atMs: transaction.createdAtMs,
  };
  return [first, ...lines];
}

export function findRepeated(
  memory: Memory,
  { businessId, mode }: BusinessScope,
  { reference, idempotencyKey, quoteId, bodyHash }: Parameters<Store['findRepeated']>[1],
): Transaction | undefined {
  if (idempotencyKey !== null) {
    const bound = memory.idempotencyKeys.get(joined(businessId, mode, idempotencyKey));
    if (bound?.requestHash === bodyHash) return memory.transactions.rows.get(bound.transactionId);
  }
  const named = reference === null ? undefined : memory.references.get(joined(businessId, mode, reference));
  const quoted = quoteId === null ? undefined : memory.quotes.get(quoteId)?.transactionId;
  const id = [named, quoted].find((each) => each && memory.accepted.get(each)?.bodyHash === bodyHash);
  const found = memory.transactions.rows.get(id ?? '');
  return found?.businessId === businessId && found.mode === mode ? found : undefined;
}

export function hasOpenReturn(
  { notices, groups }: Memory,
  mode: Mode,
  rail: string,
  reference: string,
): boolean {
  return rowsIn(notices, groups.openNotices, reference).some(
    (notice) => notice.mode === mode && notice.source === rail && notice.kind === 'payout_returned',
  );
}

export function findTransaction(
  { transactions }: Memory,
  scope: BusinessScope,
  id: string,
): Transaction | undefined {
  const found = transactions.rows.get(id);
  return found?.businessId === scope.businessId && found.mode === scope.mode ? found : undefined;
}

export function listTransactions(
  { transactions }: Memory,
  { businessId, mode }: BusinessScope,
  filter: TransactionFilter,
): Transaction[] {
  const listed: Transaction[] = [];
  for (const each of transactions.rows.values())
    if (each.businessId === businessId && each.mode === mode && isListed(each, filter)) listed.push(each);
  return listed.sort(newestFirst).slice(0, filter.limit);
}

function isListed(each: Transaction, filter: TransactionFilter): boolean {
  const { type, state, reference, createdFromMs, createdToMs, after } = filter;
  if (type !== undefined && each.type !== type) return false;
  if (state !== undefined && each.state !== state) return false;
  if (reference !== undefined && each.reference !== reference) return false;
  if (createdFromMs !== undefined && each.createdAtMs < createdFromMs) return false;
  if (createdToMs !== undefined && each.createdAtMs > createdToMs) return false;
  return after === undefined || newestFirst(after, each) < 0;
}

function newestFirst(
  a: { readonly id: string; readonly createdAtMs: number },
  b: { readonly id: string; readonly createdAtMs: number },
): number {
  return b.createdAtMs - a.createdAtMs || byId(b, a);
}
