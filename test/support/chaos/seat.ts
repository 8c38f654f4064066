// One slot in a fleet: an address, and its current process, if there is one.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Home } from '../home.ts';
import { answersReady, type Ended, launchService, type RunningProcess, type Settings } from '../process.ts';

export interface Killed {
  readonly url: string;
  /** How long the process had been ready; undefined if it was still starting. */
  readonly readyForMs: number | undefined;
}

export interface Seat {
  readonly url: string;
  readonly past: readonly RunningProcess[];
  start(): void;
  isRunning(): boolean;
  isReady(): boolean;
  kill(): Promise<Killed>;
  stop(): Promise<Ended>;
  collapse(): string | undefined;
}

interface Occupant {
  readonly process: RunningProcess;
  readyAt: number | undefined;
  ending: boolean;
}

const LOOK_EVERY_MS = 20;

export function makeSeat(home: Home, settings: Settings): Seat {
  const url = `http://127.0.0.1:${home.port}`;
  const past: RunningProcess[] = [];
  let occupant: Occupant | undefined;
  let collapse: string | undefined;
  const noteEnd = (one: Occupant, { code, signal }: Ended) => {
    if (one.ending) return;
    one.ending = true;
    collapse = `${url} ended with ${code ?? signal}: ${one.process.stderr()}${one.process.stdout()}`;
  };
  const noteReady = async (one: Occupant) => {
    while (!one.ending && !(await answersReady(url))) await sleep(LOOK_EVERY_MS);
    one.readyAt = performance.now();
  };
  const end = (signal: NodeJS.Signals) => {
    const { process, readyAt } = occupant!;
    occupant!.ending = true;
    occupant = undefined;
    process.kill(signal);
    return { ended: process.ended, readyAt };
  };
  return {
    url,
    past,
    start: () => {
      const one: Occupant = { process: launchService(home, settings), readyAt: undefined, ending: false };
      occupant = one;
      past.push(one.process);
      void one.process.ended.then((ended) => noteEnd(one, ended));
      void noteReady(one);
    },
    isRunning: () => occupant !== undefined,
    isReady: () => occupant?.readyAt !== undefined,
    kill: async () => {
      const at = performance.now();
      const { ended, readyAt } = end('SIGKILL');
      assert.equal((await ended).signal, 'SIGKILL');
      return { url, readyForMs: readyAt === undefined ? undefined : at - readyAt };
    },
    stop: () => end('SIGTERM').ended,
    collapse: () => collapse,
  };
}
