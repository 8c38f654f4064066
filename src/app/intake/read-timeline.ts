// Reads the timeline of a transaction for its business: the acceptance, and every later move with its actor, reason and
// evidence. Only the operator sees the names of people, private notes and the records of others.
import { actorKind } from '../../domain/people/actor.ts';
import type { TimelineEntry } from '../../domain/records/change.ts';
import { type PublicCode, toPublicReason } from '../../domain/records/public-reasons.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { TimelineLine } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import type { BusinessReader } from '../input/caller.ts';
import { readTransaction } from './read-transactions.ts';

const SERVICE_PARTS = new Set(['matching', 'settlement', 'bank', 'network']);

/** The actions that only a business takes. If a person took such an action, that person belongs to the business. */
const BUSINESS_REQUESTS = new Set<PublicCode>([
  'accepted',
  'wallet_given',
  'refund_wallet_given',
  'cancelled_by_business',
]);

/**
 * The timeline does not tell the business which person acted. The people of the operator are hidden, and the business sees its
 * own people in its list of members.
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
 * The kinds of evidence that a business may read. All other evidence refers to people, other businesses and lists, and only the
 * operator may read it.
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

/** Returns null if no evidence is left, so that the reader does not see that hidden evidence exists. */
function filterEvidence(evidence: TimelineEntry['evidence'], doubtful: boolean): TimelineEntry['evidence'] {
  const own = Object.entries(evidence ?? {}).filter(
    ([key]) => PUBLIC_EVIDENCE.has(key) && !(doubtful && key === 'bank_credit'),
  );
  return own.length === 0 ? null : Object.fromEntries(own);
}
