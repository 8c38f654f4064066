// The third act of a seed: businesses trade on quotes while rate sources report wrong rates, stop and recover. Settlement works
// as in the first act. The third act has its own company, clock, randomness and faults, so the other acts of a seed do not
// depend on it.
import { decideBooks } from '../../../src/app/rates/decide-books.ts';
import { servedRates } from '../../../src/domain/rates/board.ts';
import { DESK, type ProductPlan } from '../../../src/domain/rates/reading.ts';
import { makeDice } from '../../support/dice.ts';
import type { Tables } from '../model/tables.ts';
import { MODE } from '../people/company.ts';
import { drawErrands } from '../people/errands.ts';
import { startPayoutOutcomes } from '../people/payout-outcomes.ts';
import { checkEnd } from '../promises/end.ts';
import { endFaults, type Failure, fund, openStage, PLENTY_NAIRA, type StageOptions } from '../stage.ts';
import { startMachine } from '../world/process.ts';
import { startDealers } from './dealers.ts';
import { type Keeper, startKeeper } from './keepers.ts';
import { emptyRateMemory, rateCore } from './rate-store.ts';
import { makeRateWorld } from './rate-world.ts';
import type { TradeStage } from './stage.ts';
import { startTraders } from './traders.ts';
import { makeTradeWatch } from './watch.ts';

export interface TradeAct {
  readonly events: number;
  readonly faults: readonly string[];
  readonly lines: readonly string[];
  readonly errands: readonly string[];
  readonly failure: Failure | null;
  /** The tables of the model store; null if this seed does not trade. */
  readonly tables: Tables | null;
}

export const NO_TRADES: TradeAct = {
  events: 0,
  faults: [],
  lines: [],
  errands: [],
  failure: null,
  tables: null,
};

/** The percentage of seeds that trade on quotes. */
const SHARE = 24;
const TRADES = 12;
const FAULTS_MS = [90_000, 240_000] as const;
/** The longest time for which the service does not read a source that always failed before. */
const BACK_MS = 480_000;
/**
 * This time is later than the last trade, which may wait until a quote expires, and later than the end of every time window.
 */
const REST_MS = 7_200_000;
const LATE_LOOK_MS = 2_000;

export interface TradeOptions extends Pick<StageOptions, 'traced' | 'onlyFaults'> {
  readonly onlyErrands?: ReadonlySet<string>;
}

export async function runTrading(seed: number, options: TradeOptions): Promise<TradeAct> {
  const dice = makeDice(`seed ${seed} trading rates`);
  if (!dice.percent(SHARE)) return NO_TRADES;
  let watching: TradeStage['watch'] | undefined;
  const observer: StageOptions['observer'] = {
    accepted: (acceptance) => {
      watching?.accepted(acceptance);
      // A trade may arrive late, when there is no other work. Processes look for work only when something wakes them.
      for (const machine of machines) machine.wake(LATE_LOOK_MS);
    },
    applied: () => undefined,
  };
  const { setting, machines, watches, failure } = openStage(`seed ${seed} trading`, {
    ...{ traced: options.traced ?? false, onlyFaults: options.onlyFaults, prefix: 'trading ', observer },
  });
  const { agenda, company, tale, model } = setting;
  const faultsEndMs = company.startMs + dice.between(...FAULTS_MS);
  const stage = openTrades(setting, dice, faultsEndMs);
  watching = stage.watch;
  fund(setting, PLENTY_NAIRA, true);
  for (let no = 1; no <= company.processes; no++) machines.push(startMachine(setting, `t${no}`));
  await openBook(stage);
  const keepers: Keeper[] = [];
  for (let no = dice.pick([1, 2, 2]); no > 0; no--) keepers.push(startKeeper(stage, `r${no}`, keepers));
  const wanted = drawErrands(makeDice(`${setting.seed} errands`), TRADES, company.spanMs)
    .map((errand) => ({ ...errand, reference: `trade-${errand.reference}` }))
    .filter(({ reference }) => options.onlyErrands?.has(reference) ?? true);
  const trades = startTraders(stage, { machines, keepers }, wanted);
  startDealers(stage, keepers, faultsEndMs);
  startPayoutOutcomes(setting, machines, company.startMs + REST_MS);
  let events = await agenda.go(faultsEndMs);
  tale.line('world', 'from here on nothing goes wrong');
  endFaults(setting, false);
  stage.world.calm();
  for (const process of [...machines, ...keepers]) process.fix();
  if (failure() === null) events += await agenda.go(faultsEndMs + BACK_MS);
  if (failure() === null) checkServed(stage, keepers);
  for (const keeper of keepers) keeper.stop();
  if (failure() === null) events += await agenda.go(company.startMs + REST_MS);
  if (failure() === null) checkQuotes(stage);
  if (failure() === null)
    await checkEnd(setting, watches.money, trades.desk.clients, [...trades.errands.values()]);
  const errands = wanted.map(({ reference }) => reference);
  const known = { events, errands, failure: failure(), tables: model.tables };
  return { ...known, faults: setting.faults.met, lines: tale.lines };
}

