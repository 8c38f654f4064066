// Repeatedly kills a sender and restarts it immediately, while it sends tokens for paid buys. Most kills happen at a random
// step of the work, and others at a random time, some of them during the sender's start. In a long run some senders restart
// late. By then, signed bytes that were perhaps never broadcast have expired, and the sender must prove that they are dead.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dice, makeDice } from '../dice.ts';
import { compiledDirOf, keepForCleaning } from '../home.ts';
import type { Ended } from '../process.ts';
import { drawMoment, type Moment, nameOf } from './moments.ts';
import type { Signal } from './sender.ts';
import type { World } from './world.ts';

/** Where the sender was killed, for example `before store`, `by the clock` or `while starting`. */
export type Hit = string;

export interface Sender {
  readonly settling: Promise<unknown>;
  readonly ended: Promise<Ended>;
  stderr(): string;
  kill(): void;
}

const SENDER = path.join(import.meta.dirname, 'sender.ts');

export function startSender(
  { home, environment }: Pick<World, 'home' | 'environment'>,
  moment: Moment | null,
): Sender {
  const child = fork(SENDER, [], {
    cwd: home.root,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compiledDirOf(home),
      SENDER_MOMENT: JSON.stringify(moment),
      ...environment,
    },
  });
  keepForCleaning(home, child);
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ended);
  const settling = new Promise<void>((resolve) => {
    child.on('message', (signal: Signal) => {
      if (signal === 'settling') resolve();
    });
  });
  return {
    settling: Promise.race([settling, ended]),
    ended,
    stderr: () => text,
    kill: () => void child.kill('SIGKILL'),
  };
}

/** One in `STARTING` senders is killed during its start. One in `CLOCKED` of the other senders is killed at a random time. */
const STARTING = 12;
const CLOCKED = 4;
const LONGEST_START_MS = 2_000;
const LONGEST_CLOCK_MS = 2_500;
/** The longest wait for the chosen step. A limit is necessary, because there may be no work left. */
const MOMENT_MS = 4_000;
/** The longest wait for the chosen step in a long run, which has time to see the effect of the networks' own faults. */
const LONG_MOMENT_MS = 8_000;
/**
 * A run with at least `LONG_RUN` kills is long. After a kill that may leave unreported bytes, one in `LATE` senders of a long
 * run restarts late.
 */
export const LONG_RUN = 20;
const LATE = 3;
const UNREPORTED: readonly Hit[] = ['after store', 'before broadcast', 'within broadcast'];

export interface KillOptions {
  readonly kills: number;
  readonly seed: string;
  readonly onKill: (done: number) => void;
}

export interface Killed {
  readonly hits: readonly Hit[];
  readonly late: number;
  readonly logs: readonly string[];
  end(): Promise<void>;
}

/** When this function returns, all buys are done, and a sender runs that will not be killed. */
export async function killAgainAndAgain(world: World, { kills, seed, onKill }: KillOptions): Promise<Killed> {
  const dice = makeDice(`${seed} kills`);
  const names = world.networks.map(({ name }) => name);
  const hits: Hit[] = [];
  const logs: string[] = [];
  let late = 0;
  while (hits.length < kills) {
    const moment = dice.below(CLOCKED) === 0 ? null : drawMoment(dice, names);
    // Before each kill, customers pay for several buys at once, so that many are due together, in addition to the unfinished
    // ones.
    const paying = world.payUpTo(Math.floor((world.buys.length * (hits.length + 1)) / (kills + 1)));
    const sender = startSender(world, moment);
    hits.push(await hit(sender, moment, dice, kills >= LONG_RUN ? LONG_MOMENT_MS : MOMENT_MS));
    await paying;
    const { code, signal } = await sender.ended;
    logs.push(sender.stderr());
    if (signal !== 'SIGKILL')
      throw new Error(`a sender ended by itself with ${code ?? signal}: ${sender.stderr()}`);
    onKill(hits.length);
    if (kills >= LONG_RUN && UNREPORTED.includes(hits.at(-1)!) && dice.below(LATE) === 0) {
      late++;
      await sleep(world.expiryMs);
    }
  }
  await world.payUpTo(world.buys.length);
  const last = startSender(world, null);
  return {
    hits,
    late,
    logs,
    end: async () => {
      last.kill();
      await last.ended;
      logs.push(last.stderr());
    },
  };
}

async function hit(sender: Sender, moment: Moment | null, dice: Dice, momentMs: number): Promise<Hit> {
  if (dice.below(STARTING) === 0) {
    await Promise.race([sleep(dice.below(LONGEST_START_MS)), sender.ended]);
    sender.kill();
    return 'while starting';
  }
  await sender.settling;
  const waitMs = moment === null ? dice.below(LONGEST_CLOCK_MS) : momentMs;
  const ended = await Promise.race([sleep(waitMs), sender.ended]);
  sender.kill();
  return ended === undefined || moment === null ? 'by the clock' : nameOf(moment);
}
