// Simulates how a network handles signed payments. It accepts them, refuses them, drops them, removes them again for a while,
// or accepts them without a response. What happens to a hash is stored once, for all its orders, and never changes. Each hash
// pays an order at most once, and a hash that was reported as dead never pays.
import type { Network } from '../../../ports/networks/network.ts';
import type {
  BroadcastOutcome,
  Envelope,
  SendStatus,
  SignedTransaction,
} from '../../../ports/networks/network-payer.ts';
import type { TransferFate, WorldTransfer } from '../../simulation/simulated-world.ts';
import {
  ConnectionLost,
  failIfDisconnected,
  runOrUnknown,
  type Simulation,
} from '../../simulation/simulation.ts';
import { expireIfLate, fateOf, proveRefusal, scenarioPlan, statusOf, troublesOf } from './fates.ts';
import {
  type EnvelopeBytes,
  makePrepare,
  readEnvelopeBytes,
  type SignedOrders,
  type SigningParts,
} from './signing.ts';

/** A payment is included after about one pace and is final after one more. Each time varies by up to a quarter. */
const JITTER = 0.25;

export interface SendsParts extends SigningParts {
  readonly confirmations: number;
}

export function makeSends(
  parts: SendsParts,
): Pick<Network, 'prepare' | 'replace' | 'cancel' | 'broadcast' | 'ask' | 'shows'> {
  const { simulation, name, confirmations, looks } = parts;
  const { transfers } = simulation.world;

  const paceOf = (subject: string, spanMs: number) =>
    simulation.chance.between(subject, Math.floor(spanMs * (1 - JITTER)), Math.ceil(spanMs * (1 + JITTER)));
  /** Writes all rows together, so that after a crash the same applies to all orders of a hash. */
  const put = (hash: string, { orders, boundMs }: EnvelopeBytes, fates: FateOf, slow: boolean) => {
    const atMs = simulation.clock.now();
    // The payment stays in the abandoned block long enough that a usual status query sees it there.
    const paces = fates(0) === 'reorganised' ? 4 : slow ? 3 : 1;
    const includedAtMs = atMs + paceOf(hash, paces * simulation.paceMs);
    const finalAtMs = includedAtMs + paceOf(`${hash} final`, simulation.paceMs);
    const times = { atMs, includedAtMs, finalAtMs };
    const rows = orders.map(({ orderId, about, to: address, amountMinor }, index) =>
      expireIfLate(
        { orderId, hash, network: name, about, address, amountMinor, ...times, fate: fates(index) },
        boundMs,
      ),
    );
    return transfers.put(rows) as Promise<readonly [TriedTransfer, ...TriedTransfer[]]>;
  };

  const take = async ({ hash, payload }: SignedTransaction): Promise<BroadcastOutcome> => {
    const bytes = hash === looks.transactionHash('payment', payload) ? readEnvelopeBytes(payload) : undefined;
    const orders = bytes?.orders.length ?? 1;
    const trouble = simulation.chance.trouble('broadcast', hash, troublesOf(orders));
    if (trouble === 'no_connection') throw new ConnectionLost('the connection failed');
    if (bytes === undefined) return { kind: 'unknown', reason: 'the signature does not fit the bytes' };
    const plan = (await planOf(simulation.world, bytes.orders, hash)) ?? {
      fate: fateOf(trouble),
      answerLost: false,
    };
    const unpaid = trouble === 'one_unpaid' ? simulation.chance.between(`${hash} unpaid`, 0, orders - 1) : -1;
    const fates = (index: number) => (index === unpaid ? 'unpaid' : plan.fate);
    const [stored] = await put(hash, bytes, fates, trouble === 'slow');
    if (trouble === 'answer_lost' || (plan.answerLost && stored.tries === 1)) {
      throw new ConnectionLost('the answer was lost');
    }
    if (stored.fate === 'rejected' || stored.fate === 'expired') {
      const reason = stored.fate === 'rejected' ? 'the network refused it' : 'it came after its time limit';
      return { kind: 'rejected', reason, death: proveRefusal(stored, bytes.boundMs) };
    }
    return { kind: 'accepted' };
  };

  const look = async ({ versions }: Envelope): Promise<SendStatus> => {
    const { hash, payload } = versions.at(-1)!;
    failIfDisconnected(simulation, 'ask', hash);
    const bytes = readEnvelopeBytes(payload);
    const found = await Promise.all(bytes.orders.map(({ orderId }) => transfers.find({ orderId, hash })));
    const nowMs = simulation.clock.now();
    const status = (rows: TransferRows) => statusOf(rows, nowMs, bytes.boundMs, confirmations);
    if (areAllFound(found)) return status(found);
    if (nowMs <= bytes.boundMs) return { kind: 'pending' };
    // The proof that the payment is dead is a row. A late broadcast finds the row and has no effect.
    return status(await put(hash, bytes, () => 'expired', false));
  };

  return {
    prepare: makePrepare(parts),
    replace: async () => undefined,
    cancel: async () => undefined,
    broadcast: (prepared) => runOrUnknown(() => take(prepared)),
    ask: (envelope) => runOrUnknown(() => look(envelope)),
    shows: (envelope) => isShown(parts, envelope),
  };
}

