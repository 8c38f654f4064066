// Decides what happens to a signed payment on a simulated network. A scenario or a fault sets it. The file also finds the
// status of the payment at a given time.
import { DeathProof } from '../../../domain/movements/proof-of-death.ts';
import type { SendStatus } from '../../../ports/networks/network-payer.ts';
import type { Scenario } from '../../../ports/sandbox.ts';
import type { TransferFate, WorldTransfer } from '../../simulation/simulated-world.ts';

const REFUSALS = 3;

const BROADCAST_TROUBLES = [
  'no_connection',
  'answer_lost',
  'slow',
  'dropped',
  'reorganised',
  'rejected',
  'fails',
] as const;
/** These faults need a payment with several orders, and such payments are rare. So the list contains these faults three times. */
const SHARED_TROUBLES = ['one_unpaid', 'one_fails'] as const;
const BATCH_TROUBLES = [
  ...BROADCAST_TROUBLES,
  ...SHARED_TROUBLES,
  ...SHARED_TROUBLES,
  ...SHARED_TROUBLES,
] as const;
type SendTrouble = (typeof BATCH_TROUBLES)[number];

export function troublesOf(orders: number): readonly SendTrouble[] {
  return orders > 1 ? BATCH_TROUBLES : BROADCAST_TROUBLES;
}

/** What a scenario makes happen to a payment. It depends on how many other attempts for the same order the network has seen. */
export function scenarioPlan(scenario: Scenario | undefined, earlier: number) {
  const fate = (fate: TransferFate, answerLost = false) => ({ fate, answerLost });
  if (scenario === 'send_fails' && earlier < REFUSALS) return fate('rejected');
  if (earlier > 0) return undefined;
  if (scenario === 'send_unknown') return fate('lands', true);
  if (scenario === 'send_dropped') return fate('dropped');
  if (scenario === 'send_reorganised') return fate('reorganised');
  return undefined;
}

export function fateOf(trouble: SendTrouble | undefined): TransferFate {
  switch (trouble) {
    case 'dropped':
    case 'reorganised':
    case 'rejected':
    case 'fails':
      return trouble;
    case 'one_fails':
      return 'fails';
    default:
      return 'lands';
  }
}

export function expireIfLate(wanted: WorldTransfer, boundMs: number): WorldTransfer {
  if (wanted.atMs > boundMs) return { ...wanted, fate: 'expired' };
  const mayLand = wanted.includedAtMs <= boundMs || wanted.fate === 'rejected';
  return mayLand ? wanted : { ...wanted, fate: 'dropped' };
}

/** The status of all orders with the same hash. The same happens to all of them, except that one of them may be unpaid. */
export function statusOf(
  rows: readonly [WorldTransfer, ...WorldTransfer[]],
  nowMs: number,
  boundMs: number,
  confirmations: number,
): SendStatus {
  const { hash, fate, atMs, includedAtMs, finalAtMs } = rows[0];
  if (fate === 'rejected' || fate === 'expired')
    return { kind: 'dead', death: proveRefusal(rows[0], boundMs) };
  if (fate === 'dropped') {
    const death = proveAbsence(nowMs, boundMs + 1, { fate, boundMs });
    return death === undefined ? { kind: 'pending' } : { kind: 'dead', death };
  }
  if (nowMs >= finalAtMs) {
    if (fate === 'fails') {
      const reason = 'the payment was included but reverted: it paid nothing';
      return { kind: 'failed', reason, cost: null, ...culpritsOf(rows) };
    }
    const unpaid = rows.flatMap((row, index) => (row.fate === 'unpaid' ? [{ index, reason: UNPAID }] : []));
    return { kind: 'final', hash, evidence: { includedAtMs, finalAtMs }, unpaid, cost: null };
  }
  if (nowMs >= includedAtMs) {
    const passed = Math.floor(((confirmations - 1) * (nowMs - includedAtMs)) / (finalAtMs - includedAtMs));
    return { kind: 'included', confirmations: 1 + passed };
  }
  // In the second third of the time until it is included, the payment is in a block that is later abandoned.
  const third = (includedAtMs - atMs) / 3;
  const inLostBlock = fate === 'reorganised' && nowMs >= atMs + third && nowMs < includedAtMs - third;
  return inLostBlock ? { kind: 'included', confirmations: 1 } : { kind: 'pending' };
}

/** The simulation is the only provider, and its clock is used as the block height. */
function proveAbsence(atMs: number, impossibleFromMs: number, facts: { fate: string; boundMs: number }) {
  const absence = {
    provider: 'simulated',
    observedAt: BigInt(atMs),
    impossibleFrom: BigInt(impossibleFromMs),
  };
  return DeathProof.byAbsence([absence], 1, facts);
}

/** The stored row of a refusal is the proof. The row never changes, and a repeated broadcast of the bytes finds it. */
export function proveRefusal({ fate, atMs }: WorldTransfer, boundMs: number): DeathProof {
  const death = proveAbsence(atMs, fate === 'expired' ? boundMs + 1 : atMs, { fate, boundMs });
  if (death === undefined) throw new Error('a payment was marked as expired before its time limit');
  return death;
}

/** One of the payments caused the others to fail. For three of four hashes the network reports which one. */
function culpritsOf(rows: readonly WorldTransfer[]): { readonly culprits?: readonly number[] } {
  const sum = [...rows[0]!.hash].reduce((each, letter) => each + letter.charCodeAt(0), 0);
  return rows.length > 1 && sum % 4 > 0 ? { culprits: [sum % rows.length] } : {};
}

const UNPAID = 'the token did not go to this wallet';
