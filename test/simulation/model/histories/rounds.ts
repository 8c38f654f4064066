// Makes rounds of simultaneous operations that compete. They compete for the same few records, for the same names and numbers,
// or for money and limits that are enough for only one of them.
import { ledgerKey } from '../../../../src/domain/ledger/chart-of-accounts.ts';
import { entryOf, type LedgerEvent } from '../../../../src/domain/ledger/ledger.ts';
import type { Change } from '../../../../src/domain/records/change.ts';
import type { BankCredit } from '../../../../src/domain/records/credit.ts';
import type { Transaction } from '../../../../src/domain/records/transaction.ts';
import { withdrawalAccounts } from '../../../../src/domain/review/withdrawal.ts';
import type { Acceptance } from '../../../../src/ports/store/acceptance.ts';
import type { Tables } from '../tables.ts';
import { attemptWritten } from './attempts.ts';
import { changeOf, drafted, matching } from './changes.ts';
import { decided, limitUsed, movementAdded, movementMoved, transactionMoved } from './drafts.ts';
import { type Maker, type Operation, op } from './operation.ts';
import { accepting, hastening, holding, leasing } from './operations.ts';
import { keyBound, matchWritten } from './side-parts.ts';
import type { Result } from './stage.ts';
import { ASSETS, creditOf, depositOf, idOf, KEYS, noticeOf, type Part, type World } from './world.ts';

type Shape = (world: World, count: number) => Operation[];

const times = (count: number, make: (index: number) => Operation) =>
  Array.from({ length: count }, (_, index) => make(index));

function focused(world: World): World {
  const { random, tables } = world;
  const few = <Row>(rows: ReadonlyMap<string, Row>, count: number) =>
    new Map(random.shuffled([...rows]).slice(0, count));
  const narrow: Tables = {
    ...tables,
    transactions: few(tables.transactions, 2),
    credits: few(tables.credits, 2),
    deposits: few(tables.deposits, 2),
    movements: few(tables.movements, 2),
    notices: few(tables.notices, 2),
    reports: few(tables.reports, 2),
    proposals: few(tables.proposals, 1),
  };
  return { ...world, tables: narrow };
}

function committing(world: World, parts: readonly Part[]): Operation {
  const { random } = world;
  if (random.chance(0.5)) return op('commit', [drafted(world, parts)]);
  return op(
    'commit',
    random.shuffled(parts).map((part) => drafted(world, [part])),
  );
}

const rivals: Shape = (world, count) =>
  times(count, () =>
    committing(world, [world.random.pick([transactionMoved, movementMoved]), transactionMoved]),
  );

const strangers: Shape = (world, count) =>
  times(count, () =>
    op('commit', world.random.chance(0.6) ? [changeOf(world)] : [changeOf(world), changeOf(world)]),
  );

const matchers: Shape = (world, count) =>
  times(count, () => op('commit', [matching(world) ?? drafted(world, [matchWritten])]));

const NUMBERS: readonly Part[] = [attemptWritten, movementAdded, matchWritten, decided, keyBound, limitUsed];

/** These operations compete for the same nonce, hash, transaction, credit, proposal, key or limit. */
const numbers: Shape = (world, count) => {
  const part = world.random.pick(NUMBERS);
  return times(count, () => committing(world, [part, world.random.pick([part, transactionMoved])]));
};

const spenders: Shape = (world, count) => {
  const { random, tables, nowMs } = world;
  const held = -(tables.accounts.get(ledgerKey('test', 'NGN', 'suspense')) ?? 0n);
  const spending = (event: 'credit_matched' | 'credit_received', amount: bigint): Change => {
    const facts = { mode: 'test', subjectId: 'spender', bankAccount: 'p:1', amounts: { amount } } as const;
    return { atMs: nowMs, entries: [entryOf(event, facts)] };
  };
  const some = () => random.pick([held > 0n ? held : 1n, held / 2n + 1n, 1n]);
  return times(count, () => {
    if (random.chance(0.15))
      return op('balances', [ledgerKey('test', 'NGN', 'suspense'), ledgerKey('test', 'NGN', 'owed')]);
    const event = random.chance(0.25) ? 'credit_received' : 'credit_matched';
    return op(
      'commit',
      Array.from({ length: 1 + random.below(3) }, () => spending(event, some())),
    );
  });
};

