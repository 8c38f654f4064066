// What features let each other know. A signal is a hint that work is due now: without it the work is found by the next poll.
import type { Transaction } from '../domain/records/transaction.ts';
import type { Scenario } from '../ports/sandbox.ts';

export interface SignalListener {
  /** A new transaction is stored. The scenario is the one that a tester asked for. */
  readonly accepted: (transaction: Transaction, scenario: Scenario | null) => void;
  /** A bank or a network has something new to report. */
  readonly wakeFeeds: (where: 'banks' | 'networks') => void;
}

export interface Signals extends SignalListener {
  listen(listener: Partial<SignalListener>): void;
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
    wakeFeeds: (where) => {
      for (const listener of listeners) listener.wakeFeeds?.(where);
    },
  };
}
