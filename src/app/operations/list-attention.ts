// Lists the items of one mode that need a person, the most urgent first: blocked money, open decisions, and money that will be
// blocked soon. The list decides nothing itself. Each item comes from the rule that stops or holds the money.
import type { Mode } from '../../domain/values/mode.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { BackOffice } from '../../ports/back-office.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LedgerAudit } from '../../ports/ledger.ts';
import type { ClaimLimits } from '../../ports/matching.ts';
import type { Guards } from '../../ports/operations/guards.ts';
import type { OperationsStore } from '../../ports/operations/operations-store.ts';
import type { ReviewStore } from '../../ports/review-store.ts';
import type { SettingStore } from '../../ports/setting-store.ts';
import { describeHalt } from '../ledger/browse-ledger.ts';
import { makeNetworksReader, type NetworksReading } from '../networks/read-networks.ts';
import type { ReadRailEventsDeps } from '../rails/read-rail-events.ts';
import type { ReadRailsDeps } from '../rails/read-rails.ts';
import type { TreasuryDeps } from '../treasury/read-treasuries.ts';
import {
  listGuardAttention,
  listRateAttention,
  listSilentVendorAttention,
  type RateAttentionDeps,
  type SilentVendorAttentionDeps,
} from './attention-items.ts';
import { type AttentionPage, type Severity, WAITING_WORDS } from './attention-words.ts';
import { listRailAttention } from './rail-attention.ts';

/** If money has been in progress for this long, a person must check it. */
const STUCK_FOR_MS = 15 * 60_000;

export interface AttentionItem {
  readonly kind: string;
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  /** The number of records, or null for a single item. */
  readonly count: number | null;
  readonly sinceMs: number | null;
  readonly amountMinor: bigint | null;
  readonly page: AttentionPage;
  readonly tab: string | null;
}

export interface AttentionDeps
  extends TreasuryDeps,
    RateAttentionDeps,
    ReadRailEventsDeps,
    SilentVendorAttentionDeps,
    Omit<ReadRailsDeps, 'store'> {
  readonly store: TreasuryDeps['store'] & ReadRailsDeps['store'];
  readonly operations: OperationsStore;
  readonly reviewDesk: Pick<ReviewStore, 'listOpenProposals'>;
  readonly settingDesk: Pick<SettingStore, 'listOpenProposals'>;
  readonly backOffice: Pick<BackOffice, 'movementsPaused' | 'lastPause'>;
  readonly ledgerAudit: TreasuryDeps['ledgerAudit'] & Pick<LedgerAudit, 'listHalts'>;
  readonly clock: Clock;
  readonly guards: Pick<Guards, 'blind'>;
  readonly claimLimits: Pick<ClaimLimits, 'nearLimit'>;
}

export type ReadAttention = (asked: {
  readonly mode: Mode;
  /** The reader of the list. A proposal that this person made waits for other people. */
  readonly actor: string;
}) => Promise<readonly AttentionItem[]>;

/** The service queries the networks at most every few seconds, even if many pages are open. */
export function makeReadAttention(deps: AttentionDeps): ReadAttention {
  const readOutside = makeNetworksReader(deps);
  return async ({ mode, actor }) => {
    const [stops, networks, rates, rails, waiting, proposals, silent, claims, rest] = await Promise.all([
      listStopItems(deps, mode),
      readOutside(),
      listRateAttention(deps, mode),
      listRailAttention(deps, mode),
      listWaitingItems(deps, mode),
      listProposalItems(deps, mode, actor),
      listSilentVendorAttention(deps, mode),
      listUnmatchedClaimItems(deps, mode),
      listSetUpItems(deps, mode),
    ]);
    const ofRates = rates.map((line): AttentionItem => ({ ...SINGLE_ITEM, ...line, page: 'rates' }));
    const guardsBlind = listGuardAttention(deps, mode).map(
      (line): AttentionItem => ({ ...SINGLE_ITEM, ...line, page: 'stops' }),
    );
    const ofRails = rails.map((line): AttentionItem => ({ ...SINGLE_ITEM, ...line, page: 'rails' }));
    const ofVendors = silent.map((line): AttentionItem => ({ ...SINGLE_ITEM, ...line, page: 'vendors' }));
    const outside = [...listNetworkItems(networks, mode), ...ofRails, ...ofVendors, ...ofRates];
    const all = [...guardsBlind, ...stops, ...outside, ...proposals, ...waiting, ...claims, ...rest];
    return all.toSorted((a, b) => SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity));
  };
}

const SEVERITY_ORDER: readonly Severity[] = ['critical', 'warning', 'notice'];
const SINGLE_ITEM = { count: null, sinceMs: null, amountMinor: null, tab: null } as const;

async function listStopItems(
  { backOffice, ledgerAudit, networks }: AttentionDeps,
  mode: Mode,
): Promise<readonly AttentionItem[]> {
  const halts = (await ledgerAudit.listHalts()).filter((halt) => halt.mode === mode);
  const halted = halts.map((halt): AttentionItem => {
    const title = `${halt.asset} is halted: none of it is sent`;
    const what = describeHalt(networks, halt);
    return {
      ...SINGLE_ITEM,
      kind: 'halt',
      severity: 'critical',
      title,
      what,
      sinceMs: halt.atMs,
      page: 'stops',
    };
  });
  if (!(await backOffice.movementsPaused())) return halted;
  const last = await backOffice.lastPause();
  const what = last === undefined || last.reason === '' ? 'No reason was given.' : last.reason;
  return [
    {
      ...{ ...SINGLE_ITEM, kind: 'pause', severity: 'critical', title: 'Money movements are paused', what },
      ...{ sinceMs: last?.atMs ?? null, page: 'stops' },
    },
    ...halted,
  ];
}