function openTrades(setting: TradeStage['setting'], dice: TradeStage['dice'], untilMs: number): TradeStage {
  const { agenda, model, broken, tale } = setting;
  const memory = emptyRateMemory();
  const world = makeRateWorld({ agenda, dice, tale, untilMs });
  const names = world.sources.map(({ name }) => name);
  const plan: ProductPlan = {
    product: 'otc_buy',
    sources: dice.percent(50) ? [...names, DESK] : names,
    minimum: dice.pick([1, 1, 2, 2, 2, 3]),
  };
  const limits = {
    maxOpenMinor: dice.pick([15_000_000n, 10n ** 11n]),
    maxOpenQuotes: dice.pick([2, 3, 1_000]),
  };
  const skewMs = dice.pick([0, 0, 400, 20_000]);
  const tables = () => model.tables;
  const watch = makeTradeWatch({
    ...{ memory, plan, limits, skewMs, tables, broken },
    now: agenda.now,
    world: () => world,
  });
  return {
    ...{ setting, dice, memory, world, plan, watch, limits, skewMs },
    validForMs: dice.pick([15_000, 60_000, 600_000]),
    ratePlan: {
      sources: world.sources,
      planOf: (mode, product) =>
        mode === MODE ? { ...plan, product } : { product, sources: [DESK], minimum: 1 },
    },
  };
}

async function openBook({ setting, memory, world, watch, ratePlan, dice }: TradeStage): Promise<void> {
  const nowMs = setting.agenda.now();
  for (const product of ['otc_buy', 'usdc_ngnc'] as const)
    memory.spreads.push({
      ...{ mode: MODE, product, currency: null, tier: null, setBy: 'operator' },
      ...{ spreadBps: dice.pick([0, 50, 125]), fromMs: nowMs - 1 },
    });
  const core = rateCore(memory, watch.decided);
  for (const { name, everyMs, read } of world.sources)
    core.saveReading(name, await read(new AbortController().signal), nowMs, nowMs + everyMs);
  await decideBooks({
    ...{ ratePlan, clock: setting.agenda, entropy: { bytes: (count) => dice.bytes(count) } },
    rateStore: { decide: async (...given) => core.decide(...given) },
  });
}

// Checks the state when the sources have recovered and all trades have ended. Every process serves all rates again without
// help, and quotes and their transactions refer to each other.

function checkServed({ setting }: TradeStage, keepers: readonly Keeper[]): void {
  const { agenda, broken } = setting;
  const atMs = agenda.now();
  for (const keeper of keepers) {
    const board = keeper.board();
    for (const product of ['otc_buy', 'usdc_ngnc'] as const) {
      const served = board && servedRates(board, { mode: MODE, product, tier: 'standard', atMs });
      if (served?.ok) continue;
      const missing = served?.error.map(({ currency, why }) => `${currency} ${why}`).join(', ');
      broken('rates are served again by themselves', `${keeper.name}: ${product} ${missing}`, null);
    }
  }
}

function checkQuotes({ setting }: TradeStage): void {
  const { model, broken } = setting;
  const { quotes, transactions } = model.tables;
  for (const { id, quoteId } of transactions.values())
    if (quoteId !== null && quotes.get(quoteId)?.transactionId !== id)
      broken('a quote and its transaction name each other', `${id} on ${quoteId}`, id);
  for (const { id, transactionId } of quotes.values())
    if (transactionId !== null && transactions.get(transactionId)?.quoteId !== id)
      broken('a quote and its transaction name each other', `${id} for ${transactionId}`, transactionId);
}
