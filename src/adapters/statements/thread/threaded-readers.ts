// Reads each statement file in a thread of its own, with a limit on its time and its memory. A file that exceeds a limit is
// refused, and the event loop of the service stays free.
import { Worker } from 'node:worker_threads';
import {
  type OpenedFile,
  type StatementReaders,
  StatementReadersBusy,
  UnreadableStatement,
} from '../../../ports/statements.ts';
import type { ColumnProfile } from '../csv/column-profile.ts';
import { summariseProfiles } from '../readers.ts';
import type { MessageFromThread, MessageToThread, ThreadTask } from './messages.ts';

export interface ReadingLimits {
  /** Only the time in which the thread works counts, not the time in which it waits for bytes or for the database. */
  readonly timeMs: number;
  readonly memoryMb: number;
}

/** Threads that read at the same time in this process: together they must not use all its memory. */
const MOST_THREADS = 3;
const LOOK_EVERY_MS = 100;
/** Memory for objects that live shortly; it is small, so that the memory limit is nearly exact. */
const YOUNG_MEMORY_MB = 16;

/** In the npm package the sources are JavaScript. */
const THREAD = new URL(`reading-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** `thread`: another program for the thread, for tests. */
export function makeThreadedReaders(
  profiles: readonly ColumnProfile[],
  limits: ReadingLimits,
  thread: URL = THREAD,
): StatementReaders {
  let running = 0;
  return {
    profiles: () => summariseProfiles(profiles),
    open: async (bytes, wanted, preferred = null) => {
      if (running >= MOST_THREADS)
        throw new StatementReadersBusy(
          `${MOST_THREADS} statement files are being read. Try again when one of them is done.`,
        );
      running++;
      const reading = new FileThread(bytes, { profiles, wanted, preferred }, limits, thread, () => running--);
      try {
        return await reading.open();
      } catch (error) {
        await reading.close();
        throw error;
      }
    },
  };
}

class FileThread {
  readonly #worker: Worker;
  readonly #bytes: AsyncIterator<Uint8Array>;
  readonly #limits: ReadingLimits;
  readonly #timer: NodeJS.Timeout;
  readonly #onClose: () => void;
  readonly #received: MessageFromThread[] = [];
  #failure: { readonly error: unknown } | null = null;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(
    bytes: AsyncIterable<Uint8Array>,
    task: ThreadTask,
    limits: ReadingLimits,
    thread: URL,
    onClose: () => void,
  ) {
    this.#bytes = bytes[Symbol.asyncIterator]();
    this.#limits = limits;
    this.#onClose = onClose;
    this.#worker = new Worker(thread, {
      workerData: task,
      resourceLimits: {
        maxOldGenerationSizeMb: limits.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_MEMORY_MB,
      },
    });
    this.#worker.on('message', (message: MessageFromThread) => {
      if (message.kind === 'more') void this.#sendBytes();
      else this.#received.push(message);
      this.#wake();
    });
    this.#worker.on('error', (error) => this.#fail(this.#explainError(error)));
    this.#worker.on('exit', (code) => this.#fail(new Error(`The reading thread ended with code ${code}.`)));
    this.#timer = setInterval(() => this.#checkTime(), LOOK_EVERY_MS).unref();
  }

  async open(): Promise<OpenedFile> {
    const message = await this.#receive();
    if (message.kind !== 'opened') throw new Error(`The reading thread sent ${message.kind} first.`);
    const { kind: _kind, ...facts } = message;
    return { ...facts, items: this.#items(), close: () => this.close() };
  }

  async *#items(): AsyncGenerator<Extract<MessageFromThread, { kind: 'items' }>['items']> {
    try {
      for (;;) {
        const message = await this.#receive();
        if (message.kind === 'done') return;
        if (message.kind !== 'items') throw new Error(`The reading thread sent ${message.kind} again.`);
        yield message.items;
        this.#send({ kind: 'taken' });
      }
    } finally {
      await this.close();
    }
  }

  /** Ends the thread; the rest of the file is not read. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#worker.terminate();
    this.#onClose();
  }

  async #receive(): Promise<MessageFromThread> {
    for (;;) {
      const message = this.#received.shift();
      if (message?.kind === 'refused') throw new UnreadableStatement(message.message);
      if (message !== undefined) return message;
      if (this.#failure !== null) throw this.#failure.error;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  async #sendBytes(): Promise<void> {
    try {
      const { value, done } = await this.#bytes.next();
      if (done === true) this.#send({ kind: 'end' });
      else {
        // A piece may be a part of a larger buffer, which must not be copied as a whole.
        const bytes = new Uint8Array(value);
        this.#send({ kind: 'bytes', bytes }, bytes.buffer);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(message: MessageToThread, ...moved: ArrayBuffer[]): void {
    if (!this.#isClosed) this.#worker.postMessage(message, moved);
  }

  #checkTime(): void {
    const { timeMs } = this.#limits;
    if (this.#worker.performance.eventLoopUtilization().active <= timeMs) return;
    const seconds = `${timeMs / 1_000} seconds`;
    this.#fail(
      new UnreadableStatement(
        `Reading the file takes more than ${seconds} (STATEMENT_READ_SECONDS). Nothing was imported. Ask the bank for a shorter period, or for another format.`,
      ),
    );
    void this.close();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  #explainError(error: unknown): unknown {
    if ((error as { readonly code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    return new UnreadableStatement(
      `Reading the file takes more than ${this.#limits.memoryMb} MB of memory (STATEMENT_READ_MEMORY_MB). Nothing was imported. Ask the bank for a shorter period, or for another format.`,
    );
  }
}
