// Sets up the participants of a simulated seed: three businesses with their keys, the vendors, fees and limits, and the
// operator's policies. They differ between seeds. The catalogue that the processes see reflects the ledger and the operator's
// changes.
import { SAMPLE_VENDORS } from '../../../src/adapters/simulation/samples.ts';
import type { BankDirectory } from '../../../src/domain/catalogue/banks.ts';
import { type FeeRule, feeSchedule } from '../../../src/domain/catalogue/fees.ts';
import type { LimitRule } from '../../../src/domain/catalogue/limits.ts';
import type { RailPause, RailSettings } from '../../../src/domain/rails/settings.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Policy } from '../../../src/domain/settlement/policy.ts';
import { NAIRA, tokenAsset } from '../../../src/domain/values/money.ts';
import type { ApiKey, CatalogueSnapshot, Vendor } from '../../../src/ports/catalogue.ts';
import type { Dice } from '../../support/dice.ts';
import { accountOf, NETWORKS, walletsOn } from '../world/places.ts';

export const MODE = 'test';
const RAILS = ['simulated', 'second'] as const;
/** The other mode is always fully stopped. This must not stop anything in the tested mode. */
const OTHER_MODE = 'live';
const OTHER_PAUSES: readonly RailPause[] = RAILS.map((rail) => ({
  ...{ mode: OTHER_MODE, rail, byHealth: false, actor: 'per_ada', reason: 'another mode', sinceMs: 0 },
}));
const MORNING_MS = Date.UTC(2026, 2, 2, 9);
/** In Lagos. */
const MIDNIGHT_MS = Date.UTC(2026, 2, 2, 23);

export interface Company {
  readonly startMs: number;
  readonly keys: readonly ApiKey[];
  readonly vendors: readonly Vendor[];
  readonly policy: Policy;
  /** How long the service waits for a payment or a deposit. */
  readonly expiryMs: number;
  readonly paceMs: number;
  readonly processes: number;
  /** The maximum time for which the service collects work into one batch. */
  readonly gatherMs: number;
  /** All customers begin within this time. */
  readonly spanMs: number;
  readonly troublePercent: number;
  /** The percentage of payouts for which the unreliable rail contradicts itself. */
  readonly brokenPercent: number;
  /** The maximum number of payments that share signed bytes. */
  readonly batch: number;
  /** Whether the payments of a treasury must be made in order. */
  readonly ordered: boolean;
  /** The service must not pay these people's accounts without a review. */
  readonly listedAccounts: ReadonlySet<string>;
  /**
   * The service must not pay these wallets without a review. In the seeds that have a list, there is one wallet on each
   * network.
   */
  readonly listedWallets: ReadonlySet<string>;
  /** Maps each wallet that cannot receive the token at first to the time from which it can. */
  readonly unreadyUntilMs: ReadonlyMap<string, number>;
  readonly limits: readonly LimitRule[];
  /** The key of `frozen` is the business and the mode, as in the store. */
  catalogue(now: {
    readonly frozen: ReadonlyMap<string, { readonly businessId: string; readonly mode: string }>;
    readonly paused: boolean;
    /** By asset. */
    readonly halts: ReadonlyMap<string, unknown>;
    readonly rails: Omit<RailSettings, 'doubts'> & { readonly generation: number };
    readonly doubts: ReadonlyMap<string, NonNullable<Change['doubt']>>;
  }): CatalogueSnapshot;
}

const BUSINESSES = 3;

