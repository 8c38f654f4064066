// Defines how the simulated bank handles a payout. It pays the payout, refuses it permanently, or pays it and gives uncertain
// responses for a while. A reference is paid at most once, even if it is submitted several times. `failed` is final.
import { hash } from 'node:crypto';
import type { PayoutOrder, PayoutStatus, RailPayouts } from '../../../ports/rails/rail-payouts.ts';
import type { Scenario } from '../../../ports/sandbox.ts';
import type { PayoutFate, WorldPayout } from '../../simulation/simulated-world.ts';
import {
  ConnectionLost,
  failIfDisconnected,
  runOrUnknown,
  type Simulation,
} from '../../simulation/simulation.ts';

// These are the charges of the simulated bank for a payout: the transfer fee by amount, VAT on the fee, and stamp duty, which
// the sender pays.
const FEE_STEPS: readonly { readonly upToMinor: bigint; readonly feeMinor: bigint }[] = [
  { upToMinor: 5_000_00n, feeMinor: 10_00n },
  { upToMinor: 50_000_00n, feeMinor: 25_00n },
];
const HIGHEST_FEE_MINOR = 50_00n;
const VAT_PER_MILLE = 75n;
const STAMP_DUTY_MINOR = 50_00n;
const STAMP_DUTY_FROM_MINOR = 10_000_00n;

export function payoutChargeMinor(amountMinor: bigint): bigint {
  const step = FEE_STEPS.find(({ upToMinor }) => amountMinor <= upToMinor);
  const feeMinor = step?.feeMinor ?? HIGHEST_FEE_MINOR;
  const dutyMinor = amountMinor >= STAMP_DUTY_FROM_MINOR ? STAMP_DUTY_MINOR : 0n;
  return feeMinor + perMilleHalfUp(feeMinor, VAT_PER_MILLE) + dutyMinor;
}

function perMilleHalfUp(amountMinor: bigint, perMille: bigint): bigint {
  return (amountMinor * perMille + 500n) / 1_000n;
}

const PAY_TROUBLES = ['no_connection', 'answer_lost', 'missing', 'unclear', 'slow', 'fails'] as const;
type PayoutTrouble = (typeof PAY_TROUBLES)[number];

const INSTITUTION = '999999';
const LAGOS_OFFSET_MS = 3_600_000;

export function makeSimulatedPayouts(simulation: Simulation): Pick<RailPayouts, 'pay' | 'ask'> {
  const take = async (order: PayoutOrder): Promise<PayoutStatus> => {
    const { world, clock, chance } = simulation;
    const trouble = chance.trouble('pay', order.reference, PAY_TROUBLES);
    if (trouble === 'no_connection') throw new ConnectionLost('the connection failed');
    const scenario = order.about === null ? undefined : await world.plays.scenarioOf(order.about);
    const fate = fateOf(scenario, trouble);
    const stored = await world.payouts.put(makePayout(simulation, order, fate, trouble === 'slow'));
    const silent = stored.tries === 1 && (fate === 'unclear' || fate === 'missing');
    if (trouble === 'answer_lost' || silent) throw new ConnectionLost('the answer was lost');
    return statusOfPayout(stored, clock.now());
  };
  const look = async (reference: string): Promise<PayoutStatus> => {
    failIfDisconnected(simulation, 'ask', reference);
    const stored = await simulation.world.payouts.find({ reference });
    return stored === undefined ? { kind: 'not_found' } : statusOfPayout(stored, simulation.clock.now());
  };
  return {
    pay: (order) => runOrUnknown(() => take(order)),
    ask: (reference) => runOrUnknown(() => look(reference)),
  };
}

function fateOf(scenario: Scenario | undefined, trouble: PayoutTrouble | undefined): PayoutFate {
  if (scenario === 'payout_fails') return 'fails';
  if (scenario === 'payout_unknown') return 'unclear';
  return trouble === 'missing' || trouble === 'unclear' || trouble === 'fails' ? trouble : 'pays';
}

function makePayout(
  { clock, chance, paceMs }: Simulation,
  order: PayoutOrder,
  fate: PayoutFate,
  slow: boolean,
): WorldPayout {
  const { reference, about, amountMinor, destination } = order;
  const { bankCode, accountNumber } = destination;
  const atMs = clock.now();
  const spanMs = (slow || fate === 'unclear' || fate === 'missing' ? 3 : 1) * paceMs;
  const settledAtMs = atMs + chance.between(reference, Math.floor(spanMs * 0.75), Math.ceil(spanMs * 1.25));
  const chargeMinor = payoutChargeMinor(amountMinor);
  const sessionId = sessionNumber(reference, atMs);
  return {
    reference,
    about,
    bankCode,
    accountNumber,
    amountMinor,
    chargeMinor,
    sessionId,
    fate,
    atMs,
    settledAtMs,
  };
}

export function isPaid({ fate, settledAtMs }: WorldPayout, nowMs: number): boolean {
  return fate !== 'fails' && nowMs >= settledAtMs;
}

function statusOfPayout(row: WorldPayout, nowMs: number): PayoutStatus {
  const { fate, atMs, settledAtMs, sessionId, chargeMinor } = row;
  if (isPaid(row, nowMs)) return { kind: 'paid', sessionId, chargeMinor };
  if (nowMs >= settledAtMs) return { kind: 'failed', reason: 'not permitted (57)', fault: 'payout' };
  const obscureUntilMs = atMs + (settledAtMs - atMs) / 2;
  if (fate === 'unclear' && nowMs < obscureUntilMs)
    return { kind: 'unknown', reason: 'in progress or late (68)' };
  if (fate === 'missing' && nowMs < obscureUntilMs) return { kind: 'not_found' };
  return { kind: 'pending' };
}

/** Returns 30 digits: the institution code, the Lagos time to the second, and 12 more digits. */
function sessionNumber(reference: string, atMs: number): string {
  const time = new Date(atMs + LAGOS_OFFSET_MS).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  const rest = BigInt(`0x${hash('sha256', reference).slice(0, 16)}`) % 10n ** 12n;
  return `${INSTITUTION}${time}${rest.toString().padStart(12, '0')}`;
}
