// Waits with the stream of a transaction until the transaction has reached a state. The stream starts with the acceptance, so
// it also shows short and past states.
import type { Transaction } from './api-types.ts';
import type { TransactionState } from './api-words.ts';
import { invalidArgument, SliproadStateError, SliproadTimeoutError } from './errors.ts';
import type { Transactions } from './resources/transactions.ts';
import { deadline, type Timers } from './transport/timers.ts';
import type { CallOptions } from './transport/transport.ts';

export interface WaitOptions extends CallOptions {
  /** The total time limit in milliseconds. Without it, `waitFor` waits until the transaction ends. */
  readonly timeoutMs?: number | undefined;
}

/** The end states of a transaction. Late money may still reopen an expired transaction. */
const ENDS: readonly TransactionState[] = ['completed', 'expired', 'cancelled', 'rejected', 'refunded'];
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export async function waitForState(
  transactions: Transactions,
  timers: Timers,
  id: string,
  wanted: readonly TransactionState[],
  { timeoutMs = LONGEST_TIMEOUT_MS, signal }: WaitOptions,
): Promise<Transaction> {
  if (wanted.length === 0) throw invalidArgument('states', 'waitFor needs at least one state to wait for.');
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
    throw invalidArgument('timeoutMs', `timeoutMs must be a number from 1 to ${LONGEST_TIMEOUT_MS}.`);
  }
  const limit = deadline(timers, timeoutMs, signal);
  try {
    return await follow(transactions, id, wanted, limit.signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (!limit.passed) throw error;
    const message = `The transaction ${id} did not reach ${wanted.join(' or ')} within ${timeoutMs} ms. It continues: read it, or wait again.`;
    throw new SliproadTimeoutError('timeout', message);
  } finally {
    limit.clear();
    limit.abort();
  }
}

async function follow(
  transactions: Transactions,
  id: string,
  wanted: readonly TransactionState[],
  signal: AbortSignal,
): Promise<Transaction> {
  for await (const { data } of transactions.events(id, { signal })) {
    if (!('transaction' in data)) continue;
    const { state } = data.transaction;
    if (wanted.includes(state)) return await transactions.get(id, { signal });
    if (!ENDS.includes(state)) continue;
    // The event may be old, because an expired transaction continues when late money arrives.
    const now = await transactions.get(id, { signal });
    if (now.state !== state) continue;
    const why = now.state_message === null ? '' : ` ${now.state_message}`;
    throw new SliproadStateError(
      `The transaction ${id} ended in ${state}, not in ${wanted.join(' or ')}.${why}`,
      now,
    );
  }
  throw signal.reason;
}
