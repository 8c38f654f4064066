// Holds what a simulated process has in memory: the stages and feeds of settlement, as the service runs them, and the work
// handed to them. The process loses all of it when it dies.
import { readBankCharges } from '../../../src/adapters/catalogue/bank-charges.ts';
import { makeNetworks } from '../../../src/adapters/networks/registry.ts';
import { makeBanks } from '../../../src/adapters/rails/registry.ts';
import type { SettlementDeps } from '../../../src/app/engine/deps.ts';
import { makeWalletLocks } from '../../../src/app/engine/wallet-locks.ts';
import type { CheckRailsDeps } from '../../../src/app/rails/check-rails.ts';
import { makeTreasuryGuard } from '../../../src/app/treasury/guard-treasury.ts';
import type { QuoteStore } from '../../../src/ports/quotes.ts';
import type { Rail } from '../../../src/ports/rails/rail.ts';
import type { Screening } from '../../../src/ports/screening.ts';
import {
  type FeedSpec,
  makeSettlementFeeds,
  makeSettlementStages,
  type StageName,
  type StageSpecs,
} from '../../../src/workers/settlement-stages.ts';
import type { Dice } from '../../support/dice.ts';
import type { Company } from '../people/company.ts';
import type { Gate } from './gate.ts';
import {
  type Asking,
  gated,
  gatedBank,
  gatedNetwork,
  gatedQuotes,
  gatedStore,
  READS,
  WRITES,
} from './ports.ts';
import type { Setting } from './setting.ts';

export const LEASE_MS = 15_000;

export interface GatedPorts extends Pick<SettlementDeps, 'store' | 'clock' | 'entropy' | 'networks'> {
  readonly rails: readonly Rail[];
  readonly railDesk: CheckRailsDeps['railDesk'];
  readonly quotes: QuoteStore;
}

export function gatePorts(
  { model, outside, railDesk }: Setting,
  gate: Gate,
  asking: Asking,
  own: Pick<SettlementDeps, 'clock' | 'entropy'>,
): GatedPorts {
  const networks = outside.networks.map((network) => gatedNetwork(gate, network, asking));
  return {
    ...own,
    store: gatedStore(gate, model.core, asking),
    quotes: gatedQuotes(gate, model.quoteCore, asking),
    networks: makeNetworks({ live: [], test: networks }),
    railDesk: gated(gate, railDesk, asking, (call) => (call === 'figures' ? READS : WRITES)),
    rails: outside.rails.map((rail) => gatedBank(gate, rail, asking)),
  };
}

export interface Mind {
  readonly deps: SettlementDeps;
  readonly stages: StageSpecs;
  readonly feeds: readonly FeedSpec[];
  readonly offered: Map<StageName, unknown[]>;
  readonly batch: number;
}

const BANK_CHARGES = readBankCharges(null);

export function makeMind(
  setting: Setting,
  { rails, railDesk: _, ...ports }: GatedPorts,
  { name, life, dice }: { readonly name: string; readonly life: number; readonly dice: Dice },
): Mind {
  const { company, tale } = setting;
  const onTrouble: SettlementDeps['onTrouble'] = (message, detail) => {
    if (tale.wanted) tale.line(name, `trouble: ${message} ${JSON.stringify(detail)}`);
  };
  const deps: SettlementDeps = {
    ...ports,
    banks: makeBanks({ live: [], test: rails }),
    directory: setting.directory,
    bankCharges: BANK_CHARGES,
    screening: screeningOf(company),
    catalogue: setting.catalogue,
    moving: () => !setting.catalogue().movementsPaused,
    policies: { live: company.policy, test: company.policy },
    leaseMs: LEASE_MS,
    holder: `${name}.${life}`,
    turns: makeWalletLocks(),
    guard: makeTreasuryGuard({
      treasuryWatch: setting.treasuryWatch,
      clock: ports.clock,
      shortageOf: async () => 0n,
      onTrouble,
    }),
    onTrouble,
  };
  return {
    deps,
    stages: makeSettlementStages(deps),
    feeds: makeSettlementFeeds(deps),
    offered: new Map(),
    batch: dice.pick([1, 3, 20, 50]),
  };
}

function screeningOf({ listedAccounts, listedWallets }: Company): Screening {
  return {
    isEmpty: () => listedAccounts.size === 0,
    screen: async (subjects) =>
      subjects
        .filter(
          ({ kind, value }) =>
            (kind === 'account' && listedAccounts.has(value)) ||
            (kind === 'wallet' && listedWallets.has(value)),
        )
        .map((subject) => ({ ...subject, entry: subject.value, reason: 'listed' })),
  };
}
