// The customers of a chaos run. Each performs its errand step by step and sends the same request to any of the services until
// one responds.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitMs } from '../patience.ts';
import type { Errand, Step } from './stories.ts';

const ASK_AGAIN_MS = 30;

/**
 * `refused`: the client got no connection. `lost`: the connection broke before a response. `away`: the service responded with
 * 503.
 */
export type Undone = 'refused' | 'lost' | 'away';

export interface Clients {
  readonly acceptedIds: ReadonlyMap<string, string>;
  /** Finished errands. */
  finished(): number;
  readonly undone: Readonly<Record<Undone, number>>;
  openAt(url: string): number;
  release(errands: number): void;
  /** Resolves when all errands are done. Rejects at the first response that is neither a success nor a request to retry. */
  readonly done: Promise<void>;
  stop(): void;
}

export function startClients(urls: readonly string[], errands: readonly Errand[], clients: number): Clients {
  const acceptedIds = new Map<string, string>();
  let released = 0;
  let next = 0;
  let finished = 0;
  const undone = { refused: 0, lost: 0, away: 0 };
  const open = new Map(urls.map((url) => [url, 0]));
  let stopped = false;
  const persist = async (request: Request): Promise<Yes> => {
    for (;;) {
      const url = urls[Math.floor(Math.random() * urls.length)]!;
      open.set(url, open.get(url)! + 1);
      const answer = await ask(url, request);
      open.set(url, open.get(url)! - 1);
      if (typeof answer === 'object') return answer;
      if (stopped) throw new Error('the clients were stopped');
      undone[answer]++;
      await sleep(ASK_AGAIN_MS);
    }
  };
  const step = async (each: Step) => {
    if (each.kind === 'pause') return void (await sleep(each.forMs));
    const { transaction } = await persist(requestOf(each));
    if (each.kind === 'claim') acceptedIds.set(each.lifecycle.reference, transaction!.transaction_id);
  };
  const client = async () => {
    while (!stopped && next < errands.length) {
      if (next >= released) {
        await sleep(5);
        continue;
      }
      for (const each of errands[next++]!) await step(each);
      finished++;
    }
  };
  const done = Promise.all(Array.from({ length: clients }, client)).then(() => undefined);
  const stop = () => {
    stopped = true;
  };
  done.catch(stop);
  return {
    acceptedIds,
    finished: () => finished,
    undone,
    openAt: (url) => open.get(url)!,
    release: (count) => {
      released = count;
    },
    done,
    stop,
  };
}

interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

function requestOf(step: Exclude<Step, { kind: 'pause' }>): Request {
  if (step.kind === 'credit') {
    const headers = { 'svc-sec-key': step.business.testKey, 'idempotency-key': step.key };
    return { path: '/sandbox/v1/bank-credits', headers, body: step.body };
  }
  const { type, story, business, body } = step.lifecycle;
  const byHand = story === 'paid_by_hand' || story === 'rivals';
  return {
    path: `/transactions/v1/${type === 'buy' ? 'onramp' : 'offramp'}`,
    headers: { 'svc-sec-key': business.testKey, ...(!byHand && { 'svc-scenario': story }) },
    body,
  };
}

interface Yes {
  readonly transaction?: { readonly transaction_id: string };
}

async function ask(url: string, { path, headers, body }: Request): Promise<Yes | Undone> {
  let status: number;
  let text: string;
  try {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limitMs('answer')),
    });
    status = answer.status;
    text = await answer.text();
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === 'ECONNREFUSED' ? 'refused' : 'lost';
  }
  if (status === 503) return 'away';
  assert.equal(status, 200, text);
  return JSON.parse(text) as Yes;
}
