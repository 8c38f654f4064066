// The timeline of a transaction as its business may read it: its acceptance, and every later move with its actor, reason and
// evidence. People's names, private notes and records of others are visible only to the operator.
import { actorKind } from '../../domain/people/actor.ts';
import type { TimelineEntry } from '../../domain/records/change.ts';
import { type PublicCode, toPublicReason } from '../../domain/records/public-reasons.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { TimelineLine } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import type { BusinessReader } from '../input/caller.ts';
import { readTransaction } from './read-transactions.ts';

// Who did something, as a business reads it in the timeline and in events.

/** Parts of the service, as actors. */
const SERVICE_PARTS = new Set(['matching', 'settlement', 'bank', 'network']);

/** The actions that only a business takes: a person who took such an action belongs to the business. */
const BUSINESS_REQUESTS = new Set<PublicCode>([
  'accepted',
  'wallet_given',
  'refund_wallet_given',
  'cancelled_by_business',
]);

/**
 * The timeline does not show the business which person it was: the operator's people are hidden, and its own people are listed
 * elsewhere.
 */
export function showActor(actor: string, reason: PublicCode): string {
  const kind = actorKind(actor);
  if (SERVICE_PARTS.has(actor) || kind === 'key') return actor;
  if (kind === 'service') return 'service';
  return kind === 'person' && BUSINESS_REQUESTS.has(reason) ? 'you' : 'operator';
}

export interface ShownLine extends TimelineLine {
  readonly reason: PublicCode;
  readonly sentence: string;
}

/**
 * The evidence that the business may read. The other evidence refers to people, other businesses and lists, and only operators
 * may read it.
 */
const PUBLIC_EVIDENCE = new Set([
  'bank_credit',
  'deposit',
  'network',
  'tx_hash',
  'movement',
  'reference',
  'attempt',
  'case',
]);

/** The hold reasons for which the credit may be the payment of another business. */
const DOUBTFUL_CREDIT = new Set<PublicCode>(['name_mismatch', 'payer_unclear', 'duplicate_claim']);

export async function readTimeline(
  store: Store,
  caller: BusinessReader,
  transactionId: string,
): Promise<Result<readonly ShownLine[], Refusal>> {
  const found = await readTransaction(store, caller, transactionId);
  if (!found.ok) return found;
  const lines = await store.timeline(found.value.id);
  return ok(lines.map(showLine));
}

function showLine({ from, to, actor, reason, evidence, atMs }: TimelineLine): ShownLine {
  const { code, sentence } = toPublicReason(reason, to);
  return {
    ...{ from, to, atMs, sentence },
    actor: showActor(actor, code),
    reason: code,
    evidence: filterEvidence(evidence, DOUBTFUL_CREDIT.has(code)),
  };
}

/** Null when nothing is left, so that the reader does not see that hidden evidence exists. */
function filterEvidence(evidence: TimelineEntry['evidence'], doubtful: boolean): TimelineEntry['evidence'] {
  const own = Object.entries(evidence ?? {}).filter(
    ([key]) => PUBLIC_EVIDENCE.has(key) && !(doubtful && key === 'bank_credit'),
  );
  return own.length === 0 ? null : Object.fromEntries(own);
}