function listNetworkItems(
  { providers, treasuries, disabled }: NetworksReading,
  mode: Mode,
): readonly AttentionItem[] {
  const line = (kind: string, severity: Severity, title: string, what: string): AttentionItem => ({
    ...{ ...SINGLE_ITEM, kind, severity, title, what, page: 'treasury' },
  });
  return [
    ...disabled
      .filter((each) => each.mode === mode)
      .map(({ name, problem }) => line('network', 'critical', `${name} is disabled`, problem)),
    ...providers
      .filter((each) => each.mode === mode && each.missing > 0)
      .map(({ network, answering, providers: all }) =>
        line(
          'providers',
          answering === 0 ? 'critical' : 'warning',
          `${network}: ${answering} of ${all.length} providers answer`,
          all.find(({ problem }) => problem !== null)?.problem ?? '',
        ),
      ),
    ...treasuries
      .filter((each) => each.mode === mode)
      .flatMap((each) => {
        if ('problem' in each)
          return [line('treasury', 'warning', `Cannot read the treasury on ${each.network}`, each.problem)];
        const { network, low, asset, chain } = each;
        return low.map((which) => {
          const code = which === 'token' ? asset.code : chain.native.asset;
          const what = 'It is below its low-water mark: top it up.';
          return line('treasury_low', 'warning', `The treasury on ${network} is low on ${code}`, what);
        });
      }),
  ];
}

async function listWaitingItems(
  { operations, clock }: AttentionDeps,
  mode: Mode,
): Promise<readonly AttentionItem[]> {
  const sums = await operations.waiting(mode, clock.now(), STUCK_FOR_MS);
  const kinds = Object.keys(WAITING_WORDS);
  return sums
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .map(({ kind, count, totalMinor, sinceMs }) => ({
      ...WAITING_WORDS[kind],
      ...{ kind, count, sinceMs, amountMinor: totalMinor },
    }));
}

async function listProposalItems(
  { reviewDesk, settingDesk }: AttentionDeps,
  mode: Mode,
  actor: string,
): Promise<readonly AttentionItem[]> {
  const reviews = await reviewDesk.listOpenProposals(mode);
  const all = [...reviews, ...(await settingDesk.listOpenProposals(mode))];
  const line = (kind: string, title: string, own: boolean): readonly AttentionItem[] => {
    const found = all.filter(({ proposedBy }) => (proposedBy === actor) === own);
    if (found.length === 0) return [];
    const ids = new Set(found.map(({ id }) => id));
    const amounts = reviews.filter(({ id }) => ids.has(id)).map(({ amountMinor }) => amountMinor);
    const sumMinor = amounts.reduce((sum, each) => sum + each, 0n);
    return [
      {
        ...{ kind, severity: own ? 'notice' : 'warning', title, page: 'proposals', tab: null },
        what: own ? 'Another person must decide.' : describeProposals(sumMinor),
        count: found.length,
        sinceMs: Math.min(...found.map(({ proposedAtMs }) => proposedAtMs)),
        amountMinor: amounts.length === 0 ? null : sumMinor,
      },
    ];
  };
  return [
    ...line('proposals', 'Proposals awaiting a second person', false),
    ...line('own_proposals', 'Your proposals', true),
  ];
}

function describeProposals(sumMinor: bigint): string {
  return sumMinor === 0n ? 'They change settings.' : `Total amount: ${formatNaira(sumMinor)}.`;
}

async function listUnmatchedClaimItems(
  { claimLimits, clock }: AttentionDeps,
  mode: Mode,
): Promise<readonly AttentionItem[]> {
  const near = await claimLimits.nearLimit(mode, clock.now());
  return near.map(({ businessId, count }) => ({
    ...{ ...SINGLE_ITEM, kind: 'unmatched_claims', severity: 'warning', page: 'businesses', count },
    title: `Unpaid buys of ${businessId}`,
    what: 'At the limit, new buys of the business are refused. Ask the business why its buys are not paid.',
  }));
}

async function listSetUpItems({ operations }: AttentionDeps, mode: Mode): Promise<readonly AttentionItem[]> {
  const { count, sinceMs } = await operations.waitingSignUps();
  const signUps: AttentionItem = {
    ...{
      ...SINGLE_ITEM,
      kind: 'sign_ups',
      severity: 'warning',
      title: 'Businesses that signed up',
      page: 'people',
    },
    ...{ what: 'They wait for approval.', count, sinceMs },
  };
  const vendors: AttentionItem = {
    ...{ ...SINGLE_ITEM, kind: 'vendors', severity: 'critical', page: 'vendors' },
    title: 'No vendor account is enabled',
    what: 'No buy can be accepted: customers have no account to pay into.',
  };
  const noVendor = (await operations.activeVendors(mode)) === 0;
  return [...(noVendor ? [vendors] : []), ...(count > 0 ? [signUps] : [])];
}
