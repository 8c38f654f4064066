// The target of `listen` in a test. It verifies each webhook with the reference library and stores it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { SliproadEvent } from '../../../sdk/src/index.ts';

export interface Receiver {
  readonly url: string;
  readonly events: readonly SliproadEvent[];
  /** Sets the response status from now on; undefined means 200. */
  answerWith(status: ((event: SliproadEvent) => number) | undefined): void;
  close(): Promise<void>;
}

export async function startReceiver(secret: string, port = 0): Promise<Receiver> {
  const events: SliproadEvent[] = [];
  let statusOf: ((event: SliproadEvent) => number) | undefined;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const event = new Webhook(secret).verify(
      body,
      request.headers as Record<string, string>,
    ) as SliproadEvent;
    const status = statusOf?.(event) ?? 200;
    if (status === 200) events.push(event);
    response.writeHead(status).end();
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    events,
    answerWith: (status) => {
      statusOf = status;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
