// Starts the clients of the streams benchmark in a separate process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { BenchService } from '../service-process.ts';

export interface ClientsRequest {
  readonly port: number;
  readonly key: string;
  readonly paths: readonly string[];
}

export interface StreamClients {
  close(): Promise<number>;
}

export async function openStreams(
  { baseUrl, key }: BenchService,
  paths: readonly string[],
): Promise<StreamClients> {
  const child = fork(path.join(import.meta.dirname, 'clients.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const problems: string[] = [];
  child.on('message', (message: { problem?: string }) => {
    if (message.problem !== undefined) problems.push(message.problem);
  });
  const answer = async <T>(request: ClientsRequest | 'received', name: string): Promise<T> => {
    child.send(request);
    for (;;) {
      const [message] = (await once(child, 'message')) as [Record<string, T>];
      if (problems.length > 0) {
        child.disconnect();
        throw new Error(problems[0]);
      }
      if (name in message) return message[name]!;
    }
  };
  await answer({ port: Number(new URL(baseUrl).port), key, paths }, 'opened');
  return {
    close: async () => {
      const received = await answer<number>('received', 'received');
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
      return received;
    },
  };
}
