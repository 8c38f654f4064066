// Writes the request log in batches, outside the requests. The number and size of waiting entries are limited. Beyond the
// limit, the writer drops and counts new entries, so that neither a flood of requests nor an unreachable database fills the
// memory.
import type { Instruments } from '../ports/instruments.ts';
import type { LoggedRequest, RequestLog } from '../ports/request-log.ts';
import { StoreUnavailable } from '../ports/store/store.ts';
import { type Loop, startLoop } from './loop.ts';

export interface RequestLogWriter extends Loop {
  record(request: LoggedRequest): void;
  /** Resolves once the writer has tried to write all entries so far, even if it could not write them. */
  flush(): Promise<void>;
}

export interface RequestLogWriterDeps {
  readonly requestLog: RequestLog;
  readonly instruments: Pick<Instruments, 'counter'>;
  readonly onError: (error: Error) => void;
}

export interface RequestLogBounds {
  readonly everyMs: number;
  readonly maxWaiting: number;
  readonly maxWaitingCharacters: number;
  readonly maxBatch: number;
  /** When the writer stops, it waits this long for a database that cannot be reached. */
  readonly stopMs: number;
}

export const REQUEST_LOG_BOUNDS: RequestLogBounds = {
  everyMs: 250,
  maxWaiting: 20_000,
  maxWaitingCharacters: 16_000_000,
  maxBatch: 1_000,
  stopMs: 2_000,
};

const RETRY_PAUSE_MS = 100;

export function startRequestLogWriter(
  { requestLog, instruments, onError }: RequestLogWriterDeps,
  bounds = REQUEST_LOG_BOUNDS,
): RequestLogWriter {
  const countDropped = instruments.counter(
    'sliproad_request_log_dropped_total',
    'Requests that are missing from the request log, because too many waited or they could not be written.',
  );
  let waiting: LoggedRequest[] = [];
  let characters = 0;
  let writing: Promise<void> | undefined;

  /** Throws if the database cannot be reached. The batch then waits for the next attempt. */
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, bounds.maxBatch);
      try {
        await requestLog.append(batch);
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        // The batch is dropped: it would fail again, and then all later batches would never be written.
        countDropped(batch.length);
        onError(error as Error);
      }
      waiting = waiting.slice(batch.length);
      for (const each of batch) characters -= sizeOf(each);
    }
  };
  const write = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  const loop = startLoop({ everyMs: bounds.everyMs, turn: write, onError });
  return {
    record: (request) => {
      const size = sizeOf(request);
      if (waiting.length >= bounds.maxWaiting || characters + size > bounds.maxWaitingCharacters) {
        countDropped(1);
        return;
      }
      waiting.push(request);
      characters += size;
    },
    flush: async () => {
      // The loop runs twice, because a write in progress may have ended before it included the newest entry.
      for (let turn = 0; turn < 2 && waiting.length > 0; turn++) await write().catch(onError);
    },
    stop: async () => {
      await loop.stop();
      const giveUpAtMs = performance.now() + bounds.stopMs;
      while (waiting.length > 0 && performance.now() < giveUpAtMs) {
        await write().catch(() => new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS)));
      }
      countDropped(waiting.length);
    },
  };
}

function sizeOf({ path, body }: LoggedRequest): number {
  return path.length + (body?.length ?? 0);
}