/**
 * All operations try to take the same free tokens, under a condition. Other operations add tokens or return tokens to sellers.
 */
const takers: Shape = (world, count) => {
  const { random, tables, nowMs } = world;
  const asset = random.pick(ASSETS);
  const accounts = withdrawalAccounts('test', asset);
  const free = accounts.reduce((sum, key) => sum + (tables.accounts.get(key) ?? 0n), 0n);
  const booking = (event: LedgerEvent, tokens: bigint): Change => {
    const facts = {
      mode: 'test',
      subjectId: 'taker',
      asset,
      amounts: { amount: 0n, tokens, dust: 0n },
    } as const;
    return { atMs: nowMs, entries: [entryOf(event, facts)] };
  };
  const taking = (): Change => ({
    ...booking(
      'withdrawal_reserved',
      random.pick([free > 0n ? free : 1n, free > 2n ? free / 2n + 1n : 1n, 1n]),
    ),
    conditions: [{ notNegative: accounts }],
  });
  const settling = (): Change =>
    booking(random.pick(['deposit_received', 'treasury_funded', 'payout_undone', 'deposit_applied']), 3n);
  return times(count, (index) => {
    if (index > 0 && random.chance(0.3)) return op('commit', [settling()]);
    return op('commit', random.chance(0.7) ? [taking()] : [taking(), settling(), taking()]);
  });
};

/** Several processes record the same bank statement, with different ids, in any order. */
const recorders: Shape = (world, count) => {
  const { random, nowMs } = world;
  const [credits, deposit, notice] = [
    [creditOf(world), creditOf(world)],
    depositOf(world),
    noticeOf(world),
  ] as const;
  return times(count, () => {
    const lines: Change[] = [
      ...credits.map(
        (credit): Change => ({ atMs: nowMs, newCredits: [{ ...credit, id: idOf(world, 'crd') }] }),
      ),
      { atMs: nowMs, newDeposits: [{ ...deposit, id: idOf(world, 'dep') }] },
      { atMs: nowMs, newNotices: [{ ...notice, id: idOf(world, 'ntc') }] },
    ];
    const reported = random.shuffled(lines).slice(0, 1 + random.below(lines.length));
    const hold = world.holds.at(-1 - random.below(2));
    return hold === undefined
      ? op('commit', reported)
      : op('commit', reported, { hold, position: random.text(3) });
  });
};

/**
 * Acceptances compete for the same reference or key, with the same body or another body. One of the keys may be revoked at the
 * same time.
 */
const acceptors: Shape = (world, count) => {
  const { random } = world;
  const first = accepting(world).given[0] as Acceptance;
  return times(count, () => {
    if (random.chance(0.08)) return op('revokeKey', KEYS[1]!.id);
    if (random.chance(0.15)) return accepting(world);
    const id = idOf(world, 'txn');
    const transaction: Transaction = {
      ...first.transaction,
      id,
      ...(random.chance(0.3) && { reference: random.text(5) }),
    };
    const own = transaction.deposits.map((deposit) => ({ ...deposit, address: `${deposit.network} ${id}` }));
    return op('accept', {
      ...first,
      transaction: { ...transaction, deposits: own },
      bodyHash: random.chance(0.7) ? first.bodyHash : 'third',
      idempotency: random.pick([
        first.idempotency,
        null,
        { key: 'key 1', requestHash: random.pick(['body', 'other']) },
      ]),
      keyId: random.chance(0.8) ? first.keyId : KEYS[1]!.id,
    });
  });
};

