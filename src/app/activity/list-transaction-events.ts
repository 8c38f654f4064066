// The events of one transaction, and their deliveries to the endpoints of its business.
import type { BusinessEvent } from '../../domain/events/event.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { TransactionSearch } from '../../ports/activity.ts';
import type { EventLog } from '../../ports/events.ts';
import type { Store } from '../../ports/store/store.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';
import { readTransaction } from '../intake/read-transactions.ts';

export interface TransactionEventDeps {
  readonly store: Store;
  readonly eventLog: Pick<EventLog, 'list'>;
  readonly search: Pick<TransactionSearch, 'deliveriesOf'>;
}

/**
 * A transaction usually has about twenty events. It has more than a hundred only if its network replaces blocks repeatedly
 * (reorganisation).
 */
const MOST_EVENTS = 100;
const MOST_DELIVERIES = 200;

/** Newest first. */
export async function listTransactionEvents(
  { store, eventLog }: Omit<TransactionEventDeps, 'search'>,
  reader: BusinessReader,
  transactionId: string,
): Promise<Result<readonly BusinessEvent[], Refusal>> {
  const found = await readTransaction(store, reader, transactionId);
  if (!found.ok) return found;
  const filter = { transactionId, newestFirst: true, limit: MOST_EVENTS };
  return ok((await eventLog.list(scopeOf(reader), filter)) ?? []);
}

/** Returns the deliveries of the newest events of a transaction, the newest delivery first. */
export async function listTransactionDeliveries(
  deps: TransactionEventDeps,
  reader: BusinessReader,
  transactionId: string,
): Promise<Result<Awaited<ReturnType<TransactionSearch['deliveriesOf']>>, Refusal>> {
  const events = await listTransactionEvents(deps, reader, transactionId);
  if (!events.ok) return events;
  const ids = events.value.map(({ id }) => id);
  return ok(await deps.search.deliveriesOf(scopeOf(reader), ids, MOST_DELIVERIES));
}
