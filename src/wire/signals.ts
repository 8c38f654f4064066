// What features let each other know. A signal is a hint that work is due now: without it the work is found by the next poll.
import type { PostgresStore } from '../adapters/postgres/store.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Scenario } from '../ports/sandbox.ts';

export interface SignalListener {
  /** A new transaction is stored. The scenario is the one that a tester asked for. */
  readonly accepted: (transaction: Transaction, scenario: Scenario | null) => void;
  /** Something was committed by this process: there may be events. */
  readonly committed: () => void;
  /** Webhooks were asked for: there are deliveries to send now. */
  readonly webhooksQueued: () => void;
  /** The service begins to stop. */
  readonly draining: () => void;
  /** A bank or a network has something new to report. */
  readonly wakeFeeds: (where: 'banks' | 'networks') => void;
}

export interface Signals extends SignalListener {
  listen(listener: Partial<SignalListener>): void;
}

/** The store, with a signal after every commit. Acceptances have their own, once for a group. */
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
