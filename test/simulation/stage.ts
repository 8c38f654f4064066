// Builds the stage of a seed: a company, its customers, their bank and networks, and the processes of the service, connected on
// one simulated clock. Nothing runs yet.
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { payoutAccountOf } from '../../src/app/movements/payouts/choose-rail.ts';
import { entryOf } from '../../src/domain/ledger/ledger.ts';
import { tokenAsset } from '../../src/domain/values/money.ts';
import { makeDice } from '../support/dice.ts';
import type { Observer } from './coverage/observe.ts';
import { type Model, makeModel } from './model/model.ts';
import { drawCompany, MODE } from './people/company.ts';
import { lift } from './people/operator.ts';
import { REVIEWERS } from './people/people.ts';
import type { Standstill } from './promises/standstill.ts';
import { makeWatches } from './promises/watches.ts';
import { makeTale, printChange } from './report/tell.ts';
import { makeRecorder } from './webhooks/record.ts';
import { makeAgenda } from './world/agenda.ts';
import { type Fault, type Faults, makeFaults } from './world/faults.ts';
import type { Machine } from './world/gate.ts';
import { makeOutside, type Outside, type Witness } from './world/outside.ts';
import { emptyRailMemory, railCore } from './world/rails/desk.ts';
import type { Restore, Setting } from './world/setting.ts';
import { modelTreasuryWatch } from './world/treasury-watch.ts';

export interface Failure {
  readonly promise: string;
  readonly detail: string;
  /** The record that the broken promise is about: a transaction, or a credit, deposit or movement that has no transaction. */
  readonly subject: string | null;
}

export interface StageOptions {
  readonly traced?: boolean;
  /** Only these faults may happen; undefined means the faults that the seed chooses. */
  readonly onlyFaults?: ReadonlySet<string> | undefined;
  /** A prefix for the names of the places where faults happen, so that each stage of a seed has separate places. */
  readonly prefix?: string;
  readonly observer?: Pick<Observer, 'accepted' | 'applied'> | undefined;
}

export const PLENTY_NAIRA = 10n ** 9n;

const directory = loadBankDirectory();

export function openStage(text: string, options: StageOptions) {
  const dice = makeDice(text);
  const company = drawCompany(dice, directory);
  const agenda = makeAgenda(company.startMs, makeDice(`${text} agenda`));
  const { onlyFaults: only, prefix = '' } = options;
  const drawnFaults = makeFaults({ seed: text, dice, ...(only !== undefined && { only }) });
  const faults: Faults = { ...drawnFaults, place: (name) => drawnFaults.place(`${prefix}${name}`) };
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
    rails: () => rails,
  });
  const rails = emptyRailMemory();
  const recorder = makeRecorder(agenda.now);
  const drawn = { seed: text, agenda, dice, faults, company, tale, recorder };
  const outside = openOutside(drawn, watches.witness, machines);
  const model = openModel(drawn, { outside, watches, machines, observer: options.observer });
  const setting: Setting = {
    ...drawn,
    directory,
    model,
    outside,
    rails,
    railDesk: railCore(rails, { tables: () => model.tables, now: agenda.now, broken, tale }),
    treasuryWatch: modelTreasuryWatch(model, broken),
    keys: [...company.keys],
    still,
    restore,
    secondSource: { isOn: false },
    standstill: watches.standstill,
    catalogue: () =>
      company.catalogue({
        frozen: model.tables.freezes,
        paused: still.pausedMs !== null,
        halts: still.halts,
        doubts: model.tables.doubts,
        rails,
      }),
    broken,
  };
  return { setting, machines, watches, failure: (): Failure | null => failure };
}

type Drawn = Pick<Setting, 'seed' | 'agenda' | 'dice' | 'faults' | 'company' | 'tale' | 'recorder'>;

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
    brokenPercent: company.brokenPercent,
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
  { agenda, dice, company, tale, recorder }: Drawn,
  around: {
    readonly outside: Outside;
    readonly watches: ReturnType<typeof makeWatches>;
    readonly machines: readonly Machine[];
    readonly observer: StageOptions['observer'];
  },
): Model {
  const { outside, watches, machines, observer } = around;
  const model = makeModel({
    keys: company.keys.map(({ id, business }) => ({ id, businessId: business.id, mode: MODE })),
    people: REVIEWERS,
    now: agenda.now,
    onScenario: (...play) => outside.world.addPlay(...(play as Parameters<typeof outside.world.addPlay>)),
    onAccepted: (acceptance) => {
      observer?.accepted(acceptance);
      watches.money.accepted(acceptance);
      recorder.accepted(acceptance, model.tables);
    },
    onApplied: (change) => {
      observer?.applied(change);
      if (tale.wanted) printChange(tale, change);
      watches.applied(change);
      if (change.doubt !== undefined) trustLater({ agenda, tale }, model, change.doubt.rail);
      recorder.applied(change, model.tables);
      if (machines.length > 0) dice.pick(machines).wake(dice.between(5, 2 * company.gatherMs));
    },
  });
  return recorder.watching(model);
}

const TRUSTED_AFTER_MS = 90_000;

/** Some time later, two people review the rail's behaviour and trust the rail again. */
function trustLater({ agenda, tale }: Pick<Drawn, 'agenda' | 'tale'>, model: Model, rail: string): void {
  agenda.at(agenda.now() + TRUSTED_AFTER_MS, () => {
    tale.line('operator', `trusts ${rail} again`);
    model.core.trustRail(rail, MODE);
  });
}

/** Ends all faults and resumes all stopped work, except work that is paused after a restore. */
export function endFaults(setting: Setting, isHeld: boolean): void {
  const { faults, outside, still, model } = setting;
  faults.end();
  outside.calm();
  if (!isHeld) still.pausedMs = null;
  still.halts.clear();
  for (const { businessId } of [...model.tables.freezes.values()]) lift(setting, businessId);
}

export function fund({ model, outside, agenda }: Setting, naira: bigint, alsoBank: boolean): void {
  const of = { mode: MODE, subjectId: 'setup' } as const;
  const entries = outside.networks.map(({ name, asset: { code, decimals } }) =>
    entryOf('treasury_funded', {
      ...of,
      asset: tokenAsset(code, name),
      amounts: { tokens: naira * 10n ** BigInt(decimals) },
    }),
  );
  for (const rail of alsoBank ? outside.rails : []) {
    const amount = PLENTY_NAIRA * 100n;
    rail.putIn(amount);
    entries.push(
      entryOf('float_funded', { ...of, payoutAccount: payoutAccountOf(rail), amounts: { amount } }),
    );
  }
  model.core.commit([{ atMs: agenda.now(), entries }]);
}
