// Compares the real incoming payments in the outside world's own books with the service's books. Each payment is recorded once,
// used once, and kept or returned to the kobo.
import assert from 'node:assert/strict';
import type { ArrivalRow, Books } from './books.ts';

/**
 * Every incoming payment must be recorded once and pay at most one transaction. One payment must pay for each completed buy.
 */
export function assertCreditsUsedOnce({ transactions, credits, matches, movements, lines }: Books): void {
  const reported = lines.filter(({ kind }) => kind === 'credit');
  const bySource = (each: readonly { source_id: string; amount_minor: bigint }[]) =>
    each.map(({ source_id, amount_minor }) => `${source_id} ${amount_minor}`).sort();
  assert.deepEqual(bySource(credits), bySource(reported), 'every payment the bank reported is stored, once');
  assert.equal(
    new Set(matches.map(({ credit_id }) => credit_id)).size,
    matches.length,
    'one credit, one transaction',
  );
  const amountOf = new Map(credits.map(({ id, amount_minor }) => [id, amount_minor]));
  const matchedTo = Map.groupBy(matches, ({ transaction_id }) => transaction_id);
  const refundsOf = Map.groupBy(
    movements.filter(({ kind }) => kind === 'refund'),
    ({ transaction_id }) => transaction_id,
  );
  for (const { id, state, amount_minor, received_minor } of transactions.filter(
    ({ type }) => type === 'buy',
  )) {
    const paid = (matchedTo.get(id) ?? []).map(({ credit_id }) => amountOf.get(credit_id)!);
    const back = (refundsOf.get(id) ?? []).reduce((sum, refund) => sum + refund.naira_minor, 0n);
    assert.deepEqual(
      paid,
      state === 'completed' ? [amount_minor + back] : [],
      `what paid ${id}, which is ${state}`,
    );
    assert.equal(received_minor, state === 'completed' ? amount_minor : 0n, `received for ${id}`);
  }
}

/**
 * Every incoming transfer must be recorded once. The service keeps it for the sell or returns it, unless the network removed
 * it.
 */
export function assertDepositsUsedOnce(
  { transactions, deposits, arrivals }: Books,
  decimals: ReadonlyMap<string, number>,
): void {
  const kobo = ({ amount_minor, network }: Pick<ArrivalRow, 'amount_minor' | 'network'>) =>
    amount_minor / 10n ** BigInt(decimals.get(network)! - 2);
  const amounts = (each: readonly Pick<ArrivalRow, 'tx_hash' | 'amount_minor'>[]) =>
    each.map(({ tx_hash, amount_minor }) => `${tx_hash} ${amount_minor}`).sort();
  const counted = (each: { state: string }) => each.state !== 'gone';
  const settled = arrivals.filter(({ fate }) => fate === 'settles');
  assert.equal(deposits.length, arrivals.length, 'every transfer is written down, once');
  assert.deepEqual(amounts(deposits.filter(counted)), amounts(settled), 'what counts is what stayed');
  const depositsOf = Map.groupBy(deposits.filter(counted), ({ transaction_id }) => transaction_id);
  for (const { id, state, received_minor, refunded_minor } of transactions.filter(
    ({ type }) => type === 'sell',
  )) {
    const own = depositsOf.get(id) ?? [];
    const inKobo = own.reduce((sum, deposit) => sum + kobo(deposit), 0n);
    // Fractions of a kobo in several transfers add up to whole kobo once the full amount has arrived.
    const [first] = own;
    const tokens = own.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
    const together = first === undefined ? 0n : kobo({ ...first, amount_minor: tokens });
    const explained = (state === 'refunded' ? 0n : received_minor) + refunded_minor;
    const about = `what came for ${id}, which is ${state}, is kept or went back`;
    if (state === 'completed') assert.equal(explained, together, about);
    else assert.ok(explained === inKobo || explained === together, `${about}: ${explained} of ${together}`);
  }
}
