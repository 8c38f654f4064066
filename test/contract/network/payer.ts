// Plays a minimal service for a network. It continues until every payment has ended, and signs again only if it is proven that
// the payment paid nothing.
import assert from 'node:assert/strict';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { Payment, SendStatus } from '../../../src/ports/networks/network-payer.ts';
import { type ContractHarness, MANY_STEPS } from './case.ts';
import { type Desk, makeDesk, type Stored } from './desk.ts';

export type Final = Extract<SendStatus, { kind: 'final' }>;

export interface Payer extends Desk {
  settle(stored: Stored, on?: Network): Promise<SendStatus>;
  /** Signs all payments and broadcasts them: together, or one after the other if the network allows only one at a time. */
  signAll(payments: readonly Payment[]): Promise<Stored[]>;
  /** Pays despite all troubles. A payment that failed on the network is tried once more, alone in its envelope. */
  pay(payments: readonly Payment[]): Promise<{ readonly paid: Payment[]; readonly given: Payment[] }>;
}

const TRIES = 2;

export function makePayer(harness: ContractHarness): Payer {
  const desk = makeDesk(harness);
  const { sign, broadcast, ask } = desk;

  const settle: Payer['settle'] = async (stored, on = harness.network) => {
    for (let step = 0; step < MANY_STEPS; step++) {
      if (stored.end !== undefined) return stored.end;
      const status = await ask(stored, on);
      if (stored.end === undefined) await harness.pass();
      else return status;
    }
    return assert.fail(`it never ends: ${stored.trail.join(', ')}`);
  };

  const signAll: Payer['signAll'] = async (payments) => {
    const all: Stored[] = [];
    for (let left = payments, step = 0; left.length > 0; step++) {
      assert.ok(step < MANY_STEPS, 'they are never signed');
      const { stored, waiting } = await sign(left);
      for (const each of stored) await broadcast(each);
      all.push(...stored);
      for (const { obstacle } of waiting) assert.equal(obstacle, 'turn_taken');
      left = waiting.map(({ payment }) => payment);
      if (left.length === 0) break;
      for (const each of all) if (each.end === undefined) await ask(each);
      await harness.pass();
    }
    return all;
  };

  const pay: Payer['pay'] = async (payments) => {
    const paid: Payment[] = [];
    const given: Payment[] = [];
    const tries = new Map<string, number>();
    for (let left = payments; left.length > 0; ) {
      const undone: Payment[] = [];
      for (const stored of await signAll(left)) {
        const status = await settle(stored);
        const unpaid = new Set(status.kind === 'final' ? status.unpaid.map(({ index }) => index) : []);
        for (const [index, each] of stored.payments.entries())
          (status.kind === 'final' && !unpaid.has(index) ? paid : undone).push(each);
      }
      left = undone
        .filter(({ orderId }) => (tries.get(orderId) ?? 1) < TRIES)
        .map((each) => ({ ...each, alone: true }));
      given.push(...undone.filter(({ orderId }) => (tries.get(orderId) ?? 1) >= TRIES));
      for (const { orderId } of left) tries.set(orderId, (tries.get(orderId) ?? 1) + 1);
    }
    return { paid, given };
  };

  return { ...desk, settle, signAll, pay };
}