export function drawCompany(dice: Dice, directory: BankDirectory): Company {
  const atMidnight = dice.percent(30);
  const startMs = atMidnight ? MIDNIGHT_MS - dice.between(2_000, 120_000) : MORNING_MS;
  const keys = makeKeys();
  const vendors = SAMPLE_VENDORS.map(
    (vendor, index): Vendor => ({
      ...vendor,
      id: `vnd_${index + 1}`,
      mode: MODE,
      bankCode: directory.resolve(vendor.bank)!.code,
    }),
  );
  const fees = drawFees(dice, startMs);
  const limits = drawLimits(dice, atMidnight ? 60 : 20);
  const snapshots = new Map<string, CatalogueSnapshot>();
  return withListedWallets({
    startMs,
    keys,
    vendors,
    policy: drawPolicy(dice),
    expiryMs: dice.between(20, 180) * 1_000,
    paceMs: dice.pick([50, 300, 300, 1_500]),
    processes: dice.pick([1, 2, 3, 3]),
    gatherMs: dice.pick([20, 300, 1_000]),
    spanMs: dice.pick([5_000, 20_000, 60_000]),
    troublePercent: dice.pick([0, 5, 10, 25]),
    brokenPercent: dice.pick([0, 10, 30]),
    batch: dice.pick([1, 3, 20]),
    ordered: dice.percent(50),
    listedAccounts: new Set(dice.percent(20) ? [accountOf(3)] : []),
    unreadyUntilMs: drawUnready(dice, startMs),
    limits,
    catalogue: ({ frozen, paused, halts, rails, doubts }) => {
      const usual = frozen.size === 0 && halts.size === 0;
      const stopped = usual ? '' : `${[...frozen.keys()].join()} ${[...halts.keys()].join()}`;
      const name = `${paused} ${rails.generation} ${[...doubts.keys()].join()} ${stopped}`;
      const known = snapshots.get(name);
      if (known !== undefined) return known;
      const snapshot: CatalogueSnapshot = {
        generation: snapshots.size + 1,
        keysByHash: new Map(keys.map((key) => [key.id, key])),
        vendors: { test: vendors, live: [] },
        vendorAccounts: { test: vendors.map((each) => ({ ...each, active: true })), live: [] },
        vendorsUpdatedAtMs: { test: startMs, live: startMs },
        fees: { test: feeSchedule(fees), live: feeSchedule([]) },
        limits,
        movementsPaused: paused,
        frozen: new Set([
          ...Array.from(frozen.values(), ({ businessId, mode }) => `${businessId} ${mode}`),
          ...keys.map(({ business }) => `${business.id} ${OTHER_MODE}`),
        ]),
        rails: {
          ...{ routes: rails.routes, caps: rails.caps, pauses: [...rails.pauses, ...OTHER_PAUSES] },
          doubts: Array.from(doubts.values(), ({ atMs, ...doubt }) => ({ ...doubt, sinceMs: atMs })),
        },
        halts: new Set([
          ...Array.from(halts.keys(), (asset) => `${MODE} ${asset}`),
          ...[NAIRA, ...NETWORKS.map((network) => tokenAsset('NGNC', network))].map(
            (asset) => `${OTHER_MODE} ${asset}`,
          ),
        ]),
      };
      snapshots.set(name, snapshot);
      return snapshot;
    },
  });
}

function makeKeys(): readonly ApiKey[] {
  return Array.from({ length: BUSINESSES }, (_, index): ApiKey => {
    const id = `biz_${index + 1}`;
    const business = {
      id,
      name: `Business ${index + 1}`,
      linkTag: `business-${index + 1}`,
      tier: 'standard',
      defaultWallets: {},
    };
    return { id: `key_${index + 1}`, mode: MODE, scope: 'full', business, expiresAtMs: null };
  });
}

function withListedWallets(company: Omit<Company, 'listedWallets'>): Company {
  const networks = company.listedAccounts.size === 0 ? [] : NETWORKS;
  return { ...company, listedWallets: new Set(networks.map((network) => walletsOn(network)[2]!)) };
}

function drawPolicy(dice: Dice): Policy {
  return {
    matchWindowMs: dice.pick([10, 20]) * 60_000,
    matchGraceMs: dice.pick([0, 1_000, 10_000]),
    reportGraceMs: 5_000,
    partialCredit: dice.pick(['hold', 'refund'] as const),
    overCredit: dice.pick(['refund_excess', 'hold'] as const),
    lateCredit: dice.pick(['complete', 'refund'] as const),
    depositGraceMs: dice.pick([1_000, 10_000]),
    shortDeposit: dice.pick(['hold', 'refund'] as const),
    lateDeposit: dice.pick(['refund', 'complete', 'hold'] as const),
    freezeOnReversal: dice.percent(50),
  };
}

/** Chooses wallets on networks where the owner must first open a wallet for the token. */
function drawUnready(dice: Dice, startMs: number): ReadonlyMap<string, number> {
  const until = new Map<string, number>();
  for (const wallet of walletsOn('Stellar'))
    if (dice.percent(70)) until.set(wallet, startMs + dice.between(20_000, 240_000));
  return until;
}

function drawFees(dice: Dice, startMs: number): readonly FeeRule[] {
  const rule = (businessId: string | null, product: 'buy' | 'sell', fromMs: number): FeeRule => ({
    businessId,
    product,
    flatMinor: BigInt(dice.pick([0, 0, 5_000, 12_345])),
    feeBps: dice.pick([0, 25, 33, 150]),
    capMinor: dice.percent(50) ? 200_000n : null,
    fromMs,
  });
  const rules = (fromMs: number) => [
    rule(null, 'buy', fromMs),
    rule(null, 'sell', fromMs),
    rule('biz_2', 'buy', fromMs),
  ];
  const first = dice.percent(70) ? rules(startMs - 1) : [];
  return dice.percent(30) ? [...first, ...rules(startMs + dice.below(60_000))] : first;
}

function drawLimits(dice: Dice, share: number): readonly LimitRule[] {
  if (!dice.percent(share)) return [];
  const perDayMinor = BigInt(dice.between(5, 40)) * 10_000_00n;
  return [{ businessId: 'biz_1', mode: MODE, perTransactionMinor: null, perDayMinor, perMonthMinor: null }];
}
