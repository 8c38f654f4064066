// Starts the receiver of webhooks as a separate process and waits for its receipts.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { SuiteResult } from '../report.ts';
import type { RoundOptions } from '../rounds.ts';

export interface Receipts {
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly latenciesMs: readonly number[];
}

export interface ReceiverRequest {
  readonly wanted: number;
}

export interface Receiver {
  readonly url: string;
  expect(wanted: number): Promise<Receipts>;
  stop(): Promise<void>;
}

export type Part = (receiver: Receiver, options: RoundOptions) => Promise<Omit<SuiteResult, 'suite'>>;

const PATIENCE_MS = 180_000;

export async function startReceiver(): Promise<Receiver> {
  const child = fork(path.join(import.meta.dirname, 'receiver.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    expect: async (wanted) => {
      const answered = once(child, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
      child.send({ wanted } satisfies ReceiverRequest);
      const [receipts] = (await answered.catch(() => {
        throw new Error(`The receiver did not get ${wanted} webhooks in ${PATIENCE_MS} ms.`);
      })) as [Receipts];
      return receipts;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
