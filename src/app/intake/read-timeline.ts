// The story of a transaction: its acceptance, and every move since with who made it, why, and on what evidence.
import type { TimelineEntry } from '../../domain/records/change.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { TimelineLine } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Caller } from './caller.ts';
import { readTransaction } from './read-transactions.ts';

/** Parts of the service, as actors. */
const PARTS = new Set(['matching', 'settlement', 'bank', 'network']);

/** What of the evidence is the business's own. The rest names people, other businesses and lists: it is for operators. */
const SHOWN = new Set([
  'bank_credit',
  'deposit',
  'network',
  'tx_hash',
  'movement',
  'reference',
  'attempt',
  'case',
]);

export async function readTimeline(
  store: Store,
  caller: Caller,
  transactionId: string,
): Promise<Result<readonly TimelineLine[], Refusal>> {
  const found = await readTransaction(store, caller, transactionId);
  if (!found.ok) return found;
  const lines = await store.timeline(found.value.id);
  return ok(
    lines.map((line) => ({ ...line, actor: shownActor(line.actor), evidence: shownEvidence(line.evidence) })),
  );
}

/** Which person of the operator's it was is not the business's to know. */
function shownActor(actor: string): string {
  return PARTS.has(actor) || actor.startsWith('key_') ? actor : 'operator';
}

/** Null when nothing is left, so that the reader does not see that hidden evidence exists. */
function shownEvidence(evidence: TimelineEntry['evidence']): TimelineEntry['evidence'] {
  const own = Object.entries(evidence ?? {}).filter(([key]) => SHOWN.has(key));
  return own.length === 0 ? null : Object.fromEntries(own);
}
