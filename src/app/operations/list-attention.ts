// What needs a person in one mode, the worst first: what stands still, what waits for a decision, and what will stand still
// soon. It reads and judges nothing anew: every line is found by the rule that stops or holds the money.
import type { Mode } from '../../domain/values/mode.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { BackOffice } from '../../ports/back-office.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LedgerAudit } from '../../ports/ledger.ts';
import type { ClaimLimits } from '../../ports/matching.ts';
import type { Guards } from '../../ports/operations/guards.ts';
import type { OperationsDesk } from '../../ports/operations/operations-desk.ts';
import type { ReviewDesk } from '../../ports/review-desk.ts';
import type { SettingDesk } from '../../ports/setting-desk.ts';
import { haltReason } from '../ledger/halt-reason.ts';
import type { ReadRailsDeps } from '../rails/read-rails.ts';
import type { WatchEventsDeps } from '../rails/watch-events.ts';
import type { TreasuryDeps } from '../treasury/read-treasuries.ts';
import { type AttentionPage, type Severity, WAITING_WORDS } from './attention-words.ts';
import { guardAttention } from './guard-attention.ts';
import { makeOutsideReading, type OutsideReading } from './outside-reading.ts';
import { railAttention } from './rail-attention.ts';
import { type RateAttentionDeps, rateAttention } from './rate-attention.ts';
import { type SilentVendorAttentionDeps, silentVendorAttention } from './silent-vendor-attention.ts';

/** The age from which a person must look at money in progress. */
const STUCK_FOR_MS = 15 * 60_000;

export interface Attention {
  readonly kind: string;
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  /** The number of records; null: it is a single matter. */
  readonly count: number | null;
  readonly sinceMs: number | null;
  readonly amountMinor: bigint | null;
  readonly page: AttentionPage;
  readonly tab: string | null;
}

export interface AttentionDeps
  extends TreasuryDeps,
    RateAttentionDeps,
    WatchEventsDeps,
    SilentVendorAttentionDeps,
    Omit<ReadRailsDeps, 'store'> {
  readonly store: TreasuryDeps['store'] & ReadRailsDeps['store'];
  readonly operations: OperationsDesk;
  readonly reviewDesk: Pick<ReviewDesk, 'listOpenProposals'>;
  readonly settingDesk: Pick<SettingDesk, 'listOpenProposals'>;
  readonly backOffice: Pick<BackOffice, 'movementsPaused' | 'lastPause'>;
  readonly ledgerAudit: TreasuryDeps['ledgerAudit'] & Pick<LedgerAudit, 'listHalts'>;
  readonly clock: Clock;
  readonly guards: Pick<Guards, 'blind'>;
  readonly claimLimits: Pick<ClaimLimits, 'nearLimit'>;
}

export type ReadAttention = (asked: {
  readonly mode: Mode;
  /** The person who asks: a proposal of their own waits for others. */
  readonly actor: string;
}) => Promise<readonly Attention[]>;

/** Networks are asked at most every few seconds, however many pages are open. */
export function makeReadAttention(deps: AttentionDeps): ReadAttention {
  const readOutside = makeOutsideReading(deps);
  return async ({ mode, actor }) => {
    const [stops, networks, rates, rails, waiting, proposals, silent, claims, rest] = await Promise.all([
      stopped(deps, mode),
      readOutside(),
      rateAttention(deps, mode),
      railAttention(deps, mode),
      waitingOf(deps, mode),
      proposalsOf(deps, mode, actor),
      silentVendorAttention(deps, mode),
      unmatchedClaims(deps, mode),
      setUp(deps, mode),
    ]);
    const ofRates = rates.map((line): Attention => ({ ...ONE, ...line, page: 'rates' }));
    const guardsBlind = guardAttention(deps, mode).map(
      (line): Attention => ({ ...ONE, ...line, page: 'stops' }),
    );
    const ofRails = rails.map((line): Attention => ({ ...ONE, ...line, page: 'rails' }));
    const ofVendors = silent.map((line): Attention => ({ ...ONE, ...line, page: 'vendors' }));
    const outside = [...ofNetworks(networks, mode), ...ofRails, ...ofVendors, ...ofRates];
    const all = [...guardsBlind, ...stops, ...outside, ...proposals, ...waiting, ...claims, ...rest];
    return all.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  };
}

