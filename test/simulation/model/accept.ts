// Accepts one request at a time. The transaction is new, or the outcome names the transaction that already has its key or its
// reference. A violation of the database's own rules throws an error, as in the adapter.
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Acceptance, AcceptOutcome, IdempotencyBinding } from '../../../src/ports/store/acceptance.ts';
import type { BusinessScope } from '../../../src/ports/store/reads.ts';
import { forbidden, put } from './table.ts';
import { joined, type Memory, type ModelKey } from './tables.ts';

export type OnScenario = (transactionId: string, scenario: string, atMs: number) => void;

const CREATED: AcceptOutcome = { kind: 'created' };

export function accept(
  memory: Memory,
  acceptance: Acceptance,
  nowMs: number,
  onScenario: OnScenario | undefined,
): AcceptOutcome {
  const key = memory.keys.get(acceptance.keyId);
  if (key === undefined || !insert(memory, acceptance, key, nowMs))
    return explain(memory, acceptance, key, nowMs);
  const { transaction, scenario } = acceptance;
  if (scenario !== null) onScenario?.(transaction.id, scenario, transaction.createdAtMs);
  return CREATED;
}

/** Returns false if something prevents the insertion. The business and the mode are those of the API key. */
function insert(memory: Memory, acceptance: Acceptance, key: ModelKey, nowMs: number): boolean {
  const { transaction: given, idempotency, bodyHash, keyId } = acceptance;
  const { businessId, mode } = key;
  const bound = idempotency && joined(businessId, mode, idempotency.key);
  if (bound !== null && memory.idempotencyKeys.has(bound)) return false;
  if (given.wallet !== null && isDepositAddress(memory, mode, given.wallet)) return false;
  const quote = given.quoteId === null ? undefined : quoteOf(memory, given.quoteId, key);
  if (given.quoteId !== null && !(quote?.transactionId === null && quote.expiresAtMs > nowMs)) return false;
  if (!isSound(given)) throw forbidden('transactions_sound');
  const reference = joined(businessId, mode, given.reference);
  if (memory.references.has(reference)) return false;
  if (memory.transactions.rows.has(given.id)) throw forbidden('transactions_pkey');
  const row = asStored(given, key);
  addTargets(memory, row);
  memory.references.set(reference, row.id);
  memory.accepted.set(row.id, { bodyHash, keyId });
  put(memory.transactions, row.id, row);
  if (quote !== undefined) memory.quotes.set(quote.id, { ...quote, transactionId: row.id });
  if (bound !== null) {
    const { key: name, requestHash } = idempotency!;
    const facts = { businessId, mode, key: name, requestHash, transactionId: row.id };
    memory.idempotencyKeys.set(bound, { ...facts, createdAtMs: row.createdAtMs });
  }
  return true;
}

function quoteOf({ quotes }: Memory, id: string, { businessId, mode }: BusinessScope): Quote | undefined {
  const quote = quotes.get(id);
  return quote?.businessId === businessId && quote.mode === mode ? quote : undefined;
}

function asStored(given: Transaction, { businessId, mode, linkTag = given.linkTag }: ModelKey): Transaction {
  return {
    ...given,
    ...{ businessId, mode, linkTag, version: 1, stateReason: null, exception: null, txHash: null },
    ...{ receivedMinor: 0n, refundedMinor: 0n, released: false, tries: 0 },
    deposits: given.type === 'sell' ? given.deposits : [],
    updatedAtMs: given.createdAtMs,
    dueAtMs: given.expiresAtMs,
  };
}

function isSound({ amountMinor, feeMinor, accountNumber, type, vendor }: Transaction): boolean {
  if (amountMinor <= 0n || feeMinor < 0n || feeMinor > amountMinor) return false;
  return [...accountNumber].length === 10 && (type === 'buy') === (vendor !== null);
}

function addTargets(memory: Memory, { id, mode, deposits }: Transaction): void {
  const targets = deposits.map(({ network, address, memo }) => joined(mode, network, address, memo ?? ''));
  if (targets.some((target, index) => memory.depositTargets.has(target) || targets.indexOf(target) < index))
    throw forbidden('deposit_targets_pkey');
  for (const target of targets) memory.depositTargets.set(target, id);
  for (const { network, address } of deposits) memory.depositAddresses.add(joined(mode, network, address));
}

/**
 * Returns why the transaction was not inserted: another transaction already has its idempotency key, its reference or its
 * quote, checked in this order.
 */
function explain(
  memory: Memory,
  acceptance: Acceptance,
  key: ModelKey | undefined,
  nowMs: number,
): AcceptOutcome {
  const { transaction: wanted, idempotency, bodyHash } = acceptance;
  const { businessId, mode, reference } = wanted;
  const keyed = idempotency && memory.idempotencyKeys.get(joined(businessId, mode, idempotency.key));
  const quote = wanted.quoteId === null ? undefined : quoteOf(memory, wanted.quoteId, wanted);
  const named = memory.references.get(joined(businessId, mode, reference));
  const foundId = keyed?.transactionId ?? named ?? quote?.transactionId ?? undefined;
  const found = foundId === undefined ? undefined : memory.transactions.rows.get(foundId);
  if (found?.id === wanted.id) return CREATED;
  if (key === undefined) return { kind: 'key_revoked' };
  if (keyed && keyed.requestHash !== idempotency.requestHash) return { kind: 'idempotency_key_reused' };
  if (found === undefined || (!keyed && memory.accepted.get(found.id)!.bodyHash !== bodyHash)) {
    if (found !== undefined && found.id === named) return { kind: 'reference_reused', transaction: found };
    return (
      (wanted.quoteId === null ? undefined : unusable(quote, found, nowMs)) ?? { kind: 'wallet_is_ours' }
    );
  }
  if (keyed) return { kind: 'repeated', transaction: found };
  if (idempotency !== null) bindIdempotencyKey(memory, wanted, idempotency, found.id, wanted.createdAtMs);
  return { kind: 'repeated', transaction: found };
}

function unusable(
  quote: Quote | undefined,
  user: Transaction | undefined,
  nowMs: number,
): AcceptOutcome | undefined {
  if (quote === undefined) return { kind: 'quote_unknown' };
  if (quote.transactionId !== null) return { kind: 'quote_used', transaction: user ?? null };
  const { expiresAtMs } = quote;
  return expiresAtMs <= nowMs ? { kind: 'quote_expired', expiresAtMs } : undefined;
}

export function bindIdempotencyKey(
  { idempotencyKeys }: Memory,
  { businessId, mode }: BusinessScope,
  { key, requestHash }: IdempotencyBinding,
  transactionId: string,
  createdAtMs: number,
): void {
  const name = joined(businessId, mode, key);
  if (idempotencyKeys.has(name)) return;
  idempotencyKeys.set(name, { businessId, mode, key, requestHash, transactionId, createdAtMs });
}

export function purgeIdempotencyKeys({ idempotencyKeys }: Memory, beforeMs: number): number {
  let purged = 0;
  for (const [name, { createdAtMs }] of idempotencyKeys) {
    if (createdAtMs >= beforeMs) continue;
    idempotencyKeys.delete(name);
    purged++;
  }
  return purged;
}

export function isDepositAddress(
  { depositAddresses }: Memory,
  mode: string,
  { network, address }: { readonly network: string; readonly address: string },
): boolean {
  return depositAddresses.has(joined(mode, network, address));
}
