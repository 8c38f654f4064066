// The settlement of one process without its timers. It runs every stage in turn until nothing is due. Its bank, networks and
// store are real, or wrapped by a script.
import { readBankCharges } from '../../src/adapters/catalogue/bank-charges.ts';
import { makeNetworks } from '../../src/adapters/networks/registry.ts';
import type { SimulatedNetwork } from '../../src/adapters/networks/simulated/network.ts';
import { readSnapshot } from '../../src/adapters/postgres/catalogue.ts';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import { makeLedgerAudit } from '../../src/adapters/postgres/ledger/audit.ts';
import { makeEventQueue } from '../../src/adapters/postgres/rails/event-queue.ts';
import { makePostgresStore } from '../../src/adapters/postgres/store.ts';
import { makeTreasuryWatch } from '../../src/adapters/postgres/treasury/treasury-watch.ts';
import { makeBanks } from '../../src/adapters/rails/registry.ts';
import { makeSystemEntropy } from '../../src/adapters/system.ts';
import type { SettlementDeps } from '../../src/app/engine/deps.ts';
import { makeWalletLocks } from '../../src/app/engine/wallet-locks.ts';
import {
  makeTreasuryGuard,
  type TreasuryGuard,
  type TreasuryGuardDeps,
} from '../../src/app/treasury/guard-treasury.ts';
import { readShortage } from '../../src/app/treasury/read-treasuries.ts';
import { readConfig } from '../../src/config.ts';
import type { BankDirectory } from '../../src/domain/catalogue/banks.ts';
import type { Policy } from '../../src/domain/settlement/policy.ts';
import type { CatalogueSnapshot } from '../../src/ports/catalogue.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Network } from '../../src/ports/networks/network.ts';
import type { PayingRail, Rail, ReportingRail } from '../../src/ports/rails/rail.ts';
import type { RailPayouts } from '../../src/ports/rails/rail-payouts.ts';
import type { RailStatement } from '../../src/ports/rails/rail-statement.ts';
import type { Screening } from '../../src/ports/screening.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { TreasuryWatch } from '../../src/ports/treasury.ts';
import {
  type FeedSpec,
  type HandOver,
  makeSettlementFeeds,
  makeSettlementStages,
  type StageItems,
  type StageName,
  type StageSpec,
  type StageSpecs,
} from '../../src/workers/settlement-stages.ts';

export interface Outside {
  readonly bank?: Partial<RailPayouts & { readonly statement: RailStatement['read'] }>;
  /** All rails of test mode. They replace the simulated bank. */
  readonly rails?: (real: Rail) => readonly Rail[];
  readonly network?: (real: SimulatedNetwork) => Partial<Network>;
  readonly store?: (real: Store) => Partial<Store>;
  readonly screening?: Screening;
  /** Replaces the shortage check, for books that were funded with more money than a real chain has. */
  readonly shortageOf?: TreasuryGuardDeps['shortageOf'];
}

export interface Trouble {
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface SettlementProcess {
  readonly deps: SettlementDeps;
  readonly guard: TreasuryGuard;
  readonly treasuryWatch: TreasuryWatch;
  readonly troubles: Trouble[];
  /** The simulated bank, or a scripted bank if the test sets one. */
  readonly rail: PayingRail & ReportingRail;
  /** Does all work that is due now, and the work that follows from it. Returns whether there was any. */
  run(): Promise<boolean>;
}

const LEASE_MS = 15_000;
const LIMIT = 50;
const MAX_TURNS = 100;

export function openProcess(parts: {
  readonly database: Database;
  readonly clock: Clock;
  readonly bank: PayingRail & ReportingRail;
  readonly networks: readonly SimulatedNetwork[];
  readonly directory: BankDirectory;
  readonly policy: Partial<Policy>;
  readonly outside: Outside;
}): SettlementProcess {
  const { database, clock, outside } = parts;
  const real = makePostgresStore(database);
  const entropy = makeSystemEntropy();
  const { statement = parts.bank.statement.read, ...payouts } = outside.bank ?? {};
  const bank: PayingRail & ReportingRail = {
    ...parts.bank,
    payouts: { ...parts.bank.payouts, ...payouts },
    statement: { read: statement },
  };
  const networks = parts.networks.map((each) => ({ ...each, ...outside.network?.(each) }));
  const { policies } = readConfig({});
  const troubles: Trouble[] = [];
  let snapshot: CatalogueSnapshot | undefined;
  const onTrouble = (message: string, detail: Trouble['detail']) => troubles.push({ message, detail });
  const treasuryWatch = makeTreasuryWatch(database);
  const ledgerAudit = makeLedgerAudit(database);
  const shortageOf: TreasuryGuardDeps['shortageOf'] =
    outside.shortageOf ?? ((mode, network) => readShortage({ ...deps, ledgerAudit }, mode, network));
  const guard = makeTreasuryGuard({ treasuryWatch, clock, shortageOf, onTrouble });
  const deps: SettlementDeps = {
    store: { ...real, ...outside.store?.(real) },
    clock,
    entropy,
    networks: makeNetworks({ live: [], test: networks }),
    banks: makeBanks({ live: [], test: outside.rails?.(bank) ?? [bank] }),
    directory: parts.directory,
    railEvents: makeEventQueue(database),
    bankCharges: readBankCharges(null),
    screening: outside.screening ?? { screen: async () => [] },
    catalogue: () => snapshot!,
    moving: () => snapshot?.movementsPaused === false,
    policies: { ...policies, test: { ...policies.test, ...parts.policy } },
    leaseMs: LEASE_MS,
    holder: `process ${Buffer.from(entropy.bytes(6)).toString('hex')}`,
    turns: makeWalletLocks(),
    guard,
    onTrouble,
  };
  const readChanged = catalogueOf(database);
  const [feeds, stages, handed] = [makeSettlementFeeds(deps), makeSettlementStages(deps), nothingHanded()];
  return {
    deps,
    guard,
    treasuryWatch,
    troubles,
    rail: bank,
    run: async () => {
      snapshot = await readChanged();
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        if (!(await runOnce(deps, feeds, stages, handed))) return turn > 0;
        snapshot = await readChanged();
      }
      throw new Error('there is always something due');
    },
  };
}

