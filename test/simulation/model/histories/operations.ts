// Makes one random operation on the store or the desk, as data. The tests apply it to the model and to PostgreSQL.
import { STEP_UP_VALID_MS } from '../../../../src/domain/people/people-needed.ts';
import type { Transaction } from '../../../../src/domain/records/transaction.ts';
import type { Proposal, ReviewRequest } from '../../../../src/domain/review/proposal.ts';
import type { Acceptance } from '../../../../src/ports/store/acceptance.ts';
import type { LeaseRequest } from '../../../../src/ports/store/queues.ts';
import { FIRST_LOOK_MS } from '../../../../src/ports/store/store.ts';
import { batchOf, changeOf } from './changes.ts';
import { isTied, leaseOf } from './leases.ts';
import { type Maker, type Operation, op } from './operation.ts';
import { looking, reading, reviewing, serving } from './questions.ts';
import {
  AMOUNTS,
  ASSETS,
  anyOf,
  BUSINESSES,
  FEEDS,
  HOLDERS,
  idOf,
  KEYS,
  KNOWN_PEOPLE,
  LEASE_MS,
  modeOf,
  PEOPLE,
  transactionOf,
  type World,
} from './world.ts';

export const accepting: Maker = (world) => {
  const { random, offered } = world;
  const again = offered.length > 0 && random.chance(0.25) ? random.pick(offered) : undefined;
  const acceptance = again === undefined ? freshAcceptance(world) : offeredAgain(world, again);
  offered.push(acceptance);
  return op('accept', acceptance);
};

function freshAcceptance(world: World): Acceptance {
  const { random, tables } = world;
  const { id: keyId, businessId, mode } = random.chance(0.8) ? KEYS[0]! : random.pick(KEYS);
  const drawn = transactionOf(world, businessId, mode);
  const sell = [...tables.transactions.values()].find(({ type }) => type === 'sell');
  const ours = sell?.deposits[0];
  const changes = random.weighted<Partial<Transaction>>([
    [30, {}],
    [2, ours === undefined ? {} : { wallet: { network: ours.network, address: ours.address } }],
    [
      1,
      random.pick([{ amountMinor: 0n }, { feeMinor: 10n ** 9n }, { accountNumber: '1' }, { vendor: null }]),
    ],
    [1, sell === undefined || drawn.type === 'buy' ? {} : { deposits: sell.deposits }],
  ]);
  const quoteId = random.chance(0.75) ? null : (anyOf(world, tables.quotes)?.id ?? 'quo_none');
  return {
    transaction: { ...drawn, quoteId, ...changes },
    bodyHash: random.pick(['body', 'other']),
    idempotency: random.chance(0.4)
      ? {
          key: random.chance(0.5) ? random.text(5) : `key ${random.below(4)}`,
          requestHash: random.pick(['body', 'other']),
        }
      : null,
    keyId: random.chance(0.97) ? keyId : 'key_unknown',
    scenario: random.chance(0.2) ? 'happy' : null,
  };
}

/** Makes the same request, or the request with another id, like a retry from a client that never received the response. */
function offeredAgain(world: World, again: Acceptance): Acceptance {
  const { random } = world;
  if (random.chance(0.3)) return again;
  const transaction = { ...again.transaction, id: idOf(world, 'txn') };
  const idempotency = random.pick([
    again.idempotency,
    null,
    { key: `key ${random.below(4)}`, requestHash: 'body' },
  ]);
  const bodyHash = random.chance(0.8) ? again.bodyHash : 'third';
  if (random.chance(0.2))
    return { ...again, transaction: { ...again.transaction, reference: random.text(7) } };
  return {
    ...again,
    transaction,
    idempotency,
    bodyHash,
    keyId: random.chance(0.9) ? again.keyId : KEYS[1]!.id,
  };
}

/**
 * Quotes expire by the database clock, which is not part of a history. So each quote expired long ago or expires far in the
 * future.
 */
const quoting: Maker = (world) => {
  const { random } = world;
  const { businessId, mode } = random.chance(0.8) ? KEYS[0]! : random.pick(KEYS);
  const createdAtMs = random.chance(0.75) ? Date.UTC(2100, 0) : Date.UTC(2020, 0);
  const amountMinor = random.pick(AMOUNTS);
  return op('putQuote', {
    ...{ id: idOf(world, 'quo'), businessId, mode, side: 'buy', amountMinor, currency: 'NGN', network: null },
    ...{ nairaMinor: amountMinor, feeMinor: 0n, rateE4: 10_000n, sources: [], decisionId: null },
    ...{ createdAtMs, expiresAtMs: createdAtMs + 1_000, transactionId: null },
  });
};

const committing: Maker = (world) => {
  const { random, holds } = world;
  const changes = random.chance(0.6) ? [changeOf(world)] : random.chance(0.03) ? [] : batchOf(world);
  const hold = holds.length > 0 && random.chance(0.2) ? random.pick(holds.slice(-6)) : undefined;
  return hold === undefined
    ? op('commit', changes)
    : op('commit', changes, { hold, position: String(random.below(100)) });
};

const CLAIMED_STATES = [
  ['paid', 'awaiting_trustline'],
  ['deposited'],
  ['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit'],
  ['expired', 'on_hold', 'confirming'],
] as const;

