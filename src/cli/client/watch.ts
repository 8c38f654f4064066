// Follows one transaction over its own stream, a line for each event, until it is where the caller wants it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sliproad, SliproadEvent, Transaction, TransactionState } from '../../../sdk/src/index.ts';
import type { Terminal } from '../command.ts';
import { makeStateNotes } from './follow.ts';
import { asJson, eventLine, transactionOf } from './show.ts';

/** Nothing is awaited any more. Late money may still move an expired transaction on. */
export const ENDS: readonly TransactionState[] = [
  'completed',
  'expired',
  'cancelled',
  'rejected',
  'refunded',
];

export interface Watched {
  readonly client: Sliproad;
  readonly id: string;
  /** After each event, and again after `quietMs` without one: whether to stop. */
  isEnough(transaction: Transaction, event: SliproadEvent, quiet: boolean): boolean;
  readonly quietMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Seen {
  /** As it is now. */
  readonly transaction: Transaction;
  readonly enough: boolean;
}

export async function watchTransaction(terminal: Terminal, watched: Watched): Promise<Seen> {
  const { client, id, isEnough, quietMs, timeoutMs } = watched;
  const stop = new AbortController();
  const { interrupted } = terminal;
  const limit = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
  const signal = AbortSignal.any([interrupted, stop.signal, ...limit]);
  const onState = makeStateNotes((line) => line !== '' && terminal.note(line), { connected: '' });
  let last: SliproadEvent | undefined;
  let enough = false;
  const decide = async (event: SliproadEvent, quiet: boolean) => {
    const seen = transactionOf(event);
    // The last refund is two events: the refund, then the transaction that is refunded by it.
    const isHalf = event.type === 'refund.completed' && seen?.state === 'refunded';
    if (seen === undefined || isHalf || !isEnough(seen, event, quiet)) return;
    // The event may be an old one: an expired transaction goes on when late money arrives.
    const now = await client.transactions.get(id, { signal });
    if (now.state !== seen.state) return;
    enough = true;
    stop.abort();
  };
  const events = client.transactions.events(id, { signal, onState });
  try {
    for await (const event of events) {
      last = event;
      terminal.print(eventLine(event, terminal, 'of one transaction'));
      terminal.emit(asJson(event));
      await decide(event, false);
      if (quietMs !== undefined) void afterQuiet(event);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { transaction: await client.transactions.get(id), enough };

  async function afterQuiet(event: SliproadEvent): Promise<void> {
    await sleep(quietMs, undefined, { signal }).catch(() => undefined);
    if (last === event && !signal.aborted) await decide(event, true).catch((error) => stop.abort(error));
  }
}
