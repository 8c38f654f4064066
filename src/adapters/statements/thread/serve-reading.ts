// The side of the thread: it asks for the bytes of one file, reads them, and sends the rows in small groups.
import type { MessagePort } from 'node:worker_threads';
import { type OpenedStatement, UnreadableStatement } from '../../../ports/statements.ts';
import { GROUPS_AHEAD, type MessageFromThread, type MessageToThread } from './messages.ts';

type OpenFile = (bytes: AsyncIterable<Uint8Array>) => Promise<OpenedStatement>;

/** Errors other than UnreadableStatement are bugs: they end the thread, and the service reports them. */
export async function serveReading(port: MessagePort, openFile: OpenFile): Promise<void> {
  const line = new ServiceLine(port);
  try {
    const { items, ...facts } = await openFile(line.bytes());
    line.send({ kind: 'opened', ...facts });
    for await (const group of items) await line.sendItems(group);
    line.send({ kind: 'done' });
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error;
    line.send({ kind: 'refused', message: error.message });
  }
}

class ServiceLine {
  readonly #port: MessagePort;
  readonly #pieces: (Uint8Array | null)[] = [];
  #places = GROUPS_AHEAD;
  #wake: () => void = () => undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: MessageToThread) => {
      if (message.kind === 'taken') this.#places++;
      else this.#pieces.push(message.kind === 'bytes' ? message.bytes : null);
      this.#wake();
    });
  }

  send(message: MessageFromThread): void {
    this.#port.postMessage(message);
  }

  async sendItems(items: Extract<MessageFromThread, { kind: 'items' }>['items']): Promise<void> {
    while (this.#places === 0) await this.#nextMessage();
    this.#places--;
    this.send({ kind: 'items', items });
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.send({ kind: 'more' });
      while (this.#pieces.length === 0) await this.#nextMessage();
      const piece = this.#pieces.shift()!;
      if (piece === null) return;
      yield piece;
    }
  }

  #nextMessage(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }
}