async function isShown({ simulation, confirmations }: SendsParts, { versions }: Envelope): Promise<boolean> {
  const { hash, payload } = versions.at(-1)!;
  const { orders, boundMs } = readEnvelopeBytes(payload);
  const { transfers } = simulation.world;
  const found = await Promise.all(orders.map(({ orderId }) => transfers.find({ orderId, hash })));
  if (!areAllFound(found)) return false;
  const { kind } = statusOf(found, simulation.clock.now(), boundMs, confirmations);
  return kind === 'final' || kind === 'included';
}

/** Scenarios apply only to payments that are alone in their envelope. */
async function planOf(
  { transfers, plays }: SendsParts['simulation']['world'],
  [order, ...others]: SignedOrders,
  hash: string,
) {
  if (others.length > 0 || order.about === null) return undefined;
  const scenario = await plays.scenarioOf(order.about);
  if (!scenario?.startsWith('send_')) return scenarioPlan(scenario, 0);
  const earlier = (await transfers.ofOrder(order.orderId)).filter((row) => row.hash !== hash);
  return scenarioPlan(scenario, earlier.length);
}

type FateOf = (index: number) => TransferFate;
type TriedTransfer = WorldTransfer & { readonly tries: number };
type TransferRows = readonly [WorldTransfer, ...WorldTransfer[]];

export function finalityDelayMs(paceMs: number): number {
  return 2 * Math.ceil(paceMs * (1 + JITTER));
}

/** All rows of a hash are written together. If one is missing, all of them count as missing. */
function areAllFound(rows: readonly (WorldTransfer | undefined)[]): rows is TransferRows {
  return rows.every((row) => row !== undefined);
}

// The outflows of a simulated network's treasury, read from the network's own rows and not from the service's records.

/** The clocks of processes differ a little, so a row that another process writes now may already be final. */
const CLOCKS_DIFFER_MS = 2_000;

export function makeOutflows(simulation: Simulation, name: string): Network['outflows'] {
  return async (position) => {
    failIfDisconnected(simulation, 'outflows', name);
    const nowMs = simulation.clock.now();
    const next = `${nowMs - CLOCKS_DIFFER_MS}`;
    if (position === null) return { outflows: [], unreadable: [], position: `${nowMs}` };
    const rows = await simulation.world.transfers.paidSince(name, Number(position), nowMs);
    const counts = new Map<string, number>();
    const outflows = rows.map(({ hash: txHash, address: to, amountMinor }) => {
      const index = counts.get(txHash) ?? 0;
      counts.set(txHash, index + 1);
      return { txHash, innerHash: null, index, to, amountMinor };
    });
    return { outflows, unreadable: [], position: Number(next) > Number(position) ? next : position };
  };
}
