// Contains the stages of settlement without their timers: what each stage leases from its queue, what it does, and which stage
// receives its result. The caller decides when the stages run: the service uses a real clock, the simulation a simulated clock.
import type { SettlementDeps } from '../app/engine/deps.ts';
import { bankLeaseMs, makeLeaseRequest, networkLeaseMs } from '../app/engine/leases.ts';
import { type FollowedMovement, followMovements } from '../app/movements/follow-movements.ts';
import { payOut } from '../app/movements/payouts/pay-out.ts';
import type { BroadcastSend } from '../app/movements/sends/broadcast.ts';
import { sendTokens } from '../app/movements/sends/send-tokens.ts';
import { confirmDeposits } from '../app/settlement/confirm-deposits.ts';
import { expireTransactions } from '../app/settlement/expire-transactions.ts';
import { newFeedMemory, releaseFeed } from '../app/settlement/feed-hold.ts';
import { handleNotices } from '../app/settlement/handle-notices.ts';
import { linkReports } from '../app/settlement/link-reports.ts';
import { matchCredits } from '../app/settlement/match-credits.ts';
import { networkFeedName, observeDeposits } from '../app/settlement/observe-deposits.ts';
import { processRailEvents } from '../app/settlement/process-rail-events.ts';
import { bankFeedName, readBankFeed } from '../app/settlement/record-lines.ts';
import type { BankCredit, CreditReport } from '../domain/records/credit.ts';
import type { Deposit } from '../domain/records/deposit.ts';
import type { BankNotice } from '../domain/records/notice.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import { MODES, type Mode } from '../domain/values/mode.ts';
import type { EventSendingRail, Rail, ReportingRail } from '../ports/rails/rail.ts';
import type { RailEventQueue } from '../ports/rails/rail-event-store.ts';
import type { LeaseRequest } from '../ports/store/queues.ts';

export interface StageItems {
  match: BankCredit;
  confirm: Deposit;
  notices: BankNotice;
  reports: CreditReport;
  expire: Transaction;
  send: Transaction;
  pay: Transaction;
  follow: FollowedMovement;
}
export type StageName = keyof StageItems;

/**
 * Work for another stage, for which this process already holds the lease. If the list of items is empty, the other stage may
 * find work in its queue.
 */
export type HandOver = {
  readonly [Name in StageName]: {
    readonly to: Name;
    readonly items: readonly StageItems[Name][];
    /** The earliest time at which the other stage may start this work. If it is missing, the stage may start at once. */
    readonly atMs?: number;
  };
}[StageName];

export interface StageSpec<Item> {
  lease(limit: number): Promise<readonly Item[]>;
  work(items: readonly Item[]): Promise<readonly HandOver[]>;
  readonly movesMoney: boolean;
  /**
   * A stage that waits for banks or networks has this function, which names the part of an item. While one batch is slow, later
   * batches run in parallel. Items of different parts do not wait for each other.
   */
  readonly partOf?: (item: Item) => string;
}

export type StageSpecs = { readonly [Name in StageName]: StageSpec<StageItems[Name]> };

/** A feed from outside the service. One process at a time reads it. */
export interface FeedSpec {
  readonly where: 'banks' | 'networks';
  readonly name: string;
  /**
   * Returns the number of lines that this process read; undefined while another process reads the feed. `more` tells that more
   * lines are due now.
   */
  read(): Promise<{
    readonly lines: number | undefined;
    readonly handOvers: readonly HandOver[];
    readonly more?: boolean;
  }>;
  /**
   * Releases the feed when this process stops reading it, so that another process does not have to wait for the lease to end.
   */
  letGo(): Promise<void>;
}

export function makeSettlementStages(deps: SettlementDeps): StageSpecs {
  const { store } = deps;
  return {
    match: {
      lease: (limit) => store.leaseCredits(makeLeaseRequest(deps, limit)),
      work: async (credits) => [
        ...unlessEmpty({ to: 'send', items: await matchCredits(deps, credits) }),
        { to: 'follow', items: [] },
      ],
      movesMoney: false,
    },
    confirm: {
      lease: (limit) => store.leaseDeposits(makeLeaseRequest(deps, limit)),
      work: async (deposits) => [
        ...unlessEmpty({ to: 'pay', items: await confirmDeposits(deps, deposits) }),
        { to: 'follow', items: [] },
      ],
      movesMoney: false,
    },
    notices: {
      lease: (limit) => store.leaseNotices(makeLeaseRequest(deps, limit)),
      work: async (notices) => {
        await handleNotices(deps, notices);
        return [];
      },
      movesMoney: false,
    },
    reports: makeReportsStage(deps),
    expire: {
      lease: (limit) =>
        store.leaseTransactions(
          ['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit'],
          makeLeaseRequest(deps, limit),
        ),
      work: async (transactions) => {
        await expireTransactions(deps, transactions);
        return [];
      },
      movesMoney: false,
    },
    send: {
      lease: (limit) => store.leaseTransactions(['paid', 'awaiting_trustline'], makeSendLease(deps, limit)),
      work: async (transactions) => [
        ...followLater(await sendTokens(deps, transactions)),
        { to: 'follow', items: [] },
      ],
      movesMoney: true,
      partOf: ({ mode, wallet }) => `${mode} ${wallet!.network}`,
    },
    pay: {
      lease: (limit) => store.leaseTransactions(['deposited'], makePayLease(deps, limit)),
      work: async (transactions) => {
        await payOut(deps, transactions);
        return [{ to: 'follow', items: [] }];
      },
      movesMoney: true,
      partOf: () => 'banks',
    },
    follow: {
      lease: async (limit) => {
        const request = { ...makeSendLease(deps, limit), bankLeaseMs: bankLeaseMs(deps) };
        const movements = await store.leaseMovements(['pending', 'sending', 'unknown'], request);
        return movements.map((movement) => ({ movement }));
      },
      work: async (followed) => followLater(await followMovements(deps, followed)),
      movesMoney: true,
      partOf: ({ movement: { mode, network } }) => (network === null ? 'banks' : `${mode} ${network}`),
    },
  };
}

