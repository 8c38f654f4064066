// Follows one transaction through its own event stream and prints one line per event, until the caller ends it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sliproad, SliproadEvent, Transaction, TransactionState } from '../../../sdk/src/index.ts';
import type { Terminal } from '../command.ts';
import { makeStateNotes } from './follow.ts';
import { asJson, eventLine, transactionOf } from './show.ts';

/**
 * A transaction normally ends in one of these states. An expired transaction can still continue when a late payment arrives.
 */
export const ENDED_STATES: readonly TransactionState[] = [
  'completed',
  'expired',
  'cancelled',
  'rejected',
  'refunded',
];

export interface WatchSettings {
  readonly client: Sliproad;
  readonly id: string;
  /**
   * Decides whether to stop following the transaction. It is called after each event, and again after `quietMs` without an
   * event.
   */
  isEnough(transaction: Transaction, event: SliproadEvent, quiet: boolean): boolean;
  readonly quietMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface WatchResult {
  readonly transaction: Transaction;
  readonly enough: boolean;
}

export async function watchTransaction(terminal: Terminal, watched: WatchSettings): Promise<WatchResult> {
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
    // The last refund of a transaction creates two events: first one for the refund, and then one for the state `refunded`.
    const isHalf = event.type === 'refund.completed' && seen?.state === 'refunded';
    if (seen === undefined || isHalf || !isEnough(seen, event, quiet)) return;
    // The event may be outdated: an expired transaction continues when a late payment arrives.
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
