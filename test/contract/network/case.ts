// Defines one test case of a network's contract: what the case needs from a harness, and its amounts and ids.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../../../src/domain/values/ids.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { Payment } from '../../../src/ports/networks/network-payer.ts';
import type { NetworkSetUp } from '../../../src/ports/networks/set-up.ts';
import type { NetworkHarness, NewPayment } from './harness.ts';

/**
 * A harness with optional properties that only some networks have. A harness without these properties is sufficient for the
 * suite.
 */
export interface ContractHarness extends NetworkHarness {
  /** False if the network sends every payment alone. */
  readonly batches?: boolean;
  marked?(marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint }): Promise<Network>;
  /** Opens a set-up step that the same treasury must still sign once. */
  setUp?(): Promise<NetworkSetUp>;
  /** Further addresses that the network must not pay: the address of the token, and our other wallets and contracts. */
  readonly forbidden?: readonly string[];
  unready?(): Promise<{
    readonly wallet: string;
    readonly about?: string;
    readonly open: () => Promise<void>;
  }>;
}

export interface Case {
  readonly title: string;
  readonly needs?: (harness: ContractHarness) => boolean;
  readonly run: (harness: ContractHarness) => Promise<void>;
}

/** This is far more time than any of these networks needs for a payment, counted in calls of `pass`. */
export const MANY_STEPS = 400;
/** A payment of this size needs a second provider with every harness. Every other payment in these cases needs only one. */
export const LARGE_NAIRA = 1_000_000n;

export function naira({ asset }: Network, amount: bigint): bigint {
  return amount * 10n ** BigInt(asset.decimals);
}

export function newId(prefix: IdPrefix): string {
  return makeId(prefix, Date.now(), randomBytes(ID_RANDOM_BYTES));
}

export function payment({ network }: ContractHarness, changes: NewPayment): Payment {
  return {
    orderId: newId('mov'),
    about: newId('txn'),
    amountMinor: naira(network, 15n),
    alone: false,
    opensAccount: true,
    from: null,
    ...changes,
  };
}

export async function payments(harness: ContractHarness, count: number): Promise<Payment[]> {
  const made: Payment[] = [];
  for (let index = 0; index < count; index++) {
    const amountMinor = naira(harness.network, 11n + BigInt(index));
    made.push(payment(harness, { to: await harness.wallet(), amountMinor }));
  }
  return made;
}

export async function eventually<Answer>(
  harness: ContractHarness,
  ask: () => Promise<Answer>,
  wanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let step = 0; step < MANY_STEPS; step++) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await harness.pass();
  }
  return assert.fail('it never came to that');
}

/** The default number of blocks is enough for an unwanted event to happen. */
export async function passSome(harness: ContractHarness, steps = 8): Promise<void> {
  for (let step = 0; step < steps; step++) await harness.pass();
}

export async function assertReceived(harness: ContractHarness, paid: readonly Payment[]): Promise<void> {
  const wanted = new Map<string, bigint>();
  for (const { to, amountMinor } of paid) wanted.set(to, (wanted.get(to) ?? 0n) + amountMinor);
  for (const [wallet, amountMinor] of wanted) assert.equal(await harness.received(wallet), amountMinor);
}

export async function assertNothing(harness: ContractHarness, wallet: string): Promise<void> {
  assert.equal(await harness.received(wallet), 0n);
}
