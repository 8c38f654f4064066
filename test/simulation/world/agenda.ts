// Keeps the order of events, which run on a simulated clock, one at a time. Between two events, all work that waits only for
// promises is finished. So only the agenda decides the order, and the real clock has no influence.
import type { Dice } from '../../support/dice.ts';

export interface Agenda {
  now(): number;
  /** Calls `run` at this time. Events with the same time run in random order. */
  at(atMs: number, run: () => void): void;
  /** Runs until no event is left before `untilMs`, or until someone calls `stop`. Returns the number of events. */
  go(untilMs: number): Promise<number>;
  stop(): void;
}

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

export function makeAgenda(startMs: number, dice: Dice): Agenda {
  const heap: Event[] = [];
  let nowMs = startMs;
  let stopped = false;
  return {
    now: () => nowMs,
    at: (atMs, run) => push(heap, { atMs: Math.max(atMs, nowMs), order: dice.below(2 ** 32), run }),
    stop: () => {
      stopped = true;
    },
    go: (untilMs) =>
      new Promise((resolve, reject) => {
        let events = 0;
        const step = () => {
          const event = heap[0];
          if (event === undefined || event.atMs > untilMs || stopped) {
            if (!stopped) nowMs = Math.max(nowMs, untilMs);
            resolve(events);
            return;
          }
          pop(heap);
          nowMs = event.atMs;
          events++;
          try {
            event.run();
          } catch (error) {
            reject(error as Error);
            return;
          }
          queueMicrotask(onceQuiet);
        };
        // A tick runs after all promises that can continue have continued.
        const onceQuiet = () => process.nextTick(step);
        process.nextTick(step);
      }),
  };
}

function before(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function push(heap: Event[], event: Event): void {
  let place = heap.push(event) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!before(event, heap[parent]!)) break;
    heap[place] = heap[parent]!;
    place = parent;
  }
  heap[place] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, last)) break;
    heap[place] = heap[child]!;
    place = child;
  }
  heap[place] = last;
}
