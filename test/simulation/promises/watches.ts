// Combines all promises that the simulation checks while a seed runs. The watches see every commit, every payment of the
// outside world, and each restore from a backup.
import { limitFor } from '../../../src/domain/catalogue/limits.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Tables } from '../model/tables.ts';
import { type Company, MODE } from '../people/company.ts';
import type { Agenda } from '../world/agenda.ts';
import type { Outside, Witness } from '../world/outside.ts';
import type { RailMemory } from '../world/rails/desk.ts';
import { SETTLED_MS } from '../world/restore.ts';
import type { Restore, Setting } from '../world/setting.ts';
import { makeDecisionWatch } from './decisions.ts';
import { makeLimitWatch } from './limits.ts';
import { makePayeeWatch } from './payees.ts';
import { makeRailWatch } from './rails.ts';
import { makeStandstillWatch, type Standstill, type StandstillWatch } from './standstill.ts';
import { makeWatch, type Watch } from './watch.ts';
import { makeWithdrawalWatch } from './withdrawals.ts';

export interface Watches {
  readonly money: Watch;
  readonly standstill: StandstillWatch;
  readonly witness: Witness;
  applied(change: Change): void;
  restored(): void;
}

export interface WatchesOf {
  readonly agenda: Agenda;
  readonly company: Company;
  readonly still: Standstill;
  readonly restore: Restore;
  readonly tables: () => Tables;
  readonly outside: () => Outside;
  readonly rails: () => RailMemory;
  readonly broken: Setting['broken'];
}

export function makeWatches({
  agenda,
  company,
  still,
  restore,
  tables,
  outside,
  rails,
  broken,
}: WatchesOf): Watches {
  const decimalsOf = (network: string) =>
    outside().networks.find(({ name }) => name === network)!.asset.decimals;
  const common = { tables, happened: () => outside().happened, now: agenda.now, broken };
  const unitOf = remembering((network) => 10n ** BigInt(decimalsOf(network) - 2));
  const money = makeWatch({
    ...common,
    kobo: (network, tokens) => tokens / unitOf(network),
    isRestored: () => restore.atMs !== null && agenda.now() < restore.atMs + SETTLED_MS,
  });
  const limits = makeLimitWatch({
    tables,
    limitOf: (businessId) => limitFor(company.limits, { businessId, mode: MODE }).perDayMinor,
    broken,
  });
  const payees = makePayeeWatch({
    ...common,
    listedAccounts: company.listedAccounts,
    listedWallets: company.listedWallets,
    payerOf: (sourceId) => outside().payers.get(sourceId.split('#')[0]!),
    scenarioOf: (transactionId) => outside().scenarioOf(transactionId),
  });
  const takenOut = makeWithdrawalWatch({ tables, broken });
  const decisions = makeDecisionWatch({ tables, broken });
  const isRestored = () => restore.atMs !== null && agenda.now() < restore.atMs + SETTLED_MS;
  const routed = makeRailWatch({ ...common, rails, isRestored, banks: () => outside().rails });
  return {
    money,
    standstill: makeStandstillWatch(still, rails, tables, broken),
    witness: {
      ...money,
      payout: (row) => {
        money.payout(row);
        payees.payout(row);
      },
      transfer: (row) => {
        money.transfer(row);
        payees.transfer(row);
      },
    },
    applied: (change) => {
      money.applied(change);
      limits(change);
      decisions.applied(change);
      payees.applied(change);
      takenOut(change);
      routed.applied(change);
      if (change.freeze === undefined) return;
      const name = `${change.freeze.businessId} ${change.freeze.mode}`;
      still.freezes.set(name, still.freezes.get(name) ?? agenda.now());
    },
    restored: () => {
      money.restored();
      decisions.restored();
      routed.restored();
    },
  };
}

function remembering(make: (name: string) => bigint): (name: string) => bigint {
  const known = new Map<string, bigint>();
  return (name) => {
    const value = known.get(name) ?? make(name);
    known.set(name, value);
    return value;
  };
}
