// Describes what an operation does to the database, statement by statement. In a serial order, statements of other operations
// may run between two of its statements, but never during one. A work runs its next statement on a given state and compares the
// result with PostgreSQL's result. It returns the possible next states, or the reason why PostgreSQL cannot have returned its
// result. A commit runs one statement for each round, and one for each half of a refused statement. A lease of transactions
// runs one statement for each state. An acceptance that repeats a reference with a new key binds that key in a second
// statement. Two kinds of statements are deliberately weaker than "all at one moment". A lease (`for update skip locked`) skips
// records that another operation is changing. Of the records that no other operation touches in the round, it takes the oldest,
// and leaves none while its limit allows more; it may leave the records that others touch. A hastening (an update of all
// matching rows) sees each record that another operation is changing either as it was or as it will be. It always updates the
// matching records that no other operation touches. It takes its locks in no fixed order, so PostgreSQL may abort it to end a
// deadlock. Then it did nothing, and its caller has to repeat it.
import { isDeepStrictEqual } from 'node:util';
import { ruleOfConstraint } from '../../../../src/adapters/postgres/commit/commit-part.ts';
import type { Change } from '../../../../src/domain/records/change.ts';
import type { BankCredit } from '../../../../src/domain/records/credit.ts';
import type { Acceptance } from '../../../../src/ports/store/acceptance.ts';
import type { CommitOutcome, FeedLease } from '../../../../src/ports/store/commit.ts';
import { type Placed, withoutRepeats } from '../commit.ts';
import type { Model, QueueName } from '../model.ts';
import { leased, type Queued } from '../queues.ts';
import { dueFor, type Lease, leaseOf } from './leases.ts';
import type { Operation, Verb } from './operation.ts';
import { comparable, doneTo, type Result } from './stage.ts';
import { shown } from './state.ts';

export interface Work {
  /** The name is equal for equal remaining work. */
  readonly name: string;
  readonly next: (model: Model) => Outcome;
}

export interface Moment {
  /** The model is the same object as before if the statement did nothing. */
  readonly model: Model;
  /** Undefined: nothing. */
  readonly left: Work | undefined;
}

export type Outcome = { readonly moments: readonly Moment[] } | { readonly why: string };

type Feed = { readonly hold: FeedLease; readonly position: string };

export function workOf(operation: Operation, answered: Result, touched: ReadonlySet<string>): Work {
  const { verb, given } = operation;
  const queue = HASTENED[verb];
  if ('threw' in answered) return whole(operation, answered);
  const { answer } = answered;
  const lease = leaseOf(operation);
  if (lease !== undefined)
    return leasing(lease, 0, lease.request.limit, answer as readonly Queued[], touched);
  if (verb === 'commit') {
    const rounds = withoutRepeats(given[0] as readonly Change[]);
    const feed = given[1] as Feed | undefined;
    return committed(rounds, feed, answer as readonly CommitOutcome[]);
  }
  if (verb === 'accept') return accepted(operation, answered);
  return queue === undefined ? whole(operation, answered) : hastened(operation, queue, answer, touched);
}

function whole(operation: Operation, answered: Result, left?: Work): Work {
  const next = (before: Model): Outcome => {
    const model = READING.has(operation.verb) ? before : before.snapshot();
    const done = withoutEmpty(operation, comparable(operation, doneTo(model.core, operation)));
    const expected = withoutEmpty(operation, comparable(operation, answered));
    return isDeepStrictEqual(done, expected) ? { moments: [{ model, left }] } : differs(done, expected);
  };
  return { name: operation.verb, next };
}

/** A separate statement creates the accounts, so here an account with balance 0 equals a missing account. */
function withoutEmpty({ verb }: Operation, result: Result): Result {
  if (verb !== 'balances' || 'threw' in result) return result;
  const balances = result.answer as ReadonlyMap<string, bigint>;
  return { answer: new Map([...balances].filter(([, balance]) => balance !== 0n)) };
}

const READING: ReadonlySet<Verb> = new Set<Verb>([
  'balances',
  'transactionsById',
  'creditsById',
  'lastAttempts',
  'timeline',
]);

function differs(model: unknown, answered: unknown): Outcome {
  return { why: `the model says ${shown(model)}, PostgreSQL said ${shown(answered)}` };
}

/** If a reference is repeated with a new key, a separate statement binds that key afterwards. */
function accepted(operation: Operation, answered: Result): Work {
  const [acceptance] = operation.given as readonly [Acceptance];
  const { transaction, idempotency } = acceptance;
  const { kind, transaction: found } = (
    answered as { answer: { kind: string; transaction?: { id: string } } }
  ).answer;
  if (kind !== 'repeated' || idempotency === null) return whole(operation, answered);
  const next = (before: Model): Outcome => {
    if (before.core.findIdempotencyKey(transaction, idempotency.key) !== undefined)
      return whole(operation, answered).next(before);
    const scope = { businessId: transaction.businessId, mode: transaction.mode };
    const given = [scope, idempotency, found!.id, transaction.createdAtMs];
    const binding = whole({ verb: 'bindIdempotencyKey', given }, { answer: undefined });
    return whole({ verb: 'accept', given: [{ ...acceptance, idempotency: null }] }, answered, binding).next(
      before,
    );
  };
  return { name: 'accept', next };
}

