// One case of a network's contract: what it needs from a harness, and its amounts and ids.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../../../src/domain/values/ids.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { Payment } from '../../../src/ports/networks/network-payer.ts';
import type { NetworkSetUp } from '../../../src/ports/networks/set-up.ts';
import type { NetworkHarness, NewPayment } from './harness.ts';

/** A harness with optional properties that only some networks have. A harness without these properties is sufficient. */
export interface ContractHarness extends NetworkHarness {
  /** False if every payment is sent alone. */
  readonly batches?: boolean;
  /** The same network with other minimum balances. */
  marked?(marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint }): Promise<Network>;
  /** A set-up step that the same treasury must still sign once. */
  setUp?(): Promise<NetworkSetUp>;
  /** Further addresses that must not be paid: the address of the token, and our other wallets and contracts. */
  readonly forbidden?: readonly string[];
  /** `about`: the transaction that the payment is for, if that matters. */
  unready?(): Promise<{
    readonly wallet: string;
    readonly about?: string;
    readonly open: () => Promise<void>;
  }>;
}

export interface Case {
  readonly title: string;
  /** Whether a network supports the case. */
  readonly needs?: (harness: ContractHarness) => boolean;
  readonly run: (harness: ContractHarness) => Promise<void>;
}

/** Far more time than any of these networks needs for a payment, counted in calls of `pass`. */
export const MANY_STEPS = 400;
/** A payment of this size is above every harness's threshold for a second provider; every other payment here is below it. */
export const LARGE_NAIRA = 1_000_000n;

/** Whole naira, which the decimals of every network can represent. */
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

/** Payments to this many new wallets, each with a different amount. */
export async function payments(harness: ContractHarness, count: number): Promise<Payment[]> {
  const made: Payment[] = [];
  for (let index = 0; index < count; index++) {
    const amountMinor = naira(harness.network, 11n + BigInt(index));
    made.push(payment(harness, { to: await harness.wallet(), amountMinor }));
  }
  return made;
}

/** Queries after each step of time until the response is the expected one. */
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

/** Some blocks pass: enough for an unwanted event to happen. */
export async function passSome(harness: ContractHarness, steps = 8): Promise<void> {
  for (let step = 0; step < steps; step++) await harness.pass();
}

/** Asserts that every wallet received exactly the sum of its payments. */
export async function assertReceived(harness: ContractHarness, paid: readonly Payment[]): Promise<void> {
  const wanted = new Map<string, bigint>();
  for (const { to, amountMinor } of paid) wanted.set(to, (wanted.get(to) ?? 0n) + amountMinor);
  for (const [wallet, amountMinor] of wanted) assert.equal(await harness.received(wallet), amountMinor);
}

export async function assertNothing(harness: ContractHarness, wallet: string): Promise<void> {
  assert.equal(await harness.received(wallet), 0n);
}
