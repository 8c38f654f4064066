// Checks payments. No token leaves without a payment, nothing is paid twice, and no more goes out than came in. The payments of
// the outside world equal the stored and decided payments.
import { PAYING_FATES, type WorldTransfer } from '../../../src/adapters/simulation/simulated-world.ts';
import { type Movement, parseBankReference } from '../../../src/domain/records/movement.ts';
import { isMade, type PaidRow } from '../world/rails/options.ts';
import type { WatchParts } from './watch-parts.ts';

export interface PaymentsWatch {
  readonly paid: ReadonlySet<string>;
  transfer(row: WorldTransfer): void;
  payout(row: PaidRow): void;
  returned(row: PaidRow): void;
}

export function watchPayments(parts: WatchParts): PaymentsWatch {
  const { tables, kobo, isRestored, broken } = parts;
  const paid = new Set<string>();
  const leftFor = new Map<string, bigint>();

  const paidOutside = (
    movementId: string,
    { hash, rail }: { readonly hash: string; readonly rail: string | null },
    amountMinor: bigint,
    to: string,
  ) => {
    const movement = tables().movements.get(movementId);
    const isKnown = tables()
      .attempts.get(movementId)
      ?.some((attempt) => attempt.reference === hash && attempt.rail === rail);
    if (!isKnown && isRestored()) return void paid.add(movementId);
    if (movement === undefined)
      return broken('what is paid was written down before', `${movementId} is paid and unknown`, movementId);
    const subject = movement.transactionId ?? movement.creditId ?? movement.depositId;
    if (!isKnown) broken('what is signed is stored before it is sent', `${movementId}: ${hash}`, subject);
    if (paid.has(movementId)) broken('nothing is paid twice', `${movementId} is paid again`, subject);
    paid.add(movementId);
    const { destination } = movement;
    const target =
      destination && ('address' in destination ? destination.address : destination.accountNumber);
    if (movement.amountMinor !== amountMinor || target !== to)
      broken('what is paid is what was decided', `${movementId}: ${amountMinor} to ${to}`, subject);
    if (movement.network !== null && kobo(movement.network, amountMinor) !== movement.nairaMinor)
      broken(
        'tokens are worth their naira',
        `${movementId}: ${amountMinor} for ${movement.nairaMinor}`,
        subject,
      );
    if (movement.kind !== 'withdrawal') noMoreOutThanIn(parts, paid, movement);
  };
  /**
   * Checks the outside world's own books, which do not depend on the service's books: a buy is sent once, and a sell is paid
   * out once.
   */
  const onceByTheirBooks = (about: string | null, type: 'buy' | 'sell', nairaMinor: bigint) => {
    const transaction = about === null ? undefined : tables().transactions.get(about);
    if (transaction?.type !== type) return;
    const outMinor = (leftFor.get(transaction.id) ?? 0n) + nairaMinor;
    leftFor.set(transaction.id, outMinor);
    if (outMinor > transaction.amountMinor)
      broken('nothing is paid twice', `${outMinor} of ${transaction.amountMinor}`, transaction.id);
  };
  return {
    paid,
    transfer: ({ orderId, hash, network, about, amountMinor, address, fate }) => {
      if (!PAYING_FATES.includes(fate)) return;
      onceByTheirBooks(about, 'buy', kobo(network, amountMinor));
      paidOutside(orderId, { hash, rail: null }, amountMinor, address);
    },
    payout: (row) => {
      if (!isMade(row)) return;
      const { reference, rail, about, amountMinor, accountNumber } = row;
      onceByTheirBooks(about, 'sell', amountMinor);
      paidOutside(parseBankReference(reference), { hash: reference, rail }, amountMinor, accountNumber);
    },
    // If the bank returned a payment, another movement may make it again.
    returned: ({ about, reference, amountMinor }) => {
      if (about !== null && leftFor.has(about)) leftFor.set(about, leftFor.get(about)! - amountMinor);
      paid.delete(parseBankReference(reference));
    },
  };
}

