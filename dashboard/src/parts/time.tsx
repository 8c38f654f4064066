// A moment: relative to now, and in Lagos time; or the time that is left until it.
import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { ago, lagosTime, timeLeft } from './format.ts';

/** One clock for all times of a page that tick alike. Answers a hook. */
function makeClock(tickMs: number): () => number {
  let now = Date.now();
  const readers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const subscribe = (read: () => void) => {
    readers.add(read);
    if (timer === undefined) {
      now = Date.now();
      timer = setInterval(() => {
        now = Date.now();
        for (const each of readers) each();
      }, tickMs);
    }
    return () => {
      readers.delete(read);
      if (readers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  return () => useSyncExternalStore(subscribe, () => now);
}

export const useNow = makeClock(5_000);
/** For what is counted down. */
export const useSeconds = makeClock(1_000);

/** A day of the bank, as it writes it: 2026-11-16. */
export function Day({ day }: { readonly day: string }) {
  return (
    <time dateTime={day} className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {day}
    </time>
  );
}

/** The absolute time, with the relative one beside it. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const nowMs = useNow();
  if (!at) return <span className="quiet">—</span>;
  return (
    <time dateTime={at} className="tabular">
      {lagosTime(at)} <span className="quiet">({ago(at, nowMs)})</span>
    </time>
  );
}

/** The relative time; the absolute one on hover and for screen readers. For tables. */
export function Ago({ at }: { readonly at: string | null | undefined }) {
  const nowMs = useNow();
  if (!at) return <span className="quiet">—</span>;
  return <Hinted at={at} text={ago(at, nowMs)} />;
}

interface CountdownProps {
  readonly to: string;
  /** Instead of the time that is left, when there is none. */
  readonly over?: string;
}

/** The time that is left, second by second. What happens at the end is said by whoever shows it. */
export function Countdown({ to, over = 'Ended' }: CountdownProps) {
  return <Hinted at={to} text={timeLeft(to, useSeconds()) ?? over} />;
}

function Hinted({ at, text }: { readonly at: string; readonly text: string }) {
  return (
    <Tooltip label={lagosTime(at)}>
      <time dateTime={at} className="tabular" title={lagosTime(at)}>
        {text}
      </time>
    </Tooltip>
  );
}
