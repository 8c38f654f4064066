// Forwards the events of one transaction in order, and the events of several transactions in parallel. An unreachable target is
// retried until it responds. An error response is retried a few times, and delays only the events of its transaction.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SliproadEvent } from '../../../../sdk/src/index.ts';
import { transactionOf } from '../show.ts';
import type { TargetOutcome } from './target.ts';

export interface ForwarderParts {
  send(event: SliproadEvent): Promise<TargetOutcome>;
  /** The forwarder calls this after each attempt. `last`: this was the last attempt for the event. */
  onOutcome(
    event: SliproadEvent,
    outcome: TargetOutcome,
    attempt: { readonly no: number; readonly last: boolean },
  ): void;
  readonly signal: AbortSignal;
}

export interface Forwarder {
  /** Waits while too many events are queued. */
  push(event: SliproadEvent): Promise<void>;
  readonly waiting: number;
  /** Resolves when every event is finished, or when the signal is aborted. */
  settled(): Promise<void>;
}

const MOST_HELD = 1_000;
const MOST_AT_ONCE = 4;
const MOST_REFUSALS = 5;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

export function makeForwarder({ send, onOutcome, signal }: ForwarderParts): Forwarder {
  const lanes = new Map<string, Promise<void>>();
  const takeTurn = makeTurns(MOST_AT_ONCE);
  let held = 0;
  let room = Promise.withResolvers<void>();

  const deliver = async (event: SliproadEvent): Promise<void> => {
    let refusals = 0;
    for (let no = 1; !signal.aborted; no++) {
      const outcome = await takeTurn(() => (signal.aborted ? undefined : send(event)));
      if (outcome === undefined) return;
      if (outcome.kind === 'refused') refusals++;
      const last = outcome.kind === 'delivered' || refusals === MOST_REFUSALS;
      onOutcome(event, outcome, { no, last });
      if (last) return;
      const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (no - 1));
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };

  return {
    get waiting() {
      return held;
    },
    push: async (event) => {
      while (held >= MOST_HELD && !signal.aborted) await room.promise;
      held++;
      const key = transactionOf(event)?.transaction_id ?? event.id;
      const lane = (lanes.get(key) ?? Promise.resolve()).then(async () => {
        await deliver(event);
        held--;
        room.resolve();
        room = Promise.withResolvers();
        if (lanes.get(key) === lane) lanes.delete(key);
      });
      lanes.set(key, lane);
    },
    settled: async () => {
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
  };
}

/** A semaphore with at most `most` holders at a time. Waiting callers get it in the order of their requests. */
function makeTurns(most: number) {
  let free = most;
  const queue: (() => void)[] = [];
  return async <Value>(work: () => Promise<Value> | undefined): Promise<Value | undefined> => {
    if (free === 0) await new Promise<void>((resolve) => queue.push(resolve));
    else free--;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
