// A client that keeps polling accepted transactions and records the responses outside the database. A transaction that a
// response showed as finished must stay finished.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitMs } from '../patience.ts';
import type { TransactionRow } from './books.ts';
import type { Lifecycle } from './stories.ts';

export interface Witness {
  seen(): number;
  /** Stops after the requests in progress. Throws if the service did not know an accepted transaction. */
  stop(): Promise<void>;
  assertStillSo(transactions: readonly TransactionRow[]): void;
}

interface Shown {
  readonly state: string;
  readonly tx_hash: string | null;
}

/** These states are final, except that the bank may return a payout. */
const OVER = ['completed', 'refunded'];
const WATCHERS = 4;
const ASK_EVERY_MS = 40;

export function startWitness(
  urls: readonly string[],
  lifecycles: readonly Lifecycle[],
  accepted: ReadonlyMap<string, string>,
): Witness {
  const keyOf = new Map(lifecycles.map(({ reference, business }) => [reference, business.testKey]));
  const shown = new Map<string, Shown>();
  let stopped = false;
  let round = 0;
  let queue: [string, string][] = [];
  const take = () => {
    if (queue.length === 0) queue = [...accepted].filter(([, id]) => !shown.has(id));
    return queue.pop();
  };
  const watch = async () => {
    for (; !stopped; await sleep(ASK_EVERY_MS)) {
      const [reference, id] = take() ?? [];
      if (reference === undefined || id === undefined) continue;
      const url = urls[round++ % urls.length]!;
      const answer = await look(url, id, keyOf.get(reference)!);
      if (answer !== undefined && OVER.includes(answer.state)) shown.set(id, answer);
    }
  };
  const watching = Promise.all(Array.from({ length: WATCHERS }, watch)).then(() => undefined);
  watching.catch(() => undefined); // reported by stop()
  return {
    seen: () => shown.size,
    stop: () => {
      stopped = true;
      return watching;
    },
    assertStillSo: (transactions) => {
      const byId = new Map(transactions.map((each) => [each.id, each]));
      for (const [id, { state, tx_hash }] of shown) {
        const now = byId.get(id);
        const isBack = now?.state === 'on_hold' && now.exception === 'payout_returned';
        const expected = { state: isBack && state === 'completed' ? 'on_hold' : state, tx_hash };
        assert.deepEqual({ state: now?.state, tx_hash: now?.tx_hash }, expected, `${id} as shown`);
      }
    },
  };
}

/** Returns undefined if there was no connection, no response, or a request to retry later. */
async function look(url: string, id: string, key: string): Promise<Shown | undefined> {
  let status: number;
  let text: string;
  try {
    const answer = await fetch(`${url}/transactions/v1/${id}`, {
      headers: { 'svc-sec-key': key },
      signal: AbortSignal.timeout(limitMs('answer')),
    });
    status = answer.status;
    text = await answer.text();
  } catch {
    return undefined;
  }
  if (status === 503) return undefined;
  assert.equal(status, 200, `${id} was accepted, and is asked for: ${text}`);
  const { state, tx_hash } = JSON.parse(text).transaction as Shown;
  return { state, tx_hash };
}
