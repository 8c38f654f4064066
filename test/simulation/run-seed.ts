// One seed: a company, its customers, their bank and networks and the service's processes, on one simulated clock, until
// the faults have ended and everything has come to rest.
import { loadBankDirectory } from '../../src/adapters/banks/directory.ts';
import { entryOf } from '../../src/domain/ledger/ledger.ts';
import { tokenAsset } from '../../src/domain/values/assets.ts';
import { makeDice } from '../support/dice.ts';
import type { Observer } from './coverage/observe.ts';
import { type Model, makeModel } from './model/model.ts';
import { startClients } from './people/clients.ts';
import { drawCompany, MODE } from './people/company.ts';
import { drawErrands } from './people/errands.ts';
import { startReturns } from './people/notices.ts';
import { lift, startOperator } from './people/operator.ts';
import { sendStrays } from './people/payments.ts';
import { REVIEWERS, startPeople, THINK_MS } from './people/people.ts';
import { checkEnd } from './promises/end.ts';
import type { Standstill } from './promises/standstill.ts';
import { makeWatches } from './promises/watches.ts';
import { makeTale, storyOf } from './report/tale.ts';
import { namesOf, printChange } from './report/tell.ts';
import { makeAgenda } from './world/agenda.ts';
import { type Fault, makeFaults } from './world/faults.ts';
import type { Machine } from './world/machine.ts';
import { makeOutside, type Outside, type Witness } from './world/outside.ts';
import { startMachine } from './world/process.ts';
import { mayRestore } from './world/restore.ts';
import type { Restore, Setting } from './world/setting.ts';
import { modelTreasuryWatch } from './world/treasury-watch.ts';

export interface SeedOptions {
  /** Every line of what happened is kept. */
  readonly traced?: boolean;
  /** Only these faults may happen; undefined: whatever the seed draws. */
  readonly onlyFaults?: ReadonlySet<string>;
  /** Only these errands are run, by reference. */
  readonly onlyErrands?: ReadonlySet<string>;
  /** Sees what is stored. */
  readonly observer?: Observer;
}

export interface Failure {
  readonly promise: string;
  readonly detail: string;
  /** What it is about: a transaction, or the credit, deposit or movement that belongs to none. */
  readonly subject: string | null;
}

export interface SeedResult {
  readonly seed: number;
  readonly failure: Failure | null;
  readonly transactions: number;
  readonly events: number;
  readonly faults: readonly string[];
  readonly errands: readonly string[];
  /** How transactions ended, counted. */
  readonly endings: ReadonlyMap<string, number>;
  readonly lines: readonly string[];
  readonly story: readonly string[];
}

const ERRANDS = 40;
const FAULTS_MS = [90_000, 240_000] as const;
/** Long after the last expiry and the end of every window. */
const REST_MS = 3_600_000;
/** How long people go on looking after the faults have ended. */
const PEOPLE_MS = 120_000;
const PLENTY_NAIRA = 10n ** 9n;
const SCARCE_NAIRA = 150_000n;

const directory = loadBankDirectory();

export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const { setting, machines, watches, failure } = openStage(seed, options);
  const { agenda, company, dice, model, restore, tale } = setting;
  const scarce = dice.percent(25);
  fund(setting, scarce ? SCARCE_NAIRA : PLENTY_NAIRA, true);
  for (let no = 1; no <= company.processes; no++) machines.push(startMachine(setting, `p${no}`));
  const wanted = drawErrands(dice, ERRANDS, company.spanMs).filter(
    ({ reference }) => options.onlyErrands?.has(reference) ?? true,
  );
  const clients = startClients(setting, machines, wanted);
  sendStrays(setting, FAULTS_MS[0]);
  const faultsEndMs = company.startMs + dice.between(...FAULTS_MS);
  if (dice.percent(70)) startPeople(setting, machines, faultsEndMs + PEOPLE_MS);
  startOperator(setting, faultsEndMs);
  mayRestore(setting, machines, () => {
    watches.restored();
    options.observer?.restored(model.tables);
  });
  startReturns(setting, faultsEndMs + PEOPLE_MS);
  let events = await agenda.go(faultsEndMs);
  tale.line('world', 'from here on nothing goes wrong');
  endFaults(setting, restore.holds);
  if (scarce) fund(setting, PLENTY_NAIRA, false);
  // People may have taken out what there was; from now on they rest.
  agenda.at(faultsEndMs + PEOPLE_MS + THINK_MS, () => fund(setting, PLENTY_NAIRA, false));
  for (const machine of machines) machine.mend();
  if (failure() === null) events += await agenda.go(company.startMs + REST_MS);
  if (failure() === null) await checkEnd(setting, watches.money, clients, wanted);
  const errands = wanted.map(({ reference }) => reference);
  return resultOf(setting, { seed, failure: failure(), events, errands });
}

