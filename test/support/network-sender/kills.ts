// Kills a sender again and again and starts it at once, while buys are being paid for. Most kills hit a moment that was
// drawn, the others come when the clock says so, some of them while the sender is still starting. In a long run some are
// started late: what was signed and perhaps never broadcast has expired by then, and must be proven dead.
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

/** Where it was hit: `before store`, or `by the clock`, or `while starting`. */
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

/** One in so many is hit while it starts, one in so many of the others when the clock says so. */
const STARTING = 12;
const CLOCKED = 4;
const LONGEST_START_MS = 2_000;
const LONGEST_CLOCK_MS = 2_500;
/** So long a moment is waited for: nothing may be left to do. */
const MOMENT_MS = 4_000;
/** In a long run there is time to see what comes of the networks' own troubles. */
const LONG_MOMENT_MS = 8_000;
/** From so many kills on, and then one in so many of those that may leave unknown bytes behind. */
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
  /** How many were started only when what was signed had expired. */
  readonly late: number;
  /** What the senders wrote, the last one's last. */
  readonly logs: readonly string[];
  /** Ends the one that was left alive. */
  end(): Promise<void>;
}

/** Afterwards everything is paid for, and a sender is at work that is not killed. */
export async function killAgainAndAgain(world: World, { kills, seed, onKill }: KillOptions): Promise<Killed> {
  const dice = makeDice(`${seed} kills`);
  const names = world.networks.map(({ name }) => name);
  const hits: Hit[] = [];
  const logs: string[] = [];
  let late = 0;
  while (hits.length < kills) {
    const moment = dice.below(CLOCKED) === 0 ? null : drawMoment(dice, names);
    // A burst for each, so that many are due at once, beside what the one before left undone.
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
