// Reads the event log once for all open streams of this process. A subscriber joins at a position of the log and receives all
// later events once and in order. While no stream is open, the hub reads nothing. While the database is unreachable, the
// position of the hub does not change.
import type { BusinessEvent } from '../../domain/events/event.ts';
import type { EventLog, LogPosition } from '../../ports/events.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';

export interface EventWithBytes {
  readonly event: BusinessEvent;
  readonly bytes: Buffer;
}

export interface Subscriber {
  readonly scope: BusinessScope;
  /** If set, the subscriber receives only the events of this transaction. */
  readonly transactionId?: string | undefined;
  wants(event: BusinessEvent): boolean;
  /** Receives the wanted events in order, one page at a time. */
  receive(chunks: readonly EventWithBytes[]): void;
  /** Called when the event log was replaced. The client must then find its position again. */
  restart(): void;
}

export interface EventHub {
  /** Tells the hub that the event log may have new events. */
  wake(): void;
  /**
   * Reads to the end of the event log, and adds the subscriber there. All events that were readable before this call are at or
   * before the returned position.
   */
  join(subscriber: Subscriber): Promise<LogPosition>;
  leave(subscriber: Subscriber): void;
  /** The milliseconds since the hub last reached the end of the event log; 0 while no stream is open or joining. */
  lagMs(): number;
  close(): void;
}

export interface HubOptions {
  readonly log: Pick<EventLog, 'end' | 'read'>;
  readonly render: (event: BusinessEvent) => Buffer;
  readonly onRead: (events: number) => void;
  readonly onError: (error: Error) => void;
}

/** The number of events per page. A stream may have to buffer a whole page. */
const PAGE = 200;
/**
 * When a commit is announced, its event may not be readable yet. The hub checks again after this time, and then at growing
 * intervals.
 */
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 1_000;

export function makeEventHub({ log, render, onRead, onError }: HubOptions): EventHub {
  const subscribers = new Map<string, Set<Subscriber>>();
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = LAST_LOOK_MS;
  let running = false;
  let closed = false;
  let atEndAt = performance.now();
  let joining = 0;
  const asked = makeJoinQueue();
  const isIdle = () => subscribers.size === 0 && joining === 0;
  const onNews = () => {
    pauseMs = FIRST_LOOK_MS;
  };
  const reader = makeLogReader({ log, render, subscribers, onRead, onNews });
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms).unref();
  };
  const run = async (): Promise<void> => {
    if (running || closed) return;
    running = true;
    clearTimeout(timer);
    timer = undefined;
    const served = asked.take();
    const failure = await failureOf(reader.pass());
    served(failure);
    if (failure === undefined) atEndAt = performance.now();
    else {
      pauseMs = LAST_LOOK_MS;
      onError(failure);
    }
    running = false;
    if (closed) return;
    if (asked.any()) void run();
    else if (isIdle()) reader.forget();
    else {
      later(pauseMs);
      pauseMs = Math.min(LAST_LOOK_MS, pauseMs * 2);
    }
  };
  const join = async (subscriber: Subscriber): Promise<LogPosition> => {
    joining++;
    try {
      const passed = asked.add();
      void run();
      await passed;
      addSubscriber(subscribers, subscriber);
      return reader.position();
    } finally {
      joining--;
    }
  };
  return {
    join,
    wake: () => {
      if (closed || isIdle()) return;
      // This pause keeps a busy hub from reading the event log after every commit.
      if (pauseMs > FIRST_LOOK_MS && timer !== undefined) later(FIRST_LOOK_MS);
      pauseMs = FIRST_LOOK_MS;
    },
    leave: (subscriber) => removeSubscriber(subscribers, subscriber),
    lagMs: () => (isIdle() ? 0 : performance.now() - atEndAt),
    close: () => {
      closed = true;
      clearTimeout(timer);
      asked.take()(new Error('the service is stopping'));
    },
  };
}

function failureOf(work: Promise<void>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (error: Error) => error,
  );
}

