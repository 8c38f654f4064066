// Makes the parts of random changes. Each part adds something to a draft, mostly valid, sometimes something that no database
// should accept.
import type { RecordMove } from '../../../../src/domain/records/change.ts';
import { type BankCredit, CREDIT_STATES } from '../../../../src/domain/records/credit.ts';
import { ALLOWED_MOVES, type TransactionState } from '../../../../src/domain/records/states.ts';
import type { Transaction } from '../../../../src/domain/records/transaction.ts';
import { moveTransaction, postponeTransaction } from '../../../../src/domain/records/transaction-moves.ts';
import {
  AMOUNTS,
  anyOf,
  BUSINESSES,
  creditOf,
  depositOf,
  idOf,
  modeOf,
  movementOf,
  noticeOf,
  type Part,
  PEOPLE,
  PERIODS,
  type World,
} from './world.ts';

function moved<Row extends { readonly id: string; readonly version: number }, M extends RecordMove<Row>>(
  list: readonly M[] | undefined,
  move: M,
): M[] {
  const others = list ?? [];
  return others.some(({ after }) => after.id === move.after.id) ? [...others] : [...others, move];
}

function believed<Row extends { readonly id: string; readonly version: number }>(
  { random }: World,
  row: Row,
): Row {
  if (random.chance(0.88)) return row;
  if (random.chance(0.2)) return { ...row, id: `${row.id}x` };
  return { ...row, version: row.version + random.pick([-1, 1]) };
}

const dueOf = ({ random, nowMs }: World) => random.pick([null, nowMs, nowMs + 50, nowMs + 5_000]);

export const transactionMoved: Part = (world, draft) => {
  const found = anyOf(world, world.tables.transactions);
  if (found === undefined) return;
  const { random, nowMs } = world;
  const row = believed(world, found);
  const next: readonly TransactionState[] =
    (ALLOWED_MOVES[row.type] as Record<string, readonly TransactionState[]>)[row.state] ?? [];
  if (random.chance(0.15)) {
    draft.transactions = moved(draft.transactions, postponeTransaction(row, nowMs + random.below(1_000)));
    return;
  }
  const updates: Partial<Transaction> = {
    exception: random.pick([null, 'duplicate_claim', 'paid_partial', 'name_mismatch']),
    receivedMinor: random.pick([0n, 0n, 1n, row.amountMinor]),
    ...(random.chance(0.3) && { refundedMinor: 1n, released: true, txHash: '0xsent' }),
    ...(random.chance(0.3) && { wallet: random.pick([null, { network: 'Stellar', address: 'GABC' }]) }),
    // The facts of the acceptance must not change, even if a change contains other values.
    ...(random.chance(0.1) && { amountMinor: 77n, reference: 'other', expiresAtMs: 1 }),
  };
  const evidence = random.pick([{}, { evidence: { from: 'x', gone: undefined } }]);
  const facts = {
    actor: 'test',
    atMs: nowMs,
    reason: 'refund_made' as const,
    dueAtMs: dueOf(world),
    updates,
    ...evidence,
  };
  const to = next.length === 0 || random.chance(0.2) ? row.state : random.pick(next);
  draft.transactions = moved(draft.transactions, moveTransaction(row, to, facts));
  // The same step occurs twice in one change, which is an error and must be refused.
  if (random.chance(0.05)) draft.transactions = [...draft.transactions, ...draft.transactions];
};

export function onward<Row extends { readonly id: string; readonly version: number }>(
  world: World,
  row: Row,
  updates: Partial<Row>,
): RecordMove<Row> {
  const seen = believed(world, row);
  return { version: seen.version, after: { ...seen, ...updates, version: seen.version + 1 } };
}

