// Carries signals between features. A signal is a hint that work is due now. If a signal is lost, the next poll finds the work.
import type { PostgresStore } from '../adapters/postgres/store.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Scenario } from '../ports/sandbox.ts';

export interface SignalListener {
  /**
   * The service stored a new transaction. `scenario` is the sandbox scenario that a tester requested; null if none was
   * requested.
   */
  readonly accepted: (transaction: Transaction, scenario: Scenario | null) => void;
  /** This process committed a change, so there may be new events. */
  readonly committed: () => void;
  /** A business requested webhooks, so there are deliveries to send now. */
  readonly webhooksQueued: () => void;
  readonly draining: () => void;
  /** A bank or a network has something new to report. */
  readonly wakeFeeds: (where: 'banks' | 'networks') => void;
}

export interface Signals extends SignalListener {
  listen(listener: Partial<SignalListener>): void;
}

/**
 * Returns a store that sends a signal after every commit. Accepted transactions have a separate signal, which the store sends
 * once per group.
 */
export function signalCommits(
  store: PostgresStore,
  { committed }: Pick<Signals, 'committed'>,
): PostgresStore {
  return { ...store, commit: (...given) => store.commit(...given).finally(committed) };
}

export function makeSignals(): Signals {
  const listeners: Partial<SignalListener>[] = [];
  return {
    listen: (listener) => {
      listeners.push(listener);
    },
    accepted: (transaction, scenario) => {
      for (const listener of listeners) listener.accepted?.(transaction, scenario);
    },
    committed: () => {
      for (const listener of listeners) listener.committed?.();
    },
    webhooksQueued: () => {
      for (const listener of listeners) listener.webhooksQueued?.();
    },
    draining: () => {
      for (const listener of listeners) listener.draining?.();
    },
    wakeFeeds: (where) => {
      for (const listener of listeners) listener.wakeFeeds?.(where);
    },
  };
}
