// The story of a transaction: its acceptance, and every move since with who made it, why, and on what evidence.
import type { Refusal } from '../domain/refusals.ts';
import { ok, type Result } from '../domain/result.ts';
import type { Store, TimelineLine } from '../ports/store.ts';
import type { Caller } from './caller.ts';
import { readTransaction } from './read-transactions.ts';

/** Parts of the service, as actors. */
const PARTS = new Set(['matching', 'settlement', 'bank', 'network']);

export async function readTimeline(
  store: Store,
  caller: Caller,
  transactionId: string,
): Promise<Result<readonly TimelineLine[], Refusal>> {
  const found = await readTransaction(store, caller, transactionId);
  if (!found.ok) return found;
  const lines = await store.timeline(found.value.id);
  return ok(lines.map((line) => ({ ...line, actor: shown(line.actor) })));
}

/** Which person of the operator's it was is not the business's to know. */
function shown(actor: string): string {
  return PARTS.has(actor) || actor.startsWith('key_') ? actor : 'operator';
}
