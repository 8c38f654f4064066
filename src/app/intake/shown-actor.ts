// Who did something, as a business reads it in the timeline and in events.
import { actorKind } from '../../domain/people/actor.ts';
import type { PublicCode } from '../../domain/records/public-words.ts';

/** Parts of the service, as actors. */
const PARTS = new Set(['matching', 'settlement', 'bank', 'network']);

/** What only a business does: a person who did it is one of its own. */
const OWN_REQUESTS = new Set<PublicCode>([
  'accepted',
  'wallet_given',
  'refund_wallet_given',
  'cancelled_by_business',
]);

/** Which person it was, the business does not read: not of the operator's people, and its own it asks for elsewhere. */
export function shownActor(actor: string, reason: PublicCode): string {
  const kind = actorKind(actor);
  if (PARTS.has(actor) || kind === 'key') return actor;
  if (kind === 'service') return 'service';
  return kind === 'person' && OWN_REQUESTS.has(reason) ? 'you' : 'operator';
}
