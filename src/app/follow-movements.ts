// Takes movements that are due one step further: starts refunds, offers stored bytes or a reference again, asks what
// became of them, and settles what the answer proves.
import { type Change, moveOf } from '../domain/change.ts';
import type { Attempt, Movement } from '../domain/movement.ts';
import type { UnderWay } from '../domain/movement-steps.ts';
import type { State } from '../domain/states.ts';
import type { Transaction } from '../domain/transaction.ts';
import { followPayout, payAll, startPayoutAttempt } from './bank-steps.ts';
import { broadcastAll, commitSteps, type Sent } from './broadcast.ts';
import { followSend, startSendAttempt } from './network-steps.ts';
import { findDestination } from './refund-destination.ts';
import { apart, type SettlementDeps } from './settlement.ts';

/** A change, and for a new attempt what must be done once it is stored. */
export interface Step {
  readonly change: Change;
  readonly start?: UnderWay;
}

/**
 * Movements the caller holds; of those it has just sent itself it knows the attempt and the transaction. Answers sends
 * made anew that it goes on with.
 */
export async function followMovements(
  deps: SettlementDeps,
  movements: readonly Movement[],
  known: ReadonlyMap<string, UnderWay> = new Map(),
): Promise<readonly Sent[]> {
  // What is known of an earlier version may be about an attempt that is over: its end says nothing about the live one.
  const knownOf = ({ id, version }: Movement) => {
    const alive = known.get(id);
    return alive?.movement.version === version ? alive : undefined;
  };
  const strange = movements.filter((movement) => knownOf(movement) === undefined);
  const transactionIds = strange.flatMap(({ transactionId }) => transactionId ?? []);
  const [transactions, attempts] = await Promise.all([
    deps.store.transactionsById([...new Set(transactionIds)]),
    deps.store.lastAttempts(strange.map(({ id }) => id)),
  ]);
  const { done, rethrow } = await apart(movements, (movement) => {
    const alive = knownOf(movement);
    if (alive !== undefined) return follow(deps, movement, alive.attempt, alive.transaction);
    const transaction = transactions.get(movement.transactionId ?? '') ?? null;
    return follow(deps, movement, attempts.get(movement.id), transaction);
  });
  const plain = done.filter(({ outcome }) => outcome.start === undefined);
  if (plain.length > 0)
    await commitSteps(
      deps,
      plain.map(({ item }) => item),
      plain.map(({ outcome }) => outcome.change),
    );
  const sent = await startAttempts(
    deps,
    done.flatMap(({ outcome }) => (outcome.start === undefined ? [] : [outcome])),
  );
  rethrow();
  return sent;
}

async function follow(
  deps: SettlementDeps,
  movement: Movement,
  attempt: Attempt | undefined,
  transaction: Transaction | null,
): Promise<Step> {
  if (isOvertaken(movement, transaction)) {
    const atMs = deps.clock.now();
    return { change: { atMs, movements: [moveOf(movement, { dueAtMs: atMs + deps.leaseMs })] } };
  }
  if (movement.state === 'pending') {
    if (movement.destination === null) return findDestination(deps, movement, transaction);
    return movement.network === null
      ? startPayoutAttempt(deps, movement, transaction)
      : startSendAttempt(deps, movement, attempt, transaction);
  }
  const alive: UnderWay = { movement, attempt: attempt!, transaction };
  return movement.network === null ? followPayout(deps, alive) : followSend(deps, alive);
}

const UNDER_WAY: Readonly<Record<Movement['kind'], readonly State[] | null>> = {
  send: ['sending', 'confirming'],
  payout: ['paying_out'],
  refund: null,
};

/** Another has ended it while this process stood still: what is known of the movement here is out of date. */
function isOvertaken({ kind }: Movement, transaction: Transaction | null): boolean {
  const states = UNDER_WAY[kind];
  return states !== null && transaction !== null && !states.includes(transaction.state);
}

/** Stored first; only what is stored is sent. */
async function startAttempts(deps: SettlementDeps, steps: readonly Step[]): Promise<readonly Sent[]> {
  if (steps.length === 0) return [];
  const outcomes = await deps.store.commit(steps.map((step) => step.change));
  const stored: UnderWay[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const { start } = steps[index]!;
    if (outcome.kind === 'committed') stored.push(start!);
    if (outcome.kind === 'refused') {
      const { constraint } = outcome;
      deps.onTrouble('an attempt was refused', { movement: start!.movement.id, constraint });
    }
  }
  const [sent] = await Promise.all([
    broadcastAll(
      deps,
      stored.filter(({ movement }) => movement.network !== null),
    ),
    payAll(
      deps,
      stored.filter(({ movement }) => movement.network === null),
    ),
  ]);
  return sent;
}
