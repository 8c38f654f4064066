// The bytes of a simulated network: which payments share them, and how they are signed and read. The hash covers every order in
// the bytes.
import type { Network } from '../../../ports/networks/network.ts';
import type { Payment } from '../../../ports/networks/network-payer.ts';
import { runOrUnknown, type Simulation } from '../../simulation/simulation.ts';
import type { FamilyLooks } from './family-looks.ts';

/** Signed bytes stay valid for some paces, plus time for a busy service to store them first. */
const BOUND_PACES = 5;
const BOUND_SLACK_MS = 1_000;

type SignedOrder = Pick<Payment, 'orderId' | 'about' | 'to' | 'amountMinor'>;
export type SignedOrders = readonly [SignedOrder, ...SignedOrder[]];

export interface EnvelopeBytes {
  readonly orders: SignedOrders;
  readonly boundMs: number;
}

export interface SigningParts {
  readonly simulation: Simulation;
  readonly name: string;
  readonly looks: FamilyLooks;
}

export function makePrepare({ simulation, name, looks }: SigningParts): Network['prepare'] {
  let signed = 0;
  const sign = (orders: SignedOrders, sequence: string | null) => {
    const signedAtMs = simulation.clock.now();
    const boundMs = signedAtMs + BOUND_PACES * simulation.paceMs + BOUND_SLACK_MS;
    const payload = JSON.stringify({
      network: name,
      orders: orders.map(({ orderId, about, to, amountMinor }) => ({
        orderId,
        about,
        to,
        amountMinor: `${amountMinor}`,
      })),
      // The time and the counter make the bytes of each attempt different.
      nonce: `${signedAtMs}-${signed++}`,
      boundMs,
    });
    const hash = looks.transactionHash('payment', payload);
    const orderIds = orders.map(({ orderId }) => orderId);
    const bound = `${boundMs}`;
    return { hash, source: looks.treasury, sequence, payload, bound, signedAtMs, orderIds };
  };
  return async (payments, turn) => {
    const groups = await runOrUnknown(() => groupPayments(simulation, payments));
    const sequenceOf = (index: number) =>
      simulation.ordered === true ? `${BigInt(turn.lastSequence ?? 0n) + 1n + BigInt(index)}` : null;
    if (!('kind' in groups))
      return { envelopes: groups.map((group, index) => sign(group, sequenceOf(index))), waiting: [] };
    const obstacle = { obstacle: 'network_unreachable', detail: groups.reason } as const;
    return { envelopes: [], waiting: payments.map(({ orderId }) => ({ orderId, ...obstacle })) };
  };
}

/** Decides which payments share a transaction. Payments that need a separate transaction or have a scenario do not share one. */
async function groupPayments(
  { world, batch = 1 }: Simulation,
  payments: readonly Payment[],
): Promise<SignedOrders[]> {
  const single = await Promise.all(
    payments.map(
      async ({ alone, about }) =>
        batch === 1 || alone || (about !== null && (await world.plays.scenarioOf(about)) !== undefined),
    ),
  );
  const groups: SignedOrders[] = [];
  let open: [SignedOrder, ...SignedOrder[]] | undefined;
  for (const [index, payment] of payments.entries()) {
    if (payment.from !== null) throw new Error('deposits come to the treasury itself on a simulated network');
    if (!single[index] && open !== undefined && open.length < batch) {
      open.push(payment);
      continue;
    }
    const group: [SignedOrder, ...SignedOrder[]] = [payment];
    groups.push(group);
    if (!single[index]) open = group;
  }
  return groups;
}

export function readEnvelopeBytes(payload: string): EnvelopeBytes {
  // Bytes in the old format contain a single order.
  const { orders, boundMs, ...one } = JSON.parse(payload);
  const read = (order: { amountMinor: string }) => ({ ...order, amountMinor: BigInt(order.amountMinor) });
  return { orders: (orders ?? [one]).map(read), boundMs };
}
