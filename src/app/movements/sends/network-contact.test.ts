// Tests that the stored versions decide whether an attempt counts as held, not the memory of a process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt, Replacement } from '../../../domain/records/movement.ts';
import type { Envelope, SendStatus } from '../../../ports/networks/network-payer.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import { makeNetworkContact } from './network-contact.ts';

const HELD: SendStatus = { kind: 'held', reason: 'its place is taken' };

function attemptOf(no: number, versions: number): Attempt {
  const more = Array.from(
    { length: versions - 1 },
    (_, index) => ({ hash: `0x${index + 2}` }) as Replacement,
  );
  const known = {
    movementId: 'mov_1',
    mode: 'live',
    network: 'Polygon',
    reference: '0x1',
    orders: ['mov_1'],
  };
  return { ...known, no, replacements: more } as Partial<Attempt> as Attempt;
}

async function asked(stored: Attempt | undefined, statusOf: (envelope: Envelope) => SendStatus) {
  const versions: number[] = [];
  let reads = 0;
  const network = {
    ask: async (envelope: Envelope) => {
      versions.push(envelope.versions.length);
      return statusOf(envelope);
    },
  };
  const deps = {
    networks: { find: () => network },
    store: {
      lastAttempts: async () => {
        reads++;
        return new Map(stored && [['mov_1', stored]]);
      },
    },
  } as unknown as SettlementDeps;
  const contact = makeNetworkContact(deps);
  const [status] = await Promise.all([contact.ask(attemptOf(1, 1)), contact.ask(attemptOf(1, 1))]);
  return { kind: status.kind, versions, reads };
}

test('threat 44: an attempt that is held according to the versions in memory is queried again with the stored versions', async () => {
  const unlessNewer = ({ versions }: Envelope): SendStatus =>
    versions.length === 1 ? HELD : { kind: 'included', confirmations: 1 };
  assert.deepEqual(await asked(attemptOf(1, 3), unlessNewer), {
    kind: 'included',
    versions: [1, 3],
    reads: 1,
  });
  assert.deepEqual(await asked(attemptOf(1, 1), unlessNewer), { kind: 'held', versions: [1], reads: 1 });
  assert.deepEqual(await asked(attemptOf(1, 2), () => HELD), { kind: 'held', versions: [1, 2], reads: 1 });
});

test('an attempt that another process has replaced is not held, and an attempt with another status is not read again', async () => {
  const over = { kind: 'unknown', versions: [1], reads: 1 };
  assert.deepEqual(await asked(attemptOf(2, 1), () => HELD), over);
  assert.deepEqual(await asked(undefined, () => HELD), over);
  const pending = { kind: 'pending', versions: [1], reads: 0 };
  assert.deepEqual(await asked(attemptOf(1, 2), () => ({ kind: 'pending' })), pending);
});
