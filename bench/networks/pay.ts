// Pays through the port of a network in the order that the settlement uses: ready, prepare, store, broadcast, then query until
// the payments are final. Data that the settlement stores in the database is kept in memory here.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Network } from '../../src/ports/networks/network.ts';
import type { Envelope, EnvelopeCost, Payment, WalletTurn } from '../../src/ports/networks/network-payer.ts';

export interface PaidAll {
  readonly seconds: number;
  readonly envelopes: number;
  readonly feeMinor: bigint;
  readonly openedMinor: bigint;
  /** The milliseconds from due to final, for each payment. */
  readonly tookMs: readonly number[];
}

/** The last sequence number of the treasury, which is kept from one round to the next. */
export interface Place {
  last: string | null;
}

interface Live {
  readonly envelope: Envelope;
  readonly amountMinor: bigint;
  askAtMs: number;
}

/** The number of payments that the settlement of the service claims at once. */
const AT_ONCE = 200;
const ASK_AGAIN_MS = 300;
const TICK_MS = 20;
const NO_TURN: WalletTurn = { lastSequence: null, live: 0, inFlightMinor: 0n };

export async function payAll(network: Network, payments: readonly Payment[], place: Place): Promise<PaidAll> {
  const beganAtMs = performance.now();
  const byOrder = new Map(payments.map((payment) => [payment.orderId, payment]));
  const live = new Set<Live>();
  const [costs, tookMs]: [EnvelopeCost[], number[]] = [[], []];
  let due = payments;
  let envelopes = 0;
  /** True means that the wallet can sign a new transaction only after a payment in progress has ended. */
  let full = false;
  await Promise.all(payments.map((payment) => refuseUnready(network, payment)));

  const signSome = async () => {
    const { signed, waits } = await signAndBroadcast(network, due.slice(0, AT_ONCE), byOrder, {
      lastSequence: place.last,
      live: live.size,
      inFlightMinor: [...live].reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    });
    for (const each of signed) {
      live.add(each);
      envelopes++;
      place.last = each.envelope.versions[0]!.sequence;
    }
    const gone = new Set(signed.flatMap(({ envelope }) => envelope.orderIds));
    due = due.filter(({ orderId }) => !gone.has(orderId));
    full = waits;
  };
  const askOne = async (each: Live) => {
    const status = await network.ask(each.envelope);
    each.askAtMs = performance.now() + ASK_AGAIN_MS;
    if (status.kind === 'pending' || status.kind === 'included') return;
    if (status.kind !== 'final' || status.unpaid.length > 0) throw new Error(`not paid: ${status.kind}`);
    live.delete(each);
    full = false;
    if (status.cost !== null) costs.push(status.cost);
    tookMs.push(...each.envelope.orderIds.map(() => performance.now() - beganAtMs));
  };
  while (due.length + live.size > 0) {
    if (due.length > 0 && !full) await signSome();
    const asked = [...live].filter(({ askAtMs }) => askAtMs <= performance.now());
    if (asked.length > 0) await Promise.all(asked.map(askOne));
    else if (full || due.length === 0) await sleep(TICK_MS);
  }
  return {
    seconds: (performance.now() - beganAtMs) / 1_000,
    envelopes,
    feeMinor: costs.reduce((sum, { feeMinor }) => sum + feeMinor, 0n),
    openedMinor: costs
      .flatMap(({ opened }) => opened)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    tookMs,
  };
}

async function refuseUnready(network: Network, payment: Payment): Promise<void> {
  const ready = await network.recipientReady(payment);
  if (ready !== 'ready') throw new Error(`${network.name}: a fresh wallet is ${ready}`);
}

async function signAndBroadcast(
  network: Network,
  payments: readonly Payment[],
  byOrder: ReadonlyMap<string, Payment>,
  turn: WalletTurn,
): Promise<{ readonly signed: readonly Live[]; readonly waits: boolean }> {
  const { envelopes, waiting } = await network.prepare(payments, network.orderedBy === null ? NO_TURN : turn);
  const obstacle = waiting.find((each) => each.obstacle !== 'turn_taken');
  if (obstacle !== undefined) throw new Error(`${network.name}: ${obstacle.obstacle}: ${obstacle.detail}`);
  const signed = envelopes.map(({ orderIds, ...prepared }): Live => {
    const amounts = orderIds.map((id) => byOrder.get(id)!.amountMinor);
    const amountMinor = amounts.reduce((sum, each) => sum + each, 0n);
    return { envelope: { versions: [prepared], orderIds }, amountMinor, askAtMs: 0 };
  });
  await Promise.all(
    signed.map(async (each) => {
      const outcome = await network.broadcast(each.envelope.versions[0]!);
      if (outcome.kind !== 'accepted') throw new Error(`${network.name}: a broadcast was ${outcome.kind}`);
      each.askAtMs = performance.now() + network.finalAfterMs;
    }),
  );
  return { signed, waits: waiting.length > 0 };
}
