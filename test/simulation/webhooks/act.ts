// The second act of a seed, which replays the commits of settlement. Commits that overlapped become visible out of order. The
// processes create and deliver webhooks, first with faults, then until every retry has ended.
import { makeNetworks } from '../../../src/adapters/networks/registry.ts';
import { makeDice } from '../../support/dice.ts';
import { makeTale } from '../report/tell.ts';
import { makeAgenda } from '../world/agenda.ts';
import { makeFaults } from '../world/faults.ts';
import type { Setting } from '../world/setting.ts';
import { type Businesses, startBusinesses } from './businesses.ts';
import { type Courier, startCourier } from './couriers.ts';
import { checkWebhooksEnd } from './promises/end.ts';
import { makeWebhookWatch } from './promises/watch.ts';
import { makeReceivers } from './receivers.ts';
import type { LoggedCommit } from './record.ts';
import type { WebhookStage } from './stage.ts';
import { backupOf, emptyWebhookMemory } from './store/memory.ts';

/** The percentage of seeds with webhooks. It is low because the signatures of webhooks take as much time as settlement. */
const SHARE = 24;
const LONG_FAULTS_MS = 85 * 3_600_000;
/** Two rounds of the retry schedule, plus the days after which the service disables a failing endpoint. */
const UNTIL_MS = 14 * 86_400_000;

export interface WebhookAct {
  readonly events: number;
  readonly faults: readonly string[];
  readonly lines: readonly string[];
}

export interface ActOptions {
  readonly faultsEndMs: number;
  readonly traced: boolean;
  readonly only: ReadonlySet<string> | undefined;
}

export async function runWebhooks(setting: Setting, options: ActOptions): Promise<WebhookAct> {
  const dice = makeDice(`${setting.seed} webhooks`);
  if (!dice.percent(SHARE)) return { events: 0, faults: [], lines: [] };
  const { startMs } = setting.company;
  const { stage, isBroken } = openWebhookStage(setting, dice, options);
  const { agenda, faults, tale } = stage;
  const couriers: Courier[] = [];
  for (let no = dice.pick([1, 2, 3, 3]); no > 0; no--) couriers.push(startCourier(stage, `w${no}`));
  const businesses = startBusinesses(stage, couriers);
  replay(stage, setting, couriers, businesses);
  const isLong = dice.percent(25);
  let events = await agenda.go(isLong ? startMs + LONG_FAULTS_MS : options.faultsEndMs);
  tale.line('world', 'from here on nothing goes wrong');
  faults.end();
  for (const courier of couriers) courier.fix();
  if (!isBroken()) events += await agenda.go(startMs + UNTIL_MS);
  if (!isBroken()) checkWebhooksEnd(stage);
  return { events, faults: faults.met, lines: tale.lines };
}

function openWebhookStage(setting: Setting, dice: ReturnType<typeof makeDice>, { traced, only }: ActOptions) {
  const { company, outside, model, keys, catalogue } = setting;
  const seed = `${setting.seed} webhooks`;
  const agenda = makeAgenda(company.startMs, makeDice(`${seed} agenda`));
  const memory = emptyWebhookMemory();
  // The service stores its first position in the event log before a business can add an endpoint.
  memory.position.at = memory.log.end();
  let isBroken = false;
  const broken: Setting['broken'] = (...given) => {
    isBroken = true;
    agenda.stop();
    setting.broken(...given);
  };
  const skewMs = dice.pick([0, 0, 400, 20_000]);
  const watch = makeWebhookWatch({ memory, now: agenda.now, toleranceMs: 2 * skewMs, broken });
  const stage: WebhookStage = {
    ...{ seed, agenda, dice, memory, watch, skewMs, broken, keys, catalogue, tables: model.tables },
    faults: makeFaults({ seed, dice, ...(only !== undefined && { only }) }),
    tale: makeTale(traced, agenda.now),
    networks: makeNetworks({ live: [], test: outside.networks }),
    receivers: makeReceivers(agenda, makeDice(`${seed} receivers`)),
    restores: { count: 0 },
  };
  return { stage, isBroken: () => isBroken };
}

interface Step {
  readonly atMs: number;
  readonly run: () => void;
}

/** Replays the commits, backups and restores of settlement at their times. Those with the same time keep their order. */
function replay(
  stage: WebhookStage,
  { recorder }: Setting,
  couriers: readonly Courier[],
  businesses: Businesses,
): void {
  const { agenda, dice, memory, restores, watch } = stage;
  let putBack: () => void = () => undefined;
  const backup = () => {
    putBack = backupOf(memory);
    watch.backedUp();
  };
  const restore = () => {
    for (const courier of couriers) courier.fall('the restore');
    putBack();
    restores.count++;
    watch.restored();
    businesses.restored();
  };
  const wakeOne = () => dice.pick(couriers).wake(dice.between(5, 1_500));
  const steps = recorder.logged.flatMap((each): Step[] => {
    if (each.kind !== 'commit') return [{ atMs: each.atMs, run: each.kind === 'backup' ? backup : restore }];
    return stepsOf(stage, each, wakeOne);
  });
  steps.sort((a, b) => a.atMs - b.atMs);
  let next = 0;
  for (const { atMs } of steps)
    agenda.at(atMs, () => {
      while (next < steps.length && steps[next]!.atMs <= agenda.now()) steps[next++]!.run();
    });
}

/** A commit gets its number when it starts, and becomes visible when it ends. */
function stepsOf({ memory: { log } }: WebhookStage, commit: LoggedCommit, seen: () => void): Step[] {
  let number = 0;
  const begin = () => {
    number = log.begin();
  };
  const end = () => {
    log.commitRows(number, commit.rows);
    seen();
  };
  return [
    { atMs: commit.beganAtMs, run: begin },
    { atMs: commit.atMs, run: end },
  ];
}