export const leasing: Maker = ({ random, nowMs }) => {
  const request = { atMs: nowMs, leaseMs: LEASE_MS, limit: random.pick([0, 1, 2, 3, 10, 50]) };
  return random.pick([
    () => op('leaseTransactions', random.pick(CLAIMED_STATES), request),
    () => op('leaseCredits', request),
    () => op('leaseDeposits', request),
    () => op('leaseMovements', random.pick([['pending'], ['pending', 'sending', 'unknown'], []]), request),
    () => op('leaseNotices', request),
    () => op('leaseReports', request),
  ])();
};

/** The limit is so high that PostgreSQL has no choice between records. The result then depends only on the seed. */
const leasingUntied: Maker = (world) => {
  let operation = leasing(world);
  while (isTied(world.tables, leaseOf(operation)!)) {
    const { verb, given } = operation;
    const request = given.at(-1) as LeaseRequest;
    operation = { verb, given: [...given.slice(0, -1), { ...request, limit: request.limit + 1 }] };
  }
  return operation;
};

export const holding: Maker = ({ random, nowMs }) =>
  op('holdFeed', random.pick(FEEDS), random.pick(HOLDERS), nowMs, LEASE_MS);

export const hastening: Maker = (world) => {
  const { random, tables, nowMs } = world;
  const buys = [...tables.transactions.values()].filter(({ type }) => type === 'buy');
  const credits = random.shuffled([...tables.credits.values()]).slice(0, 4);
  return random.pick([
    () => op('hastenCredits', random.shuffled(buys).slice(0, random.below(3)), nowMs),
    () => op('hastenNotices', credits, nowMs),
    () => op('hastenRefunds', anyOf(world, tables.transactions)?.id ?? 'txn_none', nowMs),
  ])();
};

const proposing: Maker = (world) => op('addProposal', proposalOf(world));

const steppingUp: Maker = (world) => {
  const { random, tables, nowMs } = world;
  const subjectId = anyOf(world, tables.proposals)?.id ?? 'prp_none';
  const atMs = random.chance(0.85) ? nowMs : nowMs - STEP_UP_VALID_MS - random.below(2);
  return op('addStepUp', {
    ...{ id: idOf(world, 'sup'), personId: random.pick(KNOWN_PEOPLE) },
    subjectId,
    atMs,
  });
};

function proposalOf(world: World): Proposal {
  const { random, tables, nowMs } = world;
  const subjectId = anyOf(world, tables.credits)?.id ?? 'nothing';
  const account = { bankCode: 'x', accountNumber: '0123456785', accountName: null };
  const request: ReviewRequest = random.pick([
    { action: 'match', subjectId, detail: { transactionId: 'txn_x' } },
    { action: 'split', subjectId, detail: { partsMinor: [1n, 2n] } },
    { action: 'refund', subjectId, detail: { target: random.pick([null, account]) } },
    { action: 'write_off', subjectId, detail: {} },
  ] as const);
  const taken = random.chance(0.2) ? anyOf(world, tables.proposals)?.id : undefined;
  return {
    id: taken ?? idOf(world, 'prp'),
    mode: modeOf(world),
    request,
    amountMinor: random.pick(AMOUNTS),
    proposedBy: random.pick(PEOPLE),
    proposedAtMs: nowMs,
    decision: null,
  };
}

/** Makes the actions of operators. They revoke only spare keys, so each business keeps a key. */
const operating: Maker = (world) => {
  const { random, nowMs } = world;
  return random.pick([
    () => op('revokeKey', random.pick(KEYS.filter(({ id }) => id.endsWith('spare'))).id),
    () => op('liftFreeze', random.pick(BUSINESSES), modeOf(world)),
    () => op('purgeIdempotencyKeys', nowMs - 20_000),
    () =>
      op(
        'balances',
        ASSETS.map((asset) => `test/${asset}/treasury`),
      ),
  ])();
};

/**
 * Makes leases and updates of finished payouts. The updates come from the process that leased them, or from a process whose
 * lease another process has taken over.
 */
const watching: Maker = (world) => {
  const { random, tables, nowMs } = world;
  const found = anyOf(world, tables.endedPayouts);
  const request = { atMs: nowMs + random.pick([0, FIRST_LOOK_MS, 2 * FIRST_LOOK_MS]), leaseMs: LEASE_MS };
  if (found === undefined || random.chance(0.5))
    return op('leaseEndedPayouts', { ...request, limit: random.pick([1, 2, 100]) });
  const { dueAtMs: _due, ...payout } = found;
  const believed = { ...payout, version: payout.version - (random.chance(0.2) ? 1 : 0) };
  const next = { looks: payout.looks + 1, said: random.pick(['paid', 'returned', null] as const) };
  return op('moveEndedPayout', believed, random.chance(0.2) ? null : { ...next, dueAtMs: nowMs });
};

const MAKERS: readonly (readonly [number, Maker])[] = [
  [14, accepting],
  [3, quoting],
  [36, committing],
  [14, leasingUntied],
  [6, holding],
  [5, hastening],
  [5, looking],
  [9, reading],
  [6, serving],
  [3, proposing],
  [3, steppingUp],
  [6, reviewing],
  [2, operating],
  [3, watching],
];

/** Time passes between operations: mostly a little, sometimes as long as a lease. */
export function nextOperation(world: World): Operation {
  const { random } = world;
  if (random.chance(0.3)) world.nowMs += random.pick([1, 1, 10, 200, LEASE_MS, 10 * LEASE_MS]);
  return random.weighted(MAKERS)(world);
}