/** Everything a seed needs, drawn and connected; nothing runs yet. */
function openStage(seed: number, options: SeedOptions) {
  const text = `seed ${seed}`;
  const dice = makeDice(text);
  const company = drawCompany(dice, directory);
  const agenda = makeAgenda(company.startMs, makeDice(`${text} agenda`));
  const only = options.onlyFaults;
  const faults = makeFaults({ seed: text, dice, ...(only !== undefined && { only }) });
  const tale = makeTale(options.traced ?? false, agenda.now);
  let failure: Failure | null = null;
  const broken: Setting['broken'] = (promise, detail, subject) => {
    if (failure !== null) return;
    failure = { promise, detail, subject };
    tale.line('BROKEN', `${promise}: ${detail}`);
    agenda.stop();
  };
  const machines: Machine[] = [];
  const restore: Restore = { epoch: 0, atMs: null, holds: false };
  const still: Standstill = { halts: new Map(), freezes: new Map(), pausedMs: null };
  const watches = makeWatches({
    ...{ agenda, company, still, restore, broken },
    tables: () => model.tables,
    outside: () => outside,
  });
  const drawn = { seed: text, agenda, dice, faults, company, tale };
  const outside = openOutside(drawn, watches.witness, machines);
  const model = openModel(drawn, { outside, watches, machines, observer: options.observer });
  const setting: Setting = {
    ...drawn,
    directory,
    model,
    outside,
    treasuryWatch: modelTreasuryWatch(model, broken),
    keys: [...company.keys],
    still,
    restore,
    standstill: watches.standstill,
    catalogue: () =>
      company.catalogue({
        frozen: model.tables.freezes,
        paused: still.pausedMs !== null,
        halts: still.halts,
      }),
    broken,
  };
  return { setting, machines, watches, failure: (): Failure | null => failure };
}

type Drawn = Pick<Setting, 'seed' | 'agenda' | 'dice' | 'faults' | 'company' | 'tale'>;

function openOutside(
  { seed, agenda, dice, faults, company }: Drawn,
  witness: Witness,
  machines: readonly Machine[],
): Outside {
  const meets = (fault: Fault) => faults.place('outside')([fault]) !== undefined;
  return makeOutside({
    seed,
    agenda,
    paceMs: company.paceMs,
    troublePercent: company.troublePercent,
    batch: company.batch,
    ordered: company.ordered,
    unreadyUntilMs: meets('wallets_unready') ? company.unreadyUntilMs : new Map(),
    lags: meets('network_lag'),
    witness,
    onNews: () => {
      for (const machine of machines) {
        const lost = faults.place(`news to ${machine.name}`)(['news_lost']) !== undefined;
        machine.wake(lost ? dice.between(1_000, 6_000) : dice.between(5, 2 * company.gatherMs));
      }
    },
  });
}

function openModel(
  { dice, company, tale }: Drawn,
  around: {
    readonly outside: Outside;
    readonly watches: ReturnType<typeof makeWatches>;
    readonly machines: readonly Machine[];
    readonly observer: Observer | undefined;
  },
): Model {
  const { outside, watches, machines, observer } = around;
  return makeModel({
    keys: company.keys.map(({ id, business }) => ({ id, businessId: business.id, mode: MODE })),
    people: REVIEWERS,
    onScenario: (...play) => outside.world.addPlay(...(play as Parameters<typeof outside.world.addPlay>)),
    onAccepted: (acceptance) => {
      observer?.accepted(acceptance);
      watches.money.accepted(acceptance);
    },
    onApplied: (change) => {
      observer?.applied(change);
      if (tale.wanted) printChange(tale, change);
      watches.applied(change);
      if (machines.length > 0) dice.pick(machines).wake(dice.between(5, 2 * company.gatherMs));
    },
  });
}

/** Nothing goes wrong any more, and nothing is stopped but what a restore holds. */
function endFaults(setting: Setting, isHeld: boolean): void {
  const { faults, outside, still, model } = setting;
  faults.end();
  outside.calm();
  if (!isHeld) still.pausedMs = null;
  still.halts.clear();
  for (const { businessId } of [...model.tables.freezes.values()]) lift(setting, businessId);
}

/** Tokens on every network and, once, naira at the bank: what the operator puts in. */
function fund({ model, outside, agenda }: Setting, naira: bigint, alsoBank: boolean): void {
  const of = { mode: MODE, subjectId: 'setup' } as const;
  const entries = outside.networks.map(({ name, asset: { code, decimals } }) =>
    entryOf('treasury_funded', {
      ...of,
      asset: tokenAsset(code, name),
      amounts: { tokens: naira * 10n ** BigInt(decimals) },
    }),
  );
  if (alsoBank) entries.push(entryOf('float_funded', { ...of, amounts: { amount: PLENTY_NAIRA * 100n } }));
  model.core.commit([{ atMs: agenda.now(), entries }]);
}

function resultOf(
  { model, faults, tale }: Setting,
  known: Pick<SeedResult, 'seed' | 'failure' | 'events' | 'errands'>,
): SeedResult {
  const endings = new Map<string, number>();
  for (const { type, state } of model.tables.transactions.values()) {
    const name = `${type} ${state}`;
    endings.set(name, (endings.get(name) ?? 0) + 1);
  }
  const subject = known.failure?.subject ?? null;
  const names = subject === null ? new Set<string>() : namesOf(model.tables, subject);
  return {
    ...known,
    transactions: model.tables.transactions.size,
    faults: faults.met,
    endings,
    lines: tale.lines,
    story: storyOf(tale.lines, names),
  };
}
