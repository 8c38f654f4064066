// Lets an operator cancel a stuck send with another network transaction, which pays nothing and uses the same sequence number.
// This transaction is stored before the broadcast, and whichever transaction lands decides the outcome. The operator must
// confirm the cancellation of every order in the same bytes. This file also cancels withdrawals that cannot be sent.
import { holdMovementBack } from '../../../domain/movements/steps.ts';
import type { Movement } from '../../../domain/records/movement.ts';
import { fail, ok, type Result } from '../../../domain/values/result.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Networks } from '../../../ports/networks/network.ts';
import type { Store } from '../../../ports/store/store.ts';
import { envelopeOf, makeReplacement } from './attempts.ts';

export interface CancelSendDeps {
  readonly store: Pick<Store, 'movementById' | 'lastAttempts' | 'commit'>;
  readonly networks: Networks;
  readonly clock: Clock;
}

export interface CancelSendRequest {
  readonly movementId: string;
  /** True if the operator also cancels the other sends in the same bytes. */
  readonly othersToo: boolean;
}

export type CancelSendOutcome =
  /** The operator cancelled a withdrawal that had nothing in progress. */
  | { readonly kind: 'called_off' }
  | { readonly kind: 'signed'; readonly hash: string }
  /** The service signed nothing, because that would also cancel the sends in `others`. */
  | { readonly kind: 'shared'; readonly others: readonly Movement[] };

export async function cancelSend(
  { store, networks, clock }: CancelSendDeps,
  { movementId, othersToo }: CancelSendRequest,
): Promise<Result<CancelSendOutcome, string>> {
  const movement = await store.movementById(movementId);
  if (movement === undefined) return fail(`There is no movement ${movementId}.`);
  if (movement.network === null)
    return fail('This is a bank payment. Only sends on a network can be cancelled.');
  const attempt = (await store.lastAttempts([movementId])).get(movementId);
  // Nothing of the withdrawal is signed, or all signed bytes have ended. So the reserved amount becomes free again.
  if (movement.kind === 'withdrawal' && movement.state === 'pending') {
    const [ended] = await store.commit([
      holdMovementBack(movement, attempt, null, clock.now(), 'called_off'),
    ]);
    return ended!.kind === 'committed'
      ? ok({ kind: 'called_off' })
      : fail('The service is working on it. Try again.');
  }
  if (attempt === undefined || (movement.state !== 'sending' && movement.state !== 'unknown'))
    return fail(`It has no payment in progress: it is ${movement.state}.`);
  const network = networks.find(movement.mode, movement.network);
  if (network === undefined) return fail(`${movement.network} is not enabled in ${movement.mode} mode.`);
  const others = attempt.orders.filter((each) => each !== movementId);
  if (others.length > 0 && !othersToo) {
    const found = await Promise.all(others.map((each) => store.movementById(each)));
    return ok({ kind: 'shared', others: found.filter((each) => each !== undefined) });
  }
  const instead = await network.cancel(envelopeOf(attempt));
  if (instead === undefined)
    return fail(
      `Signed transactions on ${network.name} expire on their own, or cannot be cancelled within the fee limit.`,
    );
  const [stored] = await store.commit([
    { atMs: clock.now(), replacements: [makeReplacement(attempt, instead)] },
  ]);
  if (stored!.kind !== 'committed') return fail('The service has just signed it again. Try again.');
  await network.broadcast(instead);
  return ok({ kind: 'signed', hash: instead.hash });
}
