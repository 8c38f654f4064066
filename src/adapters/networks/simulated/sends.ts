// What a simulated network does with a signed payment: takes it, refuses it, loses it, takes it back for a while, or
// takes it and says nothing. The fate is stored once, under the hash; after that only time passes. One hash pays at most
// once, and one that was called dead never lands.
import type { BroadcastOutcome, Network, Payment, Prepared, SendStatus } from '../../../ports/network.ts';
import type { Scenario } from '../../../ports/sandbox.ts';
import { ConnectionLost, connect, orUnknown, type Simulation } from '../../simulation/simulation.ts';
import type { Transfer, TransferFate } from '../../simulation/world.ts';
import type { Looks } from './families.ts';

/** How long signed bytes stay good: some paces, and time for a busy service to store them first. */
const BOUND_PACES = 5;
const BOUND_SLACK_MS = 1_000;
const REFUSALS = 3;
/** Included after a pace and final after another, a quarter more or less. */
const JITTER = 0.25;

const BROADCAST_TROUBLES = [
  'no_connection',
  'answer_lost',
  'slow',
  'dropped',
  'reorganised',
  'rejected',
  'fails',
] as const;
type Trouble = (typeof BROADCAST_TROUBLES)[number];

interface Order extends Payment {
  readonly boundMs: number;
}

export interface SendsOf {
  readonly simulation: Simulation;
  readonly name: string;
  readonly confirmations: number;
  readonly looks: Looks;
}

export function makeSends(parts: SendsOf): Pick<Network, 'prepare' | 'broadcast' | 'ask'> {
  const { simulation, name, confirmations, looks } = parts;
  let signed = 0;

  const transfer = (hash: string, order: Order, fate: TransferFate, slow: boolean): Transfer => {
    const atMs = simulation.clock.now();
    // Long enough in the block that is left behind for whoever asks at the usual time to have seen it there.
    const paces = fate === 'reorganised' ? 4 : slow ? 3 : 1;
    const includedAtMs = atMs + paceOf(hash, paces * simulation.paceMs);
    const finalAtMs = includedAtMs + paceOf(`${hash} final`, simulation.paceMs);
    const { orderId, about, to: address, amountMinor } = order;
    return { orderId, hash, network: name, about, address, amountMinor, atMs, includedAtMs, finalAtMs, fate };
  };
  const paceOf = (subject: string, spanMs: number) =>
    simulation.chance.between(subject, Math.floor(spanMs * (1 - JITTER)), Math.ceil(spanMs * (1 + JITTER)));

  const take = async ({ hash, payload }: Prepared): Promise<BroadcastOutcome> => {
    const trouble = simulation.chance.trouble('broadcast', hash, BROADCAST_TROUBLES);
    if (trouble === 'no_connection') throw new ConnectionLost('the connection failed');
    if (hash !== looks.transactionHash('payment', payload)) {
      return { kind: 'rejected', reason: 'the signature does not fit the bytes' };
    }
    const order = readOrder(payload);
    const plan = await planOf(order, hash, trouble);
    const wanted = transfer(hash, order, plan.fate, trouble === 'slow');
    const stored = await simulation.world.transfers.put(inTime(wanted, order.boundMs));
    if (trouble === 'answer_lost' || (plan.answerLost && stored.tries === 1)) {
      throw new ConnectionLost('the answer was lost');
    }
    if (stored.fate === 'rejected') return { kind: 'rejected', reason: 'the network refused it' };
    if (stored.fate === 'expired') return { kind: 'rejected', reason: 'it came after its time' };
    return { kind: 'accepted' };
  };

  const planOf = async (order: Order, hash: string, trouble: Trouble | undefined) => {
    const scenario = order.about === null ? undefined : await simulation.world.plays.scenarioOf(order.about);
    const told = scenario?.startsWith('send_') ? await earlierOf(order.orderId, hash) : 0;
    return scenarioPlan(scenario, told) ?? { fate: fateOf(trouble), answerLost: false };
  };
  const earlierOf = async (orderId: string, hash: string) =>
    (await simulation.world.transfers.ofOrder(orderId)).filter((row) => row.hash !== hash).length;

  const look = async ({ hash, payload }: Prepared): Promise<SendStatus> => {
    connect(simulation, 'ask', hash);
    const order = readOrder(payload);
    const found = await simulation.world.transfers.find({ orderId: order.orderId, hash });
    const nowMs = simulation.clock.now();
    if (found !== undefined) return statusOf(found, nowMs, order.boundMs, confirmations);
    if (nowMs <= order.boundMs) return { kind: 'pending' };
    // The proof of death is a row: a broadcast that is still on its way finds it and does nothing.
    const settled = await simulation.world.transfers.put(transfer(hash, order, 'expired', false));
    return statusOf(settled, nowMs, order.boundMs, confirmations);
  };

  return {
    prepare: async ({ orderId, about, to, amountMinor }) => {
      const nowMs = simulation.clock.now();
      const boundMs = nowMs + BOUND_PACES * simulation.paceMs + BOUND_SLACK_MS;
      // Time and count make the bytes of a new attempt new ones.
      const nonce = `${nowMs}-${signed++}`;
      const payload = JSON.stringify({
        network: name,
        orderId,
        about,
        to,
        amountMinor: `${amountMinor}`,
        nonce,
        boundMs,
      });
      const hash = looks.transactionHash('payment', payload);
      return { hash, source: looks.treasury, sequence: null, payload, bound: `${boundMs}` };
    },
    broadcast: (prepared) => orUnknown(() => take(prepared)),
    ask: (prepared) => orUnknown(() => look(prepared)),
  };
}

