// What really arrived for a transaction, a credit or a deposit, in kobo, according to the networks themselves and to the stored
// credits.
import type { Movement } from '../../../src/domain/records/movement.ts';
import type { WatchParts } from './watch-parts.ts';

/** The final deposits of a sell according to the networks themselves, in kobo. */
export function finalTokens({ tables, happened, now, kobo }: WatchParts, transactionId: string): bigint {
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

export function cameIn(
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
