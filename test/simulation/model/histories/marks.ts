// Freezes and idempotency keys, as parts of random changes.
import { anyOf, BUSINESSES, modeOf, type Part } from './world.ts';

export const frozen: Part = (world, draft) => {
  const { random } = world;
  draft.freeze = { businessId: random.pick(BUSINESSES), mode: modeOf(world), reason: random.text(3) };
};

export const keyBound: Part = (world, draft) => {
  const { random, tables } = world;
  draft.idempotency = {
    businessId: random.pick(BUSINESSES),
    mode: modeOf(world),
    key: random.chance(0.5) ? random.text(5) : `key ${random.below(4)}`,
    requestHash: random.pick(['body', 'other']),
    transactionId: anyOf(world, tables.transactions)?.id ?? 'txn_none',
  };
};
