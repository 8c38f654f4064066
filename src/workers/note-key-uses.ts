// Writes the times of the last use of keys, in batches and outside the requests, and each key at most once a minute. A failure
// does not affect requests: the times wait for the next turn. A crash of the process loses waiting times.
import type { KeyUses } from '../ports/back-office.ts';
import type { Clock } from '../ports/clock.ts';
import { type Loop, startLoop } from './loop.ts';

export interface KeyUseRecorder extends Loop {
  /** The caller reports existing keys only, so the number of keys limits the memory that this needs. */
  used(keyId: string): void;
}

export interface KeyUseDeps {
  readonly keyUses: KeyUses;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
}

/** The recorder writes the first use of a key soon, and later uses once a minute. */
const EVERY = { turnMs: 1_000, keyMs: 60_000 };

export function startKeyUseRecorder({ keyUses, clock, onError }: KeyUseDeps, every = EVERY): KeyUseRecorder {
  const waiting = new Map<string, number>();
  const writtenAtMs = new Map<string, number>();

  const write = async (isDue: (keyId: string, nowMs: number) => boolean): Promise<void> => {
    const nowMs = clock.now();
    for (const [keyId, atMs] of writtenAtMs) if (nowMs - atMs >= every.keyMs) writtenAtMs.delete(keyId);
    const uses = new Map([...waiting].filter(([keyId]) => isDue(keyId, nowMs)));
    if (uses.size === 0) return;
    await keyUses.note(uses);
    for (const [keyId, atMs] of uses) {
      writtenAtMs.set(keyId, nowMs);
      // A request may have used the key again during the write.
      if (waiting.get(keyId) === atMs) waiting.delete(keyId);
    }
  };
  const loop = startLoop({
    everyMs: every.turnMs,
    turn: () => write((keyId) => !writtenAtMs.has(keyId)),
    onError,
  });
  return {
    used: (keyId) => {
      waiting.set(keyId, clock.now());
    },
    stop: async () => {
      await loop.stop();
      await write(() => true).catch(onError);
    },
  };
}
