// Simulates the processes that read rate sources, decide rate books and make quotes, as in the service. A process that dies
// loses its memory, including the rates that it serves.
import { makeNetworks } from '../../../src/adapters/networks/registry.ts';
import { makeQuote, type QuoteDeps, type QuoteSubmission } from '../../../src/app/quotes/make-quote.ts';
import { decideBooks } from '../../../src/app/rates/decide-books.ts';
import { readDueSources } from '../../../src/app/rates/read-due-sources.ts';
import type { BoardSnapshot } from '../../../src/domain/rates/board.ts';
import { type RateBoard, type RateSource, SourceFailure } from '../../../src/ports/rates.ts';
import type { Life } from '../world/gate.ts';
import { databaseAway, gated, READS, WRITES } from '../world/ports.ts';
import { SimulatedProcess } from '../world/simulated-process.ts';
import { boardOf, type RateVerbs, rateCore } from './rate-store.ts';
import type { TradeStage } from './stage.ts';

const LOOK_MS = [500, 4_000] as const;
/** After the faults have ended, the processes check for due work less often. */
const LOOK_LATER_MS = [3_000, 7_000] as const;
/** The time for which a process may still serve its last rate book after it knows of a newer one. */
const PATIENCE_MS = 1_000;
const NO_EPOCH = { epoch: () => 0 };
const BOUNDS = { minMinor: 100n, maxMinor: 10n ** 13n };

export interface Keeper extends Life {
  quote(submission: QuoteSubmission): ReturnType<typeof makeQuote>;
  hear(): void;
  fix(): void;
  board(): BoardSnapshot | undefined;
  stop(): void;
}

export function startKeeper(stage: TradeStage, name: string, others: readonly Keeper[]): Keeper {
  const keeper = new RateProcess(stage, name, others);
  keeper.start();
  return keeper;
}

class RateProcess extends SimulatedProcess implements Keeper {
  private readonly stage: TradeStage;
  private readonly rateStore: RateVerbs;
  private readonly sources: readonly RateSource[];
  private stopped = false;
  private lookMs: readonly [number, number] = LOOK_MS;
  private snapshot: BoardSnapshot | undefined;
  private outdatedSinceMs: number | undefined;
  private generation = 0;
  private heard = 0;

  constructor(stage: TradeStage, name: string, keepers: readonly Keeper[]) {
    super(stage.setting, name, [0, 0, stage.skewMs, -stage.skewMs]);
    this.stage = stage;
    const core = rateCore(stage.memory, (decision) => {
      stage.watch.decided(decision);
      for (const keeper of keepers) keeper.hear();
    });
    this.rateStore = gated<RateVerbs>(this.gate, core, NO_EPOCH, () => WRITES);
    this.sources = stage.world.sources.map((source) => this.gatedSource(source));
  }

  private gatedSource(source: RateSource): RateSource {
    const act = () => source.read(AbortSignal.abort());
    const lost = (): never => {
      throw new SourceFailure('unreachable', 'The connection failed.');
    };
    const kinds = ['crash_before', 'pause', 'call_lost', 'call_answer_late'] as const;
    const read = () => this.gate({ call: `read ${source.name}`, about: () => '', kinds, act, lost });
    return { ...source, read };
  }

  protected forget(): void {
    this.snapshot = undefined;
    this.outdatedSinceMs = undefined;
  }

  protected begin(): void {
    this.look(this.life);
  }

  override fix(): void {
    this.lookMs = LOOK_LATER_MS;
    super.fix();
  }

  stop(): void {
    this.stopped = true;
  }

  board(): BoardSnapshot | undefined {
    return this.snapshot;
  }

  hear(): void {
    if (!this.up) return;
    this.heard++;
    this.outdatedSinceMs ??= this.stage.setting.agenda.now();
    this.run('read the board', () => this.rateBoard.refresh());
  }

  quote(submission: QuoteSubmission): ReturnType<typeof makeQuote> {
    const { setting, limits, validForMs, watch } = this.stage;
    const beganMs = setting.agenda.now();
    const { quoteCore } = setting.model;
    const core = {
      ...quoteCore,
      add: (...given: Parameters<typeof quoteCore.add>) => {
        const isNew = !setting.model.tables.quotes.has(given[0].id);
        const outcome = quoteCore.add(...given);
        if (isNew && outcome.kind === 'created') watch.quoted(outcome.quote, beganMs);
        return outcome;
      },
    };
    const deps: QuoteDeps = {
      quotes: gated<QuoteDeps['quotes']>(this.gate, core, NO_EPOCH, (call) =>
        call === 'add' ? WRITES : READS,
      ),
      board: this.rateBoard,
      networks: makeNetworks({ live: [], test: setting.outside.networks }),
      ...{ clock: this.clock, entropy: this.entropy, validForMs, limits },
      bounds: { buy: BOUNDS, sell: BOUNDS },
    };
    return makeQuote(deps, submission);
  }

  private readonly rateBoard: RateBoard = {
    current: () => {
      const { agenda } = this.stage.setting;
      const isFresh = this.outdatedSinceMs === undefined || agenda.now() - this.outdatedSinceMs < PATIENCE_MS;
      return isFresh ? this.snapshot : undefined;
    },
    refresh: async () => {
      let heard = 0;
      const act = () => {
        heard = this.heard;
        return boardOf(this.stage.memory, ++this.generation);
      };
      const about = () => '';
      const fresh = await this.gate({ call: 'readBoard', about, kinds: READS, act, lost: databaseAway });
      if (fresh.generation === this.generation) this.snapshot = fresh;
      if (heard === this.heard) this.outdatedSinceMs = undefined;
      return fresh;
    },
  };

  private look(born: number): void {
    const { agenda } = this.stage.setting;
    if (this.life !== born || this.stopped) return;
    agenda.at(agenda.now() + this.dice.between(...this.lookMs), () => this.look(born));
    if (agenda.now() < this.stalledUntilMs) return;
    this.run('read sources', async () => {
      const { finished } = await readDueSources({
        ...{ rateStore: this.rateStore, sources: this.sources, clock: this.clock },
        deadline: (timeoutMs) => this.deadline(timeoutMs),
        onFailure: () => undefined,
      });
      finished.then(() => this.decide()).catch((error: Error) => this.failed('read a source', error));
    });
    this.decide();
    if (this.rateBoard.current() === undefined) this.run('read the board', () => this.rateBoard.refresh());
  }

  private decide(): void {
    const { ratePlan } = this.stage;
    const { rateStore, clock, entropy } = this;
    this.run('decide', () => decideBooks({ rateStore, ratePlan, clock, entropy }));
  }

  private deadline(timeoutMs: number): AbortSignal {
    const { agenda } = this.stage.setting;
    const stopping = new AbortController();
    agenda.at(agenda.now() + timeoutMs, () => stopping.abort('the time is over'));
    return stopping.signal;
  }
}