function makeSendLease(deps: SettlementDeps, limit: number): LeaseRequest {
  return { ...makeLeaseRequest(deps, limit), leaseMs: networkLeaseMs(deps) };
}

/** The lease time is doubled, because the service may ask two rails for the account owner, one after the other. */
function makePayLease(deps: SettlementDeps, limit: number): LeaseRequest {
  return { ...makeLeaseRequest(deps, limit), leaseMs: 2 * bankLeaseMs(deps) };
}

function makeReportsStage(deps: SettlementDeps): StageSpec<CreditReport> {
  return {
    lease: (limit) => deps.store.leaseReports(makeLeaseRequest(deps, limit)),
    work: async (reports) => {
      await linkReports(deps, reports);
      return [];
    },
    movesMoney: false,
  };
}

function unlessEmpty(handOver: HandOver): readonly HandOver[] {
  return handOver.items.length === 0 ? [] : [handOver];
}

/**
 * Schedules the status checks of sent movements, separately for each network. If this process dies, its leases end, and another
 * process makes the checks.
 */
function followLater(sent: readonly BroadcastSend[]): readonly HandOver[] {
  const networks = Map.groupBy(sent, ({ alive: { movement } }) => `${movement.mode} ${movement.network}`);
  return [...networks.values()].map((own) => ({
    to: 'follow',
    items: own.map(({ alive }) => alive),
    atMs: Math.max(...own.map(({ askAtMs }) => askAtMs)),
  }));
}

export function makeSettlementFeeds(deps: SettlementDeps): readonly FeedSpec[] {
  return MODES.flatMap((mode): readonly FeedSpec[] => {
    return [
      ...deps.banks
        .enabled(mode)
        .filter(isReportingRail)
        .map((rail) => makeBankFeed(deps, mode, rail)),
      ...makeEventFeeds(deps, mode),
      // A disabled network may be enabled at any time. From then on the service reads its feed.
      ...[...deps.networks.enabled(mode), ...deps.networks.disabled(mode)].map(({ name }) =>
        makeNetworkFeed(deps, mode, name),
      ),
    ];
  });
}

function isReportingRail(rail: Rail): rail is ReportingRail {
  return rail.statement !== null;
}

function makeBankFeed(deps: SettlementDeps, mode: Mode, rail: ReportingRail): FeedSpec {
  const memory = newFeedMemory();
  const name = bankFeedName(mode, rail.name);
  let againAtMs = 0;
  return {
    where: 'banks',
    name,
    read: async () => {
      const nowMs = deps.clock.now();
      if (nowMs < againAtMs) return { lines: 0, handOvers: [] };
      againAtMs = nowMs + rail.pace.readEveryMs;
      const reading = await readBankFeed(deps, mode, rail, memory);
      if (reading === undefined) return { lines: undefined, handOvers: [] };
      const { credits, lines } = reading;
      // There may be more lines after these lines, so the feed is read again at once.
      if (lines > 0) againAtMs = 0;
      const rest: readonly HandOver[] = [
        { to: 'notices', items: [] },
        { to: 'reports', items: [] },
      ];
      const woken = lines > credits.length ? rest : [];
      return { lines, handOvers: [...unlessEmpty({ to: 'match', items: credits }), ...woken] };
    },
    letGo: () => releaseFeed(deps, name, memory),
  };
}

function makeEventFeeds(deps: SettlementDeps, mode: Mode): readonly FeedSpec[] {
  const { railEvents } = deps;
  if (railEvents === undefined) return [];
  const sends = (rail: Rail): rail is EventSendingRail => rail.events !== undefined;
  return deps.banks
    .enabled(mode)
    .filter(sends)
    .map((rail) => makeEventFeed({ ...deps, railEvents }, mode, rail));
}

/** Every process may read this feed, because a process leases each event separately. */
function makeEventFeed(
  deps: SettlementDeps & { readonly railEvents: RailEventQueue },
  mode: Mode,
  rail: EventSendingRail,
): FeedSpec {
  return {
    where: 'banks',
    name: `events ${mode} ${rail.name}`,
    read: async () => {
      const { events, credits, notices, payouts, more } = await processRailEvents(deps, mode, rail);
      const handOvers: readonly HandOver[] = [
        ...unlessEmpty({ to: 'match', items: credits }),
        ...(notices > 0 ? [{ to: 'notices', items: [] } as const] : []),
        ...(payouts > 0 ? [{ to: 'follow', items: [] } as const] : []),
      ];
      return { lines: events, handOvers, more };
    },
    letGo: async () => undefined,
  };
}

function makeNetworkFeed(deps: SettlementDeps, mode: Mode, name: string): FeedSpec {
  const memory = newFeedMemory();
  const feed = networkFeedName(mode, name);
  let againAtMs = 0;
  return {
    where: 'networks',
    name: feed,
    read: async () => {
      const network = deps.networks.find(mode, name);
      if (network === undefined) return { lines: 0, handOvers: [] };
      const nowMs = deps.clock.now();
      if (nowMs < againAtMs) return { lines: 0, handOvers: [] };
      againAtMs = nowMs + network.observeEveryMs;
      const lines = await observeDeposits(deps, mode, network, memory);
      return { lines, handOvers: lines === undefined || lines === 0 ? [] : [{ to: 'confirm', items: [] }] };
    },
    letGo: () => releaseFeed(deps, feed, memory),
  };
}