/** Each statement is tried as a whole. A refused statement is split into halves, which are tried later. */
function committed(
  groups: readonly (readonly Placed[])[],
  feed: Feed | undefined,
  answered: readonly CommitOutcome[],
): Work {
  const next = (before: Model): Outcome => {
    const changed = before.snapshot();
    const [group = [], ...rest] = groups;
    const { refusedBy, stale } = changed.core.write(group.map(({ change }) => change));
    const model = refusedBy !== null || stale.size === group.length ? before : changed;
    if (refusedBy !== null && group.length > 1) {
      const middle = group.length >> 1;
      const halves = [group.slice(0, middle), group.slice(middle), ...rest];
      return { moments: [{ model, left: committed(halves, feed, answered) }] };
    }
    for (const [unit, { at }] of group.entries()) {
      const outcome = outcomeOf(refusedBy, stale.has(unit));
      if (!isDeepStrictEqual(outcome, answered[at])) return differs([at, outcome], answered[at]);
    }
    if (rest.length > 0) return { moments: [{ model, left: committed(rest, feed, answered) }] };
    if (feed === undefined) return { moments: [{ model, left: undefined }] };
    // The feed position moves with the last statement, unless a change was refused.
    if (answered.some(({ kind }) => kind === 'refused')) return { moments: [{ model, left: undefined }] };
    changed.core.commit([], feed);
    return { moments: [{ model: changed, left: undefined }] };
  };
  return { name: groups.map((group) => group.map(({ at }) => at).join('+')).join(', '), next };
}

function outcomeOf(refusedBy: string | null, isStale: boolean): CommitOutcome {
  if (refusedBy !== null)
    return { kind: 'refused', rule: ruleOfConstraint(refusedBy), constraint: refusedBy };
  return { kind: isStale ? 'stale' : 'committed' };
}

function leasing(
  lease: Lease,
  lot: number,
  room: number,
  answered: readonly Queued[],
  touched: ReadonlySet<string>,
): Work {
  const next = (before: Model): Outcome => {
    const states = lease.lots[lot];
    const mine = answered.filter(
      (row) => states?.includes((row as Queued & { state: string }).state) ?? true,
    );
    const due = dueFor(before.tables, lease)[lot] ?? [];
    const why = whyNotTaken(mine, due, room, lease, touched);
    if (why !== null) return { why };
    const model = mine.length === 0 ? before : before.snapshot();
    for (const row of mine) model.core.put(lease.queue, row);
    const left = room - mine.length;
    const isLast = lot + 1 >= lease.lots.length || left <= 0;
    return {
      moments: [{ model, left: isLast ? undefined : leasing(lease, lot + 1, left, answered, touched) }],
    };
  };
  return { name: `lot ${lot}`, next };
}

function whyNotTaken(
  mine: readonly Queued[],
  due: readonly Queued[],
  room: number,
  { request }: Lease,
  touched: ReadonlySet<string>,
): string | null {
  const rows = new Map(due.map((row) => [row.id, row]));
  for (const row of mine) {
    const there = rows.get(row.id);
    const expected = there && leased(there, request.atMs + request.leaseMs);
    if (!isDeepStrictEqual(row, expected)) return `took ${shown(row)}, there is ${shown(there)}`;
  }
  if (mine.length > room) return `took ${mine.length} of ${room}`;
  const taken = new Set(mine.map(({ id }) => id));
  const left = due.find(({ id }) => !taken.has(id) && !touched.has(id));
  if (left === undefined) return null;
  if (mine.length < room) return `left ${left.id} though there was room`;
  const newest = mine.filter(({ id }) => !touched.has(id)).map(({ id }) => rows.get(id)!.dueAtMs!);
  return Math.max(...newest) > left.dueAtMs! ? `left ${left.id}, which was due before` : null;
}

const HASTENED: Readonly<Record<string, QueueName>> = {
  hastenCredits: 'credits',
  hastenNotices: 'notices',
  hastenRefunds: 'movements',
};

function hastened(
  operation: Operation,
  queue: QueueName,
  answered: unknown,
  touched: ReadonlySet<string>,
): Work {
  const next = (before: Model): Outcome => {
    const all = before.snapshot();
    doneTo(all.core, operation);
    const rows = before.tables[queue] as ReadonlyMap<string, Queued>;
    const fitting = [...rows.values()].filter(({ id }) => all.tables[queue].get(id) !== rows.get(id));
    const must = fitting.filter(({ id }) => !touched.has(id));
    const moments = subsetsOf(fitting.filter(({ id }) => touched.has(id)))
      .map((some) => [...must, ...some])
      .filter((some) => isDeepStrictEqual(answeredBy(operation, some), answered))
      .map((some): Moment => {
        const model = before.snapshot();
        for (const { id } of some) model.core.put(queue, all.tables[queue].get(id) as Queued);
        return { model, left: undefined };
      });
    if (moments.length > 0) return { moments };
    return { why: `of ${shown(fitting.map(({ id }) => id))} hastened, PostgreSQL said ${shown(answered)}` };
  };
  return { name: operation.verb, next };
}

function answeredBy({ verb, given }: Operation, hastened: readonly Queued[]): unknown {
  if (verb === 'hastenCredits') return hastened.length;
  if (verb === 'hastenRefunds') return undefined;
  const about = new Set(
    hastened.map((row) => row as unknown as { about: string; mode: string; source: string }).map(nameOf),
  );
  const credits = given[0] as readonly BankCredit[];
  return new Set(
    credits
      .filter(({ sourceId, mode, source }) => about.has(nameOf({ about: sourceId, mode, source })))
      .map(({ id }) => id),
  );
}

function nameOf({ about, mode, source }: { about: string; mode: string; source: string }): string {
  return `${mode} ${source} ${about}`;
}

function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  let subsets: Item[][] = [[]];
  for (const item of items) subsets = [...subsets, ...subsets.map((some) => [...some, item])];
  return subsets;
}