/** The join requests that wait for the next read of the event log. This read must start after the request. */
function makeJoinQueue() {
  let waiting: PromiseWithResolvers<void>[] = [];
  return {
    any: () => waiting.length > 0,
    add: (): Promise<void> => {
      const one = Promise.withResolvers<void>();
      waiting.push(one);
      return one.promise;
    },
    /** Takes all waiting join requests. The returned function ends them with the outcome of the read. */
    take: (): ((failure: Error | undefined) => void) => {
      const taken = waiting;
      waiting = [];
      return (failure) => {
        for (const { resolve, reject } of taken) {
          if (failure === undefined) resolve();
          else reject(failure);
        }
      };
    },
  };
}

/** Reads the event log from the current position and gives every page to the subscribers. */
function makeLogReader(options: {
  readonly log: HubOptions['log'];
  readonly render: HubOptions['render'];
  readonly subscribers: ReadonlyMap<string, ReadonlySet<Subscriber>>;
  readonly onRead: HubOptions['onRead'];
  readonly onNews: () => void;
}) {
  const { log, subscribers } = options;
  let position: LogPosition | undefined;
  return {
    position: (): LogPosition => position!,
    forget: () => {
      position = undefined;
    },
    pass: async (): Promise<void> => {
      position ??= await log.end();
      for (;;) {
        const page = await log.read(position, PAGE);
        if (page.startedOver) {
          for (const each of subscribers.values()) for (const subscriber of each) subscriber.restart();
          position = await log.end();
          return;
        }
        // No await may come between the dispatch of a page and the new position. So a subscriber that joins later starts at the
        // new position and has not missed this page.
        dispatchEvents(subscribers, page.events, options.render);
        position = page.position;
        if (page.events.length > 0) {
          options.onRead(page.events.length);
          options.onNews();
        }
        if (page.atEnd) return;
      }
    },
  };
}

const keyOf = ({ businessId, mode }: BusinessScope, transactionId = '') =>
  `${businessId} ${mode} ${transactionId}`;

function addSubscriber(subscribers: Map<string, Set<Subscriber>>, subscriber: Subscriber): void {
  const key = keyOf(subscriber.scope, subscriber.transactionId);
  const known = subscribers.get(key);
  if (known === undefined) subscribers.set(key, new Set([subscriber]));
  else known.add(subscriber);
}

function removeSubscriber(subscribers: Map<string, Set<Subscriber>>, subscriber: Subscriber): void {
  const key = keyOf(subscriber.scope, subscriber.transactionId);
  const known = subscribers.get(key);
  if (known?.delete(subscriber) && known.size === 0) subscribers.delete(key);
}

/** Renders each event at most once, and only if a subscriber wants it. */
function dispatchEvents(
  subscribers: ReadonlyMap<string, ReadonlySet<Subscriber>>,
  events: readonly BusinessEvent[],
  render: (event: BusinessEvent) => Buffer,
): void {
  const chunks = new Map<BusinessEvent, EventWithBytes>();
  const chunkOf = (event: BusinessEvent): EventWithBytes => {
    const known = chunks.get(event);
    if (known !== undefined) return known;
    const chunk = { event, bytes: render(event) };
    chunks.set(event, chunk);
    return chunk;
  };
  const shown = events.filter((event) => event.kind === 'transaction' || event.endpointId === null);
  const offer = (groups: ReadonlyMap<string, readonly BusinessEvent[]>) => {
    for (const [key, events] of groups) {
      for (const subscriber of subscribers.get(key) ?? []) {
        const wanted = events.filter((event) => subscriber.wants(event));
        if (wanted.length > 0) subscriber.receive(wanted.map(chunkOf));
      }
    }
  };
  offer(Map.groupBy(shown, (event) => keyOf(event)));
  const ofTransactions = shown.filter((event) => event.kind === 'transaction');
  offer(Map.groupBy(ofTransactions, (event) => keyOf(event, event.transaction.id)));
}
