// Runs one seed: a company, its customers, their bank and networks, and the processes of the service, on one simulated clock.
// The run ends when the faults have ended and nothing changes any more.
import { makeDice } from '../support/dice.ts';
import type { Observer } from './coverage/observe.ts';
import { startClients } from './people/clients.ts';
import { drawCrowd, drawErrands } from './people/errands.ts';
import { startReturns } from './people/notices.ts';
import { startOperator } from './people/operator.ts';
import { sendStrays } from './people/payments.ts';
import { startPayoutOutcomes } from './people/payout-outcomes.ts';
import { startPeople, THINK_MS } from './people/people.ts';
import { startRouting } from './people/routing.ts';
import { startSecondSource } from './people/second-source.ts';
import { checkEnd } from './promises/end.ts';
import { namesOf, storyOf } from './report/tell.ts';
import { endFaults, type Failure, fund, openStage, PLENTY_NAIRA } from './stage.ts';
import { NO_TRADES, runTrading, type TradeAct } from './trading/act.ts';
import { runWebhooks, type WebhookAct } from './webhooks/act.ts';
import { startMachine } from './world/process.ts';
import { mayRestore } from './world/restore.ts';
import type { Setting } from './world/setting.ts';

export type { Failure } from './stage.ts';

export interface SeedOptions {
  readonly traced?: boolean;
  /** Only these faults may happen; undefined means the faults that the seed chooses. */
  readonly onlyFaults?: ReadonlySet<string>;
  readonly onlyErrands?: ReadonlySet<string>;
  readonly observer?: Observer;
}

export interface SeedResult {
  readonly seed: number;
  readonly failure: Failure | null;
  readonly transactions: number;
  readonly events: number;
  readonly faults: readonly string[];
  readonly errands: readonly string[];
  readonly endings: ReadonlyMap<string, number>;
  readonly lines: readonly string[];
  readonly story: readonly string[];
}

const ERRANDS = 40;
const FAULTS_MS = [90_000, 240_000] as const;
/** This time is later than the last expiry, the end of every time window, and the second check of ended payouts. */
const REST_MS = 4_500_000;
const PEOPLE_MS = 120_000;
const BACK_MS = 1_500_000;
const SCARCE_NAIRA = 150_000n;

const NO_WEBHOOKS: WebhookAct = { events: 0, faults: [], lines: [] };

export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const { setting, machines, watches, failure } = openStage(`seed ${seed}`, options);
  const { agenda, company, dice, model, restore, tale } = setting;
  const scarce = dice.percent(25);
  fund(setting, scarce ? SCARCE_NAIRA : PLENTY_NAIRA, true);
  for (let no = 1; no <= company.processes; no++) machines.push(startMachine(setting, `p${no}`));
  const drawn = [
    ...drawErrands(dice, ERRANDS, company.spanMs),
    ...drawCrowd(makeDice(`seed ${seed} crowd`), company.spanMs),
  ];
  const wanted = drawn.filter(({ reference }) => options.onlyErrands?.has(reference) ?? true);
  startSecondSource(setting, FAULTS_MS[0]);
  const clients = startClients(setting, machines, wanted);
  sendStrays(setting, FAULTS_MS[0]);
  const faultsEndMs = company.startMs + dice.between(...FAULTS_MS);
  if (dice.percent(70)) {
    startPeople(setting, machines, faultsEndMs + PEOPLE_MS);
    // People start to work again after the service has queried the rails again about their payments.
    agenda.at(company.startMs + BACK_MS, () =>
      startPeople(setting, machines, company.startMs + BACK_MS + PEOPLE_MS),
    );
  }
  startPayoutOutcomes(setting, machines, company.startMs + REST_MS);
  startOperator(setting, faultsEndMs);
  startRouting(setting, faultsEndMs);
  mayRestore(setting, machines, () => {
    watches.restored();
    options.observer?.restored(model.tables);
  });
  startReturns(setting, faultsEndMs + PEOPLE_MS);
  let events = await agenda.go(faultsEndMs);
  tale.line('world', 'from here on nothing goes wrong');
  endFaults(setting, restore.holds);
  if (scarce) fund(setting, PLENTY_NAIRA, false);
  // People may have withdrawn all funds, so the operator adds funds after people have stopped.
  for (const restMs of [faultsEndMs, company.startMs + BACK_MS])
    agenda.at(restMs + PEOPLE_MS + THINK_MS, () => fund(setting, PLENTY_NAIRA, false));
  for (const machine of machines) machine.fix();
  if (failure() === null) events += await agenda.go(company.startMs + REST_MS);
  if (failure() === null) await checkEnd(setting, watches.money, clients, wanted);
  const act = { faultsEndMs, traced: options.traced ?? false, only: options.onlyFaults };
  const webhooks = failure() === null ? await runWebhooks(setting, act) : NO_WEBHOOKS;
  const trades = failure() === null ? await runTrading(seed, options) : NO_TRADES;
  events += webhooks.events + trades.events;
  const errands = [...wanted.map(({ reference }) => reference), ...trades.errands];
  const known = { seed, failure: failure() ?? trades.failure, events, errands };
  return resultOf(setting, webhooks, trades, known);
}

function resultOf(
  { model, faults, tale }: Setting,
  webhooks: WebhookAct,
  trades: TradeAct,
  known: Pick<SeedResult, 'seed' | 'failure' | 'events' | 'errands'>,
): SeedResult {
  const endings = new Map<string, number>();
  for (const { type, state } of model.tables.transactions.values()) {
    const name = `${type} ${state}`;
    endings.set(name, (endings.get(name) ?? 0) + 1);
  }
  const subject = known.failure?.subject ?? null;
  const lines = [...tale.lines, ...webhooks.lines, ...trades.lines];
  const tables = trades.failure === null ? model.tables : trades.tables!;
  const names = subject === null ? new Set<string>() : namesOf(tables, subject);
  return {
    ...known,
    transactions: model.tables.transactions.size,
    faults: [...faults.met, ...webhooks.faults, ...trades.faults],
    endings,
    lines,
    story: storyOf(lines, names),
  };
}
