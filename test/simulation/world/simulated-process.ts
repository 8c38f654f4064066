// What every simulated process has: its own clock and randomness, gates at which it may die, and a new life after each death. A
// process loses its memory when it dies. A polling process checks again and again whether there is work.
import { type Dice, makeDice } from '../../support/dice.ts';
import { expected } from './faults.ts';
import { type Gate, type Life, makeGate } from './gate.ts';
import type { Setting } from './setting.ts';

const DOWN_MS = [100, 20_000] as const;
const LOOK_AGAIN_MS = [200, 1_500] as const;

type Surroundings = Pick<Setting, 'seed' | 'agenda' | 'faults' | 'tale' | 'broken'>;

export abstract class SimulatedProcess implements Life {
  readonly name: string;
  life = 0;
  up = false;
  stalledUntilMs = 0;
  readonly dice: Dice;
  protected readonly gate: Gate;
  protected readonly clock = { now: () => this.around.agenda.now() + this.skewMs };
  protected readonly entropy = { bytes: (count: number) => this.dice.bytes(count) };
  protected skewMs = 0;
  protected readonly began = new Map<symbol, number>();
  private readonly around: Surroundings;
  private readonly skewsMs: readonly number[];
  private busy = new Map<string, number>();

  constructor(around: Surroundings, name: string, skewsMs: readonly number[]) {
    const { agenda, faults, tale, seed } = around;
    this.around = around;
    this.name = name;
    this.skewsMs = skewsMs;
    this.dice = makeDice(`${seed} ${name}`);
    const trace = (who: string, what: string, fault: string | undefined) =>
      tale.line(who, fault === undefined ? what : `${what}  ~~ ${fault} ~~`);
    this.gate = makeGate(
      {
        ...{ agenda, dice: this.dice, faults, crash: (_, why) => this.fall(why) },
        trace: tale.wanted ? trace : null,
      },
      this,
    );
  }

  /** Replaces the memory of the process with the initial state of a new life. */
  protected abstract forget(): void;
  protected abstract begin(): void;
  /** Releases the resources that the process held outside its memory. */
  protected atDeath(): void {}
  protected atEndOfWork(): void {}

  start(): void {
    this.up = true;
    this.skewMs = this.dice.pick(this.skewsMs);
    this.busy = new Map();
    this.forget();
    this.around.tale.line(this.name, `starts, its clock ${this.skewMs} ms off`);
    this.begin();
  }

  /** The process dies now, and restarts after a while. */
  fall(why: string): void {
    const { agenda, tale } = this.around;
    this.up = false;
    this.life++;
    this.stalledUntilMs = 0;
    this.began.clear();
    this.atDeath();
    tale.line(this.name, `dies at ${why}`);
    const born = this.life;
    agenda.at(agenda.now() + this.dice.between(...DOWN_MS), () => {
      if (!this.up && this.life === born) this.start();
    });
  }

  fix(): void {
    this.stalledUntilMs = 0;
    if (!this.up) this.start();
    this.skewMs = 0;
  }

  /** Starts a piece of work, unless the maximum number of its kind is already in progress. */
  protected run<Result>(
    what: string,
    work: () => Promise<Result>,
    { lanes = 1, use }: { readonly lanes?: number; readonly use?: (result: Result) => void } = {},
  ): void {
    const { busy } = this;
    const running = busy.get(what) ?? 0;
    if (!this.up || running >= lanes) return;
    busy.set(what, running + 1);
    const step = Symbol(what);
    this.began.set(step, this.around.agenda.now());
    work()
      .then(use, (error: Error) => this.failed(what, error))
      .then(() => {
        this.began.delete(step);
        busy.set(what, busy.get(what)! - 1);
        if (busy === this.busy) this.atEndOfWork();
      });
  }

  protected failed(what: string, error: Error): void {
    if (!expected(error)) this.around.broken('no use-case fails by itself', `${what}: ${error.stack}`, null);
  }
}

export abstract class PollingProcess extends SimulatedProcess {
  private readonly agenda: Setting['agenda'];
  private pollAtMs = Number.POSITIVE_INFINITY;

  constructor(around: Surroundings, name: string, skewsMs: readonly number[]) {
    super(around, name, skewsMs);
    this.agenda = around.agenda;
  }

  /** Starts the due work, like the timers of the service. Returns when the next work is due. */
  protected abstract look(nowMs: number): number;

  protected begin(): void {
    this.wake(this.dice.below(200));
  }

  override fix(): void {
    super.fix();
    this.pollAtMs = Number.POSITIVE_INFINITY;
    this.wake(1);
  }

  wake(soonMs: number): void {
    const atMs = this.agenda.now() + soonMs;
    if (!this.up || atMs >= this.pollAtMs) return;
    this.pollAtMs = atMs;
    this.agenda.at(atMs, () => {
      if (this.pollAtMs === atMs) this.poll();
    });
  }

  private poll(): void {
    this.pollAtMs = Number.POSITIVE_INFINITY;
    if (!this.up) return;
    const nowMs = this.agenda.now();
    if (nowMs < this.stalledUntilMs) {
      this.wake(this.stalledUntilMs - nowMs);
      return;
    }
    const nextAtMs = this.look(nowMs);
    if (nextAtMs === Number.POSITIVE_INFINITY) return;
    this.wake(Math.max(this.dice.between(...LOOK_AGAIN_MS), nextAtMs - nowMs));
  }
}