const ORDER: readonly Severity[] = ['critical', 'warning', 'notice'];
const ONE = { count: null, sinceMs: null, amountMinor: null, tab: null } as const;

async function stopped(
  { backOffice, ledgerAudit, networks }: AttentionDeps,
  mode: Mode,
): Promise<readonly Attention[]> {
  const halts = (await ledgerAudit.listHalts()).filter((halt) => halt.mode === mode);
  const halted = halts.map((halt): Attention => {
    const title = `${halt.asset} is halted: none of it is sent`;
    const what = haltReason(networks, halt);
    return { ...ONE, kind: 'halt', severity: 'critical', title, what, sinceMs: halt.atMs, page: 'stops' };
  });
  if (!(await backOffice.movementsPaused())) return halted;
  const last = await backOffice.lastPause();
  const what = last === undefined || last.reason === '' ? 'No reason was given.' : last.reason;
  return [
    {
      ...{ ...ONE, kind: 'pause', severity: 'critical', title: 'Money movements are paused', what },
      ...{ sinceMs: last?.atMs ?? null, page: 'stops' },
    },
    ...halted,
  ];
}

function ofNetworks({ providers, treasuries, disabled }: OutsideReading, mode: Mode): readonly Attention[] {
  const line = (kind: string, severity: Severity, title: string, what: string): Attention => ({
    ...{ ...ONE, kind, severity, title, what, page: 'treasury' },
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

async function waitingOf({ operations, clock }: AttentionDeps, mode: Mode): Promise<readonly Attention[]> {
  const sums = await operations.waiting(mode, clock.now(), STUCK_FOR_MS);
  const kinds = Object.keys(WAITING_WORDS);
  return sums
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .map(({ kind, count, totalMinor, sinceMs }) => ({
      ...WAITING_WORDS[kind],
      ...{ kind, count, sinceMs, amountMinor: totalMinor },
    }));
}

async function proposalsOf(
  { reviewDesk, settingDesk }: AttentionDeps,
  mode: Mode,
  actor: string,
): Promise<readonly Attention[]> {
  const reviews = await reviewDesk.listOpenProposals(mode);
  const all = [...reviews, ...(await settingDesk.listOpenProposals(mode))];
  const line = (kind: string, title: string, own: boolean): readonly Attention[] => {
    const found = all.filter(({ proposedBy }) => (proposedBy === actor) === own);
    if (found.length === 0) return [];
    const ids = new Set(found.map(({ id }) => id));
    const amounts = reviews.filter(({ id }) => ids.has(id)).map(({ amountMinor }) => amountMinor);
    const sumMinor = amounts.reduce((sum, each) => sum + each, 0n);
    return [
      {
        ...{ kind, severity: own ? 'notice' : 'warning', title, page: 'proposals', tab: null },
        what: own ? 'Another person must decide.' : aboutOf(sumMinor),
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

function aboutOf(sumMinor: bigint): string {
  return sumMinor === 0n ? 'They change settings.' : `Total amount: ${formatNaira(sumMinor)}.`;
}

async function unmatchedClaims(
  { claimLimits, clock }: AttentionDeps,
  mode: Mode,
): Promise<readonly Attention[]> {
  const near = await claimLimits.nearLimit(mode, clock.now());
  return near.map(({ businessId, count }) => ({
    ...{ ...ONE, kind: 'unmatched_claims', severity: 'warning', page: 'businesses', count },
    title: `Unpaid buys of ${businessId}`,
    what: 'At the limit its new buys are refused. Ask the business why its buys are not paid.',
  }));
}

async function setUp({ operations }: AttentionDeps, mode: Mode): Promise<readonly Attention[]> {
  const { count, sinceMs } = await operations.waitingSignUps();
  const signUps: Attention = {
    ...{ ...ONE, kind: 'sign_ups', severity: 'warning', title: 'Businesses that signed up', page: 'people' },
    ...{ what: 'They wait for approval.', count, sinceMs },
  };
  const vendors: Attention = {
    ...{ ...ONE, kind: 'vendors', severity: 'critical', page: 'vendors' },
    title: 'No vendor account is enabled',
    what: 'No buy can be accepted: customers have no account to pay into.',
  };
  const noVendor = (await operations.activeVendors(mode)) === 0;
  return [...(noVendor ? [vendors] : []), ...(count > 0 ? [signUps] : [])];
}