/** By when a payment that met no trouble is final. */
export function finalAfterMs(paceMs: number): number {
  return 2 * Math.ceil(paceMs * (1 + JITTER));
}

function readOrder(payload: string): Order {
  const order = JSON.parse(payload);
  return { ...order, amountMinor: BigInt(order.amountMinor) };
}

/** What could not be included before its bound never is. */
function inTime(wanted: Transfer, boundMs: number): Transfer {
  if (wanted.atMs > boundMs) return { ...wanted, fate: 'expired' };
  const mayLand = wanted.includedAtMs <= boundMs || wanted.fate === 'rejected';
  return mayLand ? wanted : { ...wanted, fate: 'dropped' };
}

/** What a story asks for, given how many other tries at the order the network has seen. */
function scenarioPlan(scenario: Scenario | undefined, earlier: number) {
  const fate = (fate: TransferFate, answerLost = false) => ({ fate, answerLost });
  if (scenario === 'send_fails' && earlier < REFUSALS) return fate('rejected');
  if (earlier > 0) return undefined;
  if (scenario === 'send_unknown') return fate('lands', true);
  if (scenario === 'send_dropped') return fate('dropped');
  if (scenario === 'send_reorganised') return fate('reorganised');
  return undefined;
}

function fateOf(trouble: Trouble | undefined): TransferFate {
  switch (trouble) {
    case 'dropped':
    case 'reorganised':
    case 'rejected':
    case 'fails':
      return trouble;
    default:
      return 'lands';
  }
}

function statusOf(row: Transfer, nowMs: number, boundMs: number, confirmations: number): SendStatus {
  const { fate, atMs, includedAtMs, finalAtMs } = row;
  if (fate === 'rejected' || fate === 'expired') return { kind: 'dead', evidence: { fate, boundMs } };
  if (fate === 'dropped') {
    return nowMs > boundMs ? { kind: 'dead', evidence: { fate, boundMs } } : { kind: 'pending' };
  }
  if (nowMs >= finalAtMs) {
    if (fate === 'fails')
      return { kind: 'failed', reason: 'the payment was included and undone: it paid nothing' };
    return { kind: 'final', evidence: { includedAtMs, finalAtMs } };
  }
  if (nowMs >= includedAtMs) {
    const passed = Math.floor(((confirmations - 1) * (nowMs - includedAtMs)) / (finalAtMs - includedAtMs));
    return { kind: 'included', confirmations: 1 + passed };
  }
  // Included in the second third of its wait, in a block that is then left behind.
  const third = (includedAtMs - atMs) / 3;
  const inLostBlock = fate === 'reorganised' && nowMs >= atMs + third && nowMs < includedAtMs - third;
  return inLostBlock ? { kind: 'included', confirmations: 1 } : { kind: 'pending' };
}