export const creditMoved: Part = (world, draft) => {
  const { random, tables } = world;
  const found = anyOf(world, tables.credits);
  if (found === undefined) return;
  const move = onward(world, found, {
    state: random.pick([...CREDIT_STATES, 'review', 'unmatched']),
    exception: random.pick([null, 'ambiguous']),
    transactionId: random.chance(0.8) ? (anyOf(world, tables.transactions)?.id ?? null) : null,
    dueAtMs: dueOf(world),
    tries: random.below(3),
    ...(random.chance(0.1) && { narration: 'rewritten' }),
  });
  draft.credits = moved(draft.credits, move);
};

export const depositMoved: Part = (world, draft) => {
  const { random, tables } = world;
  const found = anyOf(world, tables.deposits);
  if (found === undefined) return;
  const move = onward(world, found, {
    state: random.pick(['seen', 'applied', 'suspense', 'refunded', 'written_off', 'gone']),
    exception: random.pick([null, 'unattributed']),
    transactionId: random.chance(0.7) ? (anyOf(world, tables.transactions)?.id ?? null) : null,
    dueAtMs: dueOf(world),
    tries: random.below(3),
  });
  draft.deposits = moved(draft.deposits, move);
};

export const movementMoved: Part = (world, draft) => {
  const { random, tables, nowMs } = world;
  const found = anyOf(world, tables.movements);
  if (found === undefined) return;
  const move = onward(world, found, {
    state: random.pick(['pending', 'sending', 'unknown', 'done', 'failed', 'failed', 'returned']),
    bankAccount: random.pick([found.bankAccount, null, 'x:0123456789']),
    reason: random.pick([null, 'bounced', 'replaced by mov_x']),
    destination: random.pick([found.destination, { address: '0x2' }, null]),
    attempts: found.attempts + random.below(2),
    dueAtMs: dueOf(world),
    tries: random.below(3),
    updatedAtMs: nowMs,
  });
  draft.movements = moved(draft.movements, move);
};

export const noticeMoved: Part = (world, draft) => {
  const { random, tables } = world;
  const found = anyOf(world, tables.notices);
  if (found === undefined) return;
  const state = random.pick(['open', 'open', 'done', 'review'] as const);
  const move = onward(world, found, { state, dueAtMs: dueOf(world), tries: random.below(3) });
  draft.notices = moved(draft.notices, move);
};

function idAmong<Row extends { readonly id: string }>(
  world: World,
  rows: ReadonlyMap<string, Row>,
): { id?: string } {
  const taken = world.random.chance(0.08) ? anyOf(world, rows)?.id : undefined;
  return taken === undefined ? {} : { id: taken };
}

const nothing = ({ random }: World) => (random.chance(0.08) ? { amountMinor: 0n } : {});

export const creditAdded: Part = (world, draft) => {
  const { random, tables } = world;
  const twin = random.chance(0.3) ? anyOf(world, tables.credits) : undefined;
  const equal = twin && {
    ...twin,
    id: idOf(world, 'crd'),
    sourceId: random.text(6),
    state: 'unmatched' as const,
  };
  const odd = random.weighted<Partial<BankCredit>>([
    [90, {}],
    [4, { state: 'matched', transactionId: 'txn_x' }],
    [4, { narration: 'NUL \0' }],
    [4, { raw: { text: 'NUL \0' } }],
  ]);
  const added = creditOf(world, { ...equal, ...nothing(world), ...idAmong(world, tables.credits), ...odd });
  draft.newCredits = [...(draft.newCredits ?? []), added];
  // The same line occurs twice in one change, which is an error and must be refused.
  if (random.chance(0.07)) draft.newCredits = [...draft.newCredits, { ...added, id: idOf(world, 'crd') }];
};

export const depositAdded: Part = (world, draft) => {
  const odd = { ...nothing(world), ...idAmong(world, world.tables.deposits) };
  const added = depositOf(world, odd);
  draft.newDeposits = [...(draft.newDeposits ?? []), added];
  if (world.random.chance(0.1))
    draft.newDeposits = [...draft.newDeposits, { ...added, id: idOf(world, 'dep') }];
};

