// Several services as processes on one database, killed and started again while others go on. One that ends without
// having been killed is a failure of its own.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Home, otherPorts } from './home.ts';
import {
  answersReady,
  type Ended,
  launchService,
  type RunningProcess,
  type Settings,
  until,
} from './process.ts';

/** What was hit by a kill. */
export interface Killed {
  readonly url: string;
  /** Undefined: it was still starting. */
  readonly readyForMs: number | undefined;
}

export interface Fleet {
  /** The addresses of all, running or not. */
  readonly urls: readonly string[];
  /** Which of them have a process; `ready`: one that answers. */
  places(which: 'ready' | 'running'): readonly number[];
  /** kill -9 of these at one moment; each is started again after the pause, which nobody waits for here. */
  kill(places: readonly number[], pauseMs: number): Promise<readonly Killed[]>;
  /** Resolves when all are ready. */
  whole(): Promise<void>;
  /** Throws when one has ended by itself. */
  check(): void;
  stop(): Promise<readonly Ended[]>;
  /** Processes that were started in the place of killed ones. */
  restarts(): number;
  /** How often each warning and error was logged, by all that ever ran. */
  troubles(): Readonly<Record<string, number>>;
}

interface Member {
  readonly process: RunningProcess;
  readyAt: number | undefined;
  /** Its end is ours. */
  ending: boolean;
}

const LOOK_EVERY_MS = 20;

export async function startFleet(
  t: TestContext,
  home: Home,
  size: number,
  settings: Settings,
): Promise<Fleet> {
  const homes = [home];
  while (homes.length < size) homes.push(await otherPorts(home));
  const urls = homes.map(({ port }) => `http://127.0.0.1:${port}`);
  const quiet = { LOG_LEVEL: 'warn', ...settings };
  const members: (Member | undefined)[] = homes.map(() => undefined);
  const past: RunningProcess[] = [];
  const collapsed: string[] = [];
  let pending = 0;
  let over = false;
  // Registered after the home's own: runs before the home is emptied, and nobody is started into it any more.
  t.after(() => {
    over = true;
  });

  const start = (place: number) => {
    const process = launchService(homes[place]!, quiet);
    const member: Member = { process, readyAt: undefined, ending: false };
    past.push(process);
    members[place] = member;
    void process.ended.then(({ code, signal }) => {
      if (member.ending || over) return;
      collapsed.push(`${urls[place]} ended with ${code ?? signal}: ${process.stderr()}${process.stdout()}`);
    });
    void noteReady(member, urls[place]!);
  };
  const noteReady = async (member: Member, url: string) => {
    while (!member.ending && !over) {
      if (await answersReady(url)) {
        member.readyAt = performance.now();
        return;
      }
      await sleep(LOOK_EVERY_MS);
    }
  };
  const check = () => assert.deepEqual(collapsed, [], 'services that ended by themselves');
  const whole = () =>
    until('all services are ready', () => {
      check();
      return pending === 0 && members.every((member) => member?.readyAt !== undefined);
    });
  const stop = () =>
    Promise.all(
      members.map((member) => {
        member!.ending = true;
        member!.process.kill('SIGTERM');
        return member!.process.ended;
      }),
    );

  // Ends in order once, and leaves its compiled code to those that will not.
  start(0);
  await until('the first service is ready', () => {
    check();
    return members[0]!.readyAt !== undefined;
  });
  members[0]!.ending = true;
  members[0]!.process.kill('SIGTERM');
  await members[0]!.process.ended;
  for (const place of homes.keys()) start(place);
  await whole();
  const firstOnes = past.length;

  return {
    urls,
    places: (which) =>
      [...members.keys()].filter((place) => {
        const member = members[place];
        return which === 'running' ? member !== undefined : member?.readyAt !== undefined;
      }),
    kill: async (places, pauseMs) => {
      const hit = places.map((place) => members[place]!);
      const at = performance.now();
      const killed = hit.map(({ readyAt }, nth) => ({
        url: urls[places[nth]!]!,
        readyForMs: readyAt === undefined ? undefined : at - readyAt,
      }));
      for (const member of hit) {
        member.ending = true;
        member.process.kill('SIGKILL');
      }
      pending += places.length;
      for (const place of places) members[place] = undefined;
      for (const { process } of hit) assert.equal((await process.ended).signal, 'SIGKILL');
      void sleep(pauseMs).then(() => {
        if (over) return;
        for (const place of places) start(place);
        pending -= places.length;
      });
      return killed;
    },
    whole,
    check,
    stop,
    restarts: () => past.length - firstOnes,
    troubles: () => countTroubles(past.map((process) => process.stdout()).join('\n')),
  };
}

function countTroubles(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const logged = readLine(line);
    if (logged === undefined) continue;
    const { msg, err, constraint } = logged;
    const parts = [msg, err?.message, constraint].filter((part) => part !== undefined);
    const what = parts.join(': ').replaceAll(/\/\S*\/\.s\.PGSQL\.\d+/g, 'socket');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

interface LogLine {
  readonly msg?: string;
  readonly err?: { readonly message?: string };
  readonly constraint?: string;
}

/** Undefined for what is no line of the log: the last one of a killed process may be cut anywhere. */
function readLine(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
