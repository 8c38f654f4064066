// Tests sends that finally failed on their network. The service tries a send a limited number of times before people review it,
// and tries a sweep without limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, movement } from '../../../../test/http/settlement-fixtures.ts';
import { NOW } from '../../../../test/http/store-fixtures.ts';
import type { Movement } from '../../../domain/records/movement.ts';
import type { Network } from '../../../ports/networks/network.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import type { NetworkContact } from '../movement-step.ts';
import { MAX_SEND_ATTEMPTS } from './broadcast.ts';
import { followSend } from './network-steps.ts';

const TROUBLES: string[] = [];
const DEPS = {
  clock: { now: () => NOW },
  entropy: { bytes: (length: number) => new Uint8Array(length) },
  networks: { find: () => ({ orderedBy: null }) as unknown as Network },
  guard: { mayEnd: async () => true },
  onTrouble: (message: string) => void TROUBLES.push(message),
} as unknown as SettlementDeps;

async function afterFailure(kind: Movement['kind'], attempts: number, reason = 'reverted') {
  const of = movement({ kind, attempts, state: 'sending' });
  const contact = { ask: async () => ({ kind: 'failed', reason, cost: null }) } as unknown as NetworkContact;
  const alive = { movement: of, attempt: attempt(of, { no: attempts, state: 'unknown' }), transaction: null };
  const { change } = await followSend(DEPS, contact, alive);
  const { after } = change!.movements![0]!;
  return [after.state, after.reason, change!.attempts![0]!.state];
}

test('a payment, a withdrawal and a refund are each given up after eight failed attempts', async () => {
  assert.equal(MAX_SEND_ATTEMPTS, 8);
  for (const kind of ['send', 'refund', 'withdrawal'] as const) {
    TROUBLES.length = 0;
    assert.deepEqual(await afterFailure(kind, 1), ['pending', 'attempt 1 failed', 'failed'], kind);
    assert.deepEqual(await afterFailure(kind, 7), ['pending', 'attempt 7 failed', 'failed'], kind);
    assert.deepEqual(TROUBLES, []);
    assert.deepEqual(await afterFailure(kind, 8), ['failed', 'failed 8 times', 'failed'], kind);
    assert.deepEqual(TROUBLES, ['a movement was given up']);
  }
});

test('a cancelled movement is not tried again', async () => {
  assert.deepEqual(await afterFailure('send', 1, 'cancelled'), ['failed', 'cancelled', 'failed']);
});

test('a sweep is tried without limit', async () => {
  for (const attempts of [8, 9, 100])
    assert.deepEqual(await afterFailure('sweep', attempts), [
      'pending',
      `attempt ${attempts} failed`,
      'failed',
    ]);
});
