// Makes random queries, most of them about existing records.
import { isOpenCredit } from '../../../../src/domain/records/credit.ts';
import { STATES } from '../../../../src/domain/records/states.ts';
import type { Transaction } from '../../../../src/domain/records/transaction.ts';
import type { TransactionFilter } from '../../../../src/ports/store/reads.ts';
import type { Tables } from '../tables.ts';
import { type Maker, op } from './operation.ts';
import { askedOfReports } from './reports.ts';
import { nairaMoveOf } from './side-parts.ts';
import {
  anyOf,
  BUSINESSES,
  creditOf,
  modeOf,
  NETWORKS,
  PERIODS,
  SOURCES,
  START_MS,
  type World,
} from './world.ts';

export const looking: Maker = (world) => {
  const { random, tables } = world;
  const all = [...tables.credits.values()];
  const asked = random.chance(0.8) ? all.filter(isOpenCredit) : all;
  const some = random.shuffled(asked).slice(0, random.below(8));
  const unknown = random.chance(0.2) ? [creditOf(world)] : [];
  const windowMs = random.pick([0, 1_000, 1_000_000]);
  if (some.length > 5) return op('claimsOfAmount', [...some, ...unknown], windowMs, windowMs === 0 ? 500 : 1);
  return op('findCandidates', [...some, ...unknown], windowMs);
};

function someOf({ random }: World, ids: Iterable<string>): string[] {
  const some = random.shuffled([...ids]).slice(0, random.below(5));
  return random.chance(0.1) ? [...some, 'nothing'] : some;
}

function ownersOf<Row>(rows: ReadonlyMap<string, Row>, ownerOf: (row: Row) => string | null): Set<string> {
  return new Set([...rows.values()].map(ownerOf).filter((owner) => owner !== null));
}

export const reading: Maker = (world) => {
  const { random, tables } = world;
  const { transactions, credits, movements, deposits, attempts } = tables;
  const some = (ids: Iterable<string>) => someOf(world, ids);
  const one = (ids: Iterable<string>) => random.pick([...ids, 'nothing']);
  const credit = anyOf(world, credits);
  return random.pick([
    () => op('transactionsById', some(transactions.keys())),
    () => op('creditsById', some(credits.keys())),
    () => op('partsOf', one(ownersOf(credits, ({ parentId }) => parentId))),
    () => op('depositsOf', some(ownersOf(deposits, ({ transactionId }) => transactionId))),
    () => op('creditsOf', some(ownersOf(credits, ({ transactionId }) => transactionId))),
    () => op('movementsOf', some(ownersOf(movements, ({ transactionId }) => transactionId))),
    () => op('movementsOfCredit', one(ownersOf(movements, ({ creditId }) => creditId))),
    () => op('movementById', one(movements.keys())),
    () => {
      const attempt = random.pick([...attempts.values()].flat());
      if (attempt === undefined) return op('movementById', 'nothing', { rail: 'rail', reference: 'x' });
      const { movementId, rail, reference } = attempt;
      return op('movementById', movementId, { rail: random.pick([rail ?? 'rail', 'another']), reference });
    },
    () => op('lastAttempts', some(attempts.keys())),
    () => op('findCredit', credit?.mode ?? 'test', credit?.source ?? 'bank', credit?.sourceId ?? 'x'),
    () => op('findCredit', modeOf(world), random.pick(SOURCES), `line ${random.below(4)}`),
    () => {
      const deposit = anyOf(world, deposits);
      const unknown = { txHash: '0xnothing', txIndex: 0 };
      return op('findDeposits', deposit?.mode ?? 'test', deposit?.network ?? 'Polygon', [
        unknown,
        ...(deposit === undefined ? [] : [{ txHash: deposit.txHash, txIndex: deposit.txIndex }]),
      ]);
    },
    () => op('balances', [...some(tables.accounts.keys()), 'test/NGN/charges']),
    () => op('bankBooks', modeOf(world)),
    () => askedOfReports(world),
    () => askedOfReports(world),
    () => op('findNairaMove', anyOf(world, tables.nairaMoves) ?? nairaMoveOf(world)),
    () => op('usage', PERIODS.map(periodOf)),
    () => op('timeline', one(transactions.keys())),
  ])();

  function periodOf(period: string) {
    return { businessId: random.pick(BUSINESSES), mode: modeOf(world), period };
  }
};