/** A feed has its current reader, and readers whose lease another process has taken over. */
const feeders: Shape = (world, count) =>
  times(count, () => {
    const hold = world.holds.at(-1 - world.random.below(3));
    if (hold === undefined || world.random.chance(0.5)) return holding(world);
    const changes = world.random.chance(0.5) ? [] : [drafted(world, [transactionMoved])];
    return op('commit', changes, { hold, position: world.random.text(3) });
  });

const leasers: Shape = (world, count) => {
  const { random } = world;
  const lease = leasing(world);
  const others: readonly Maker[] = [
    () => lease,
    () => lease,
    hastening,
    (each) => op('commit', [changeOf(each)]),
    leasing,
  ];
  return [lease, ...times(count - 1, () => random.pick(others)(focused(world)))];
};

const READS: readonly Maker[] = [
  ({ tables }) => op('transactionsById', [...tables.transactions.keys()]),
  ({ tables }) => op('creditsById', [...tables.credits.keys()]),
  ({ tables }) => op('lastAttempts', [...tables.movements.keys()]),
  ({ tables, random }) => op('timeline', random.pick([...tables.transactions.keys(), 'nothing'])),
];

const mixed: Shape = (world, count) => {
  const makers = [...READS, accepting, leasing, hastening, holding, changing, changing, changing];
  return times(count, () => world.random.pick(makers)(world));
};

const changing: Maker = (world) => op('commit', [changeOf(world)]);

const SHAPES = {
  rivals,
  strangers,
  matchers,
  numbers,
  spenders,
  takers,
  recorders,
  acceptors,
  feeders,
  leasers,
  mixed,
};

export type ShapeName = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES) as ShapeName[];

export interface Round {
  readonly shape: ShapeName;
  readonly operations: readonly Operation[];
}

export function roundOf(world: World): Round {
  const { random } = world;
  const shape = random.chance(0.15) ? 'numbers' : random.pick(SHAPE_NAMES);
  return { shape, operations: SHAPES[shape](focused(world), 3 + random.below(2)) };
}

/** Returns the records that an operation locks, writes or adds. For a lease, these are the records that it took. */
export function touchedBy({ verb, given }: Operation, result: Result, tables: Tables): Set<string> {
  if (verb === 'commit') return new Set((given[0] as readonly Change[]).flatMap(idsIn));
  if (verb === 'accept') return new Set([(given[0] as Acceptance).transaction.id]);
  if (verb.startsWith('lease') && 'answer' in result)
    return new Set((result.answer as readonly { id: string }[]).map(({ id }) => id));
  if (verb === 'hastenCredits') {
    const numbers = new Set((given[0] as readonly Transaction[]).map(({ vendor }) => vendor?.number));
    return idsOf(tables.credits, ({ accountNumber }) => numbers.has(accountNumber));
  }
  if (verb === 'hastenNotices') {
    const names = new Set((given[0] as readonly BankCredit[]).map(({ sourceId }) => sourceId));
    return idsOf(tables.notices, ({ about }) => names.has(about));
  }
  if (verb === 'hastenRefunds')
    return idsOf(tables.movements, ({ transactionId }) => transactionId === given[0]);
  return new Set();
}

function idsOf<Row extends { readonly id: string }>(
  rows: ReadonlyMap<string, Row>,
  isTouched: (row: Row) => boolean,
): Set<string> {
  return new Set([...rows.values()].filter(isTouched).map(({ id }) => id));
}

function idsIn(change: Change): string[] {
  const moves = [
    change.transactions,
    change.credits,
    change.deposits,
    change.movements,
    change.notices,
    change.reports,
  ];
  const added = [
    ...[change.newCredits, change.newDeposits, change.newNotices, change.newMovements],
    change.newReports,
  ];
  return [
    ...moves.flatMap((list) => (list ?? []).map(({ after }) => after.id)),
    ...added.flatMap((list) => (list ?? []).map(({ id }) => id)),
  ];
}
