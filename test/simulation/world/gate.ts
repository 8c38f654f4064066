// Every effect of a simulated process passes a gate. The effect waits there for its turn on the agenda, and a fault may happen
// there. Between two gates a use case only computes, so crashes at the gates cover every crash that can have an effect.

import type { SubmissionDeps } from '../../../src/app/intake/submission.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import type { Dice } from '../../support/dice.ts';
import type { Agenda } from './agenda.ts';
import type { Fault, Faults, Place } from './faults.ts';

/** One process as its gates see it. Every restart begins a new life; work that waits in an old life never continues. */
export interface Life {
  readonly name: string;
  life: number;
  up: boolean;
  /** Until this time the machine is stalled: its clock continues, but its work stops. */
  stalledUntilMs: number;
}

export interface Effect<Answer> {
  /** The name of the call, which traces and faults use. */
  readonly call: string;
  readonly about: () => string;
  readonly kinds: readonly Fault[];
  readonly act: () => Promise<Answer> | Answer;
  /** Does a part of the request without a response; undefined if the request has no parts. */
  readonly actPartly?: () => Promise<unknown> | unknown;
  readonly lost: (acted: boolean) => Answer;
}

export interface GateParts {
  readonly agenda: Agenda;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly crash: (life: Life, why: string) => void;
  /** Null if no person wants a trace. */
  readonly trace: ((who: string, what: string, fault: Fault | undefined) => void) | null;
}

export type Gate = <Answer>(effect: Effect<Answer>) => Promise<Answer>;

const LONGEST_CALL_MS = 8;
const STALL_MS = [2_000, 40_000] as const;
const LATE_MS = [50, 30_000] as const;

/** Faults depend on the name that a call had when the seeds were chosen. So a new name for a call does not change a seed. */
const drawnAs = (call: string) => call.replace(/^lease/, 'claim');

export function makeGate(parts: GateParts, life: Life): Gate {
  const { agenda, dice, faults } = parts;
  const places = new Map<string, Place>();
  const placeOf = (call: string) => {
    const known = places.get(call) ?? faults.place(`${life.name} ${drawnAs(call)}`);
    places.set(call, known);
    return known;
  };
  return (effect) =>
    new Promise((resolve, reject) => {
      const born = life.life;
      const alive = () => life.life === born;
      const settle = (answer: () => unknown) => {
        try {
          const value = answer();
          if (!(value instanceof Promise)) return alive() && resolve(value as never);
          value.then(
            (late) => alive() && resolve(late as never),
            (error) => alive() && reject(error),
          );
        } catch (error) {
          if (alive()) reject(error as Error);
        }
      };
      const pass = () => {
        if (life.life !== born) return;
        if (agenda.now() < life.stalledUntilMs) agenda.at(life.stalledUntilMs, pass);
        else meet(parts, life, effect, placeOf(effect.call)(effect.kinds), settle, pass);
      };
      agenda.at(agenda.now() + dice.below(LONGEST_CALL_MS), pass);
    });
}

function meet<Answer>(
  { agenda, dice, crash, trace }: GateParts,
  life: Life,
  effect: Effect<Answer>,
  fault: Fault | undefined,
  settle: (answer: () => unknown) => void,
  pass: () => void,
): void {
  const { act, lost, call, about } = effect;
  trace?.(life.name, `${call} ${about()}`, fault);
  const later = (run: () => void) => agenda.at(agenda.now() + dice.between(...LATE_MS), run);
  switch (fault) {
    case 'crash_before':
      crash(life, call);
      return;
    case 'crash_after':
      aside(act);
      crash(life, call);
      return;
    case 'pause':
      life.stalledUntilMs = agenda.now() + dice.between(...STALL_MS);
      agenda.at(life.stalledUntilMs, pass);
      return;
    case 'database_away':
    case 'call_lost':
      settle(() => lost(false));
      return;
    case 'answer_lost':
    case 'call_answer_lost':
      settle(async () => {
        await act();
        return lost(true);
      });
      return;
    case 'commit_partly':
      settle(async () => {
        await (effect.actPartly ?? act)();
        return lost(true);
      });
      return;
    case 'commit_late':
    case 'call_late':
      later(() => {
        trace?.(life.name, `${call} ${about()} arrives late`, undefined);
        aside(act);
      });
      settle(() => lost(true));
      return;
    case 'call_doubled':
      settle(async () => {
        await act();
        return act();
      });
      return;
    case 'call_answer_late': {
      const answer = aside(act);
      later(() => settle(() => answer));
      return;
    }
    default:
      settle(act);
  }
}

/** Runs the effect immediately. Its response may still be lost. */
function aside<Answer>(act: () => Promise<Answer> | Answer): Promise<Answer> {
  const answer = new Promise<Answer>((resolve) => {
    resolve(act());
  });
  answer.catch(() => undefined);
  return answer;
}

// The interface through which the rest of the simulation uses a simulated process.

export interface Machine extends Life {
  readonly review: ReviewDeps;
  readonly submission: () => SubmissionDeps;
  wake(soonMs: number): void;
  fall(why: string): void;
  /** Repairs the machine, corrects its clock, and starts the process if it is down. */
  fix(): void;
}