let rowsQuery: string | undefined;

/** Reads the catalogue again only if its tables have changed. One query checks this, instead of a dozen. */
function catalogueOf(database: Database): () => Promise<CatalogueSnapshot> {
  let known: { readonly rows: string; readonly snapshot: CatalogueSnapshot } | undefined;
  return async () => {
    rowsQuery ??= await makeRowsQuery(database);
    const { rows: found } = await database.query<{ rows: string }>({ name: 'rows', text: rowsQuery });
    const { rows } = found[0]!;
    if (known?.rows !== rows) known = { rows, snapshot: await readSnapshot(database, 1) };
    return known.snapshot;
  };
}

/**
 * Makes a query about the tables whose changes notify the service. It returns their numbers of rows, and the transactions that
 * wrote the rows.
 */
async function makeRowsQuery(database: Database): Promise<string> {
  const text = `select tgrelid::regclass::text as name from pg_trigger where tgname = 'catalogue_changed' order by 1`;
  const { rows: tables } = await database.query<{ name: string }>({ text });
  const looks = tables.map(
    ({ name }) => `(select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from ${name})`,
  );
  return `select concat_ws(', ', ${looks.join(', ')}) as rows`;
}

type Handed = {
  readonly [Name in StageName]: { readonly items: readonly StageItems[Name][]; readonly atMs: number }[];
};

function nothingHanded(): Handed {
  return { match: [], confirm: [], notices: [], reports: [], expire: [], send: [], pay: [], follow: [] };
}

/**
 * Returns whether there was any work. `handed`: the work that this process has handed to its own stages, with the times from
 * which it is due.
 */
async function runOnce(
  deps: SettlementDeps,
  feeds: readonly FeedSpec[],
  stages: StageSpecs,
  handed: Handed,
): Promise<boolean> {
  let done = 0;
  const failures: unknown[] = [];
  const handOn = (handOvers: readonly HandOver[]) => {
    for (const { to, items, atMs = 0 } of handOvers)
      if (items.length > 0) handed[to].push({ items: items as readonly never[], atMs });
  };
  // A failing stage does not stop the other stages. The run fails at its end.
  const work = async <Name extends StageName>(name: Name, items: readonly StageItems[Name][]) => {
    done += items.length;
    const stage = stages[name] as StageSpec<StageItems[Name]>;
    if (items.length > 0) await stage.work(items).then(handOn, (error: unknown) => failures.push(error));
  };
  const take = <Name extends StageName>(name: Name): StageItems[Name][] => {
    const own: { readonly items: readonly StageItems[Name][]; readonly atMs: number }[] = handed[name];
    const due = own.filter(({ atMs }) => atMs <= deps.clock.now());
    own.splice(0, own.length, ...own.filter(({ atMs }) => atMs > deps.clock.now()));
    return due.flatMap(({ items }) => items);
  };
  for (const feed of feeds) {
    const { lines, handOvers } = await feed.read();
    done += lines ?? 0;
    handOn(handOvers);
  }
  for (const name of ['match', 'notices', 'confirm', 'expire'] as const) {
    await work(name, take(name));
    await work(name, await stages[name].lease(LIMIT));
  }
  if (failures.length > 0) throw failures[0];
  if (!deps.moving()) return done > 0;
  for (const name of ['send', 'pay'] as const) {
    await work(name, take(name));
    await work(name, await stages[name].lease(LIMIT));
  }
  const [own, claimed] = [take('follow'), await stages.follow.lease(LIMIT)];
  await work('follow', [...new Map([...own, ...claimed].map((each) => [each.movement.id, each])).values()]);
  if (failures.length > 0) throw failures[0];
  return done > 0;
}
