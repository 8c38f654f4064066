// Converts between attempts and their records: the signed bytes, their versions, and their orders.
import { computeCostShare, type NetworkCost } from '../../../domain/movements/entries.ts';
import type { Attempt, Movement, Replacement } from '../../../domain/records/movement.ts';
import type { Envelope, EnvelopeCost, SignedTransaction } from '../../../ports/networks/network-payer.ts';

/** Makes the record of signed bytes. The service stores it before it broadcasts them. */
export function makeSendAttempt(
  { id, mode, network, attempts }: Movement,
  { hash, source, sequence, payload, bound, signedAtMs }: SignedTransaction,
  { index, orders }: Pick<Attempt, 'index' | 'orders'>,
): Attempt {
  return {
    movementId: id,
    no: attempts,
    mode,
    network,
    rail: null,
    reference: hash,
    source,
    sequence,
    payload,
    bound,
    index,
    orders,
    replacements: [],
    state: 'prepared',
    evidence: null,
    atMs: signedAtMs,
    updatedAtMs: signedAtMs,
  };
}

export function envelopeOf(attempt: Attempt): Envelope {
  const { reference, source, sequence, payload, bound, atMs, orders, replacements } = attempt;
  const wallet = { source: source!, sequence };
  return {
    orderIds: orders,
    versions: [
      { hash: reference, ...wallet, payload: payload!, bound, signedAtMs: atMs },
      ...replacements.map((each) => ({
        hash: each.hash,
        ...wallet,
        payload: each.payload,
        bound: each.bound,
        signedAtMs: each.atMs,
      })),
    ],
  };
}

export function makeReplacement(
  attempt: Attempt,
  { hash, payload, bound, signedAtMs }: SignedTransaction,
): Replacement {
  const { mode, network, reference, replacements } = attempt;
  return {
    mode,
    network: network!,
    reference,
    no: replacements.length + 2,
    hash,
    payload,
    bound,
    atMs: signedAtMs,
  };
}

/** Returns this attempt's share of the network fee of the envelope, because one envelope can pay several orders. */
export function costShareOf({ index, orders }: Attempt, cost: EnvelopeCost | null): NetworkCost | null {
  if (cost === null) return null;
  const own = (amounts: EnvelopeCost['opened']) =>
    amounts.reduce((sum, each) => (each.index === index ? sum + each.amountMinor : sum), 0n);
  return {
    asset: cost.asset,
    feeMinor: computeCostShare(cost.feeMinor, index, orders.length),
    openedMinor: own(cost.opened),
    closedMinor: own(cost.closed ?? []),
  };
}