export const noticeAdded: Part = (world, draft) => {
  const odd = { ...nothing(world), ...idAmong(world, world.tables.notices) };
  const added = noticeOf(world, odd);
  draft.newNotices = [...(draft.newNotices ?? []), added];
  if (world.random.chance(0.1))
    draft.newNotices = [...draft.newNotices, { ...added, id: idOf(world, 'ntc') }];
};

export const movementAdded: Part = (world, draft) => {
  const worthless = world.random.chance(0.04) ? { nairaMinor: 0n } : {};
  const odd = { ...nothing(world), ...idAmong(world, world.tables.movements), ...worthless };
  draft.newMovements = [...(draft.newMovements ?? []), movementOf(world, odd)];
};

export const quarantined: Part = (world, draft) => {
  draft.quarantine = {
    mode: modeOf(world),
    source: 'bank',
    reason: 'odd',
    raw: `"raw" ${world.random.text(3)}`,
  };
};

export const limitUsed: Part = (world, draft) => {
  const { random } = world;
  const use = (period: string) => ({
    businessId: random.pick(BUSINESSES),
    mode: modeOf(world),
    period,
    amountMinor: random.chance(0.05) ? -1n : BigInt(random.below(8)),
    limitMinor: random.pick([10n, 20n, 40n]),
  });
  draft.usage = random.chance(0.5) ? PERIODS.map(use) : [use(random.pick(PERIODS))];
};

export const caseOpened: Part = (world, draft) => {
  const { random, tables } = world;
  const twin = random.chance(0.4)
    ? [...tables.cases.values()].find(({ movementId }) => movementId !== undefined)
    : undefined;
  const returned = twin?.movementId ?? (random.chance(0.5) ? anyOf(world, tables.movements)?.id : undefined);
  draft.openCase = {
    id: random.chance(0.7) ? idOf(world, 'cas') : `cas_${random.below(3)}`,
    kind: twin?.kind ?? random.pick(['credit_reversed', 'payout_returned', 'payout_paid_late']),
    mode: modeOf(world),
    businessId: random.pick([null, ...BUSINESSES]),
    transactionId: anyOf(world, tables.transactions)?.id ?? null,
    creditId: anyOf(world, tables.credits)?.id ?? null,
    amountMinor: random.pick(AMOUNTS),
    ...(returned !== undefined && { movementId: returned }),
  };
};

export const caseClosed: Part = (world, draft) => {
  const { random, tables } = world;
  const found = anyOf(world, random.chance(0.85) ? tables.cases : tables.closedCases)?.id ?? 'cas_none';
  const outcome = random.pick(['recovered', 'accepted', 'paid_again', 'counted'] as const);
  draft.closeCases = [{ id: found, outcome, closedBy: random.pick(PEOPLE) }];
};

export const decided: Part = (world, draft) => {
  const { random, tables } = world;
  // This is mostly a proposal with a second factor. The second factor may be old, already used, or another person's.
  const given = random.chance(0.8) ? anyOf(world, tables.stepUps) : undefined;
  const proposal =
    given !== undefined && random.chance(0.7)
      ? tables.proposals.get(given.subjectId)
      : anyOf(world, tables.proposals);
  const proposedBy = random.chance(0.9) ? (proposal?.proposedBy ?? PEOPLE[0]) : random.pick(PEOPLE);
  const stepUp = given && { id: given.id, atMs: random.chance(0.95) ? given.atMs : given.atMs - 1 };
  draft.decision = {
    proposalId: random.chance(0.93) ? (proposal?.id ?? 'prp_none') : 'prp_none',
    proposedBy,
    decidedBy: given !== undefined && random.chance(0.85) ? given.personId : random.pick(PEOPLE),
    approved: random.chance(0.7),
    reason: 'looked at',
    stepUp: stepUp ?? null,
  };
};