function noMoreOutThanIn(
  parts: WatchParts,
  paid: ReadonlySet<string>,
  { transactionId, creditId, depositId }: Movement,
): void {
  const { tables, broken } = parts;
  const alike = (each: Movement) =>
    transactionId === null
      ? each.creditId === creditId && each.depositId === depositId
      : each.transactionId === transactionId;
  const transaction = transactionId === null ? undefined : tables().transactions.get(transactionId)!;
  let outMinor = 0n;
  for (const movement of tables().movements.values()) {
    if (!paid.has(movement.id) || !alike(movement)) continue;
    outMinor += movement.nairaMinor + (movement.kind === 'refund' ? 0n : transaction!.feeMinor);
  }
  const inMinor = cameIn(parts, transaction?.type, { transactionId, creditId, depositId });
  if (outMinor > inMinor)
    broken(
      'no more goes out than came in',
      `${outMinor} out, ${inMinor} in`,
      transactionId ?? creditId ?? depositId,
    );
}

/** The service may send tokens only after it matched a credit, and may make a payout only after a final deposit. */
export function mayLeave(parts: WatchParts, movement: Movement): void {
  const { tables, broken } = parts;
  const { kind, transactionId } = movement;
  if (kind === 'refund' || transactionId === null) return;
  const transaction = tables().transactions.get(transactionId)!;
  if (kind === 'send') {
    let inMinor = 0n;
    for (const credit of tables().credits.values())
      if (credit.transactionId === transactionId && credit.state === 'matched') inMinor += credit.amountMinor;
    if (inMinor < transaction.amountMinor)
      broken('no token leaves without a matched credit', `${movement.id} for ${inMinor}`, transactionId);
    if (movement.nairaMinor + transaction.feeMinor !== transaction.amountMinor)
      broken('what is sent is what was bought', `${movement.id}: ${movement.nairaMinor}`, transactionId);
    return;
  }
  const final = finalTokens(parts, transactionId);
  if (final < transaction.amountMinor)
    broken('no payout without a final deposit', `${movement.id}: ${final} is final`, transactionId);
  if (movement.nairaMinor + transaction.feeMinor !== transaction.amountMinor)
    broken('what is paid out is what was sold', `${movement.id}: ${movement.nairaMinor}`, transactionId);
}

// Counts what really arrived for a transaction, a credit or a deposit, in kobo. The data comes from the networks themselves and
// from the stored credits.

function finalTokens({ tables, happened, now, kobo }: WatchParts, transactionId: string): bigint {
  const tokens = new Map<string, bigint>();
  for (const { transactionId: owner, txHash } of tables().deposits.values()) {
    if (owner !== transactionId) continue;
    const arrival = happened().arrivals.find((each) => each.txHash === txHash);
    if (arrival?.fate !== 'settles' || !arrival.ourToken || arrival.settledAtMs > now()) continue;
    tokens.set(arrival.network, (tokens.get(arrival.network) ?? 0n) + arrival.amountMinor);
  }
  let total = 0n;
  for (const [network, amount] of tokens) total += kobo(network, amount);
  return total;
}

function cameIn(
  parts: WatchParts,
  type: 'buy' | 'sell' | undefined,
  { transactionId, creditId, depositId }: Pick<Movement, 'transactionId' | 'creditId' | 'depositId'>,
): bigint {
  const { tables, kobo } = parts;
  if (type === 'sell') return finalTokens(parts, transactionId!);
  if (depositId !== null && transactionId === null) {
    const { network, amountMinor } = tables().deposits.get(depositId)!;
    return kobo(network, amountMinor);
  }
  let inMinor = 0n;
  for (const credit of tables().credits.values()) {
    const counts = transactionId === null ? credit.id === creditId : credit.transactionId === transactionId;
    if (counts && !['unmatched', 'review', 'split'].includes(credit.state)) inMinor += credit.amountMinor;
  }
  return inMinor;
}