export const serving: Maker = (world) => {
  const { random, tables, nowMs } = world;
  const one = anyOf(world, tables.transactions);
  const bound = anyOf(world, tables.idempotencyKeys);
  const { businessId, mode } = random.pick([one, bound]) ?? {
    businessId: BUSINESSES[0],
    mode: 'test' as const,
  };
  const scope = random.chance(0.85) ? { businessId, mode } : { businessId: BUSINESSES[1], mode };
  const key = bound?.key ?? 'key';
  const reference = one?.reference ?? null;
  const claims = {
    reference,
    idempotencyKey: random.pick([null, key]),
    quoteId: random.pick([null, anyOf(world, tables.quotes)?.id ?? null]),
    bodyHash: random.pick(['body', 'other']),
  };
  const sell = [...tables.transactions.values()].find(({ type }) => type === 'sell');
  const { network, address, memo } = sell?.deposits[0] ?? {
    network: 'Polygon',
    address: '0xabc',
    memo: null,
  };
  const targets = [
    { address, memo: memo ?? '' },
    { address, memo: '9' },
  ];
  const binding = (name: string) =>
    op('bindIdempotencyKey', scope, { key: name, requestHash: 'body' }, one?.id ?? 'nothing', nowMs);
  return random.pick([
    () => op('findRepeated', scope, random.chance(0.2) ? { ...claims, reference: null } : claims),
    () => op('findTransaction', scope, one?.id ?? 'nothing'),
    () => op('listTransactions', scope, filterOf(world)),
    () => op('listTransactions', scope, filterOf(world)),
    () => op('isDepositTarget', sell?.mode ?? 'test', { network: random.pick([network, 'Solana']), address }),
    () => op('findDepositTargets', sell?.mode ?? 'test', random.pick([network, ...NETWORKS]), targets),
    () => binding(key),
    () => binding(random.text(4)),
    () => op('findIdempotencyKey', scope, key),
  ])();
};

function filterOf(world: World): TransactionFilter {
  const { random, tables } = world;
  const after = anyOf(world, tables.transactions);
  const atMs = START_MS + random.below(world.nowMs - START_MS + 1);
  const place = after && { id: after.id, createdAtMs: after.createdAtMs };
  return {
    limit: random.pick([1, 3, 100]),
    ...(random.chance(0.3) && { type: random.pick(['buy', 'sell'] as const) }),
    ...(random.chance(0.3) && { state: random.pick(STATES) }),
    ...(random.chance(0.2) && after !== undefined && { reference: after.reference }),
    ...(random.chance(0.3) && { createdFromMs: atMs }),
    ...(random.chance(0.3) && { createdToMs: atMs }),
    ...(random.chance(0.3) && place !== undefined && { after: place }),
  };
}

function isMeant({ credits }: Tables, { id, vendor }: Transaction): boolean {
  return [...credits.values()].some(
    (credit) =>
      isOpenCredit(credit) && credit.transactionId === id && credit.accountNumber === vendor?.number,
  );
}

export const reviewing: Maker = (world) => {
  const { random, tables } = world;
  const subjectId = anyOf(world, tables.proposals)?.request.subjectId ?? 'nothing';
  const mode = random.pick([undefined, modeOf(world)]);
  const transaction = random.pick([...tables.transactions.values()].filter((each) => isMeant(tables, each)));
  return random.pick([
    () => op('findProposal', anyOf(world, tables.proposals)?.id ?? 'nothing'),
    () => op('listOpenProposals', mode),
    () => op('openProposalsOn', subjectId),
    () => op('listQueue', random.pick([1, 3, 100]), mode),
    () => op('listQueue', random.pick([1, 3, 100]), mode),
    () => (transaction === undefined ? op('noticeById', 'nothing') : op('creditsMeaning', transaction)),
    () => op('depositById', anyOf(world, tables.deposits)?.id ?? 'nothing'),
    () => op('noticeById', anyOf(world, tables.notices)?.id ?? 'nothing'),
    () => op('caseById', anyOf(world, random.pick([tables.cases, tables.closedCases]))?.id ?? 'nothing'),
    () =>
      op('openCasesOn', [...tables.cases.values()].flatMap(({ movementId }) => movementId ?? []).slice(0, 3)),
    () => op('unknownPayouts', world.nowMs + 24 * 3_600_000 + 1, 100, undefined),
    () => op('unknownPayouts', world.nowMs + 24 * 3_600_000 + 1, random.pick([1, 100]), mode),
  ])();
};
