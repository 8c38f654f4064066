// Runs settlement in this process: its stages on this database, their dependencies, and the loop that plays sandbox scenarios.
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { readBankCharges } from '../adapters/catalogue/bank-charges.ts';
import { openWakeups } from '../adapters/postgres/connection/wakeups.ts';
import { makeEventQueue } from '../adapters/postgres/rails/event-queue.ts';
import type { SettlementDeps } from '../app/engine/deps.ts';
import { makeWalletLocks } from '../app/engine/wallet-locks.ts';
import { playScenarios } from '../app/sandbox/play-scenario.ts';
import { openPayoutAccounts } from '../app/settlement/payout-accounts.ts';
import type { TreasuryGuard } from '../app/treasury/guard-treasury.ts';
import type { Config } from '../config.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { Guards } from '../ports/operations/guards.ts';
import type { Screening } from '../ports/screening.ts';
import { StoreUnavailable } from '../ports/store/store.ts';
import { startEndedPayoutWatch, startSettlement } from '../workers/settlement.ts';
import { startStage } from '../workers/stage.ts';
import type { Foundation } from './foundation.ts';
import { makeLogThrottle } from './log-throttle.ts';
import { addStatementsRail } from './statements.ts';

const ENDED_PAYOUTS_EVERY_MS = 30_000;

export interface SettlementParts extends Omit<Foundation, 'close'> {
  readonly catalogue: Catalogue;
  readonly screening: Screening;
  readonly guard: TreasuryGuard;
  readonly guards: Guards;
  readonly isListening: () => boolean;
  readonly isDraining: () => boolean;
}

export interface RunningSettlement {
  accepted(transaction: Transaction, scenario: string | null): void;
  wakeFeeds(where: 'banks' | 'networks'): void;
  stop(): Promise<void>;
}

export async function openSettlement(
  config: Config,
  parts: SettlementParts,
  log: Logger,
  onBatch: (stage: string, size: number, seconds: number) => void,
): Promise<RunningSettlement> {
  const { store, clock, entropy, networks, catalogue, banks } = parts;
  const onError = (error: Error) => {
    // The lost database connection is already in the log, and the work continues when the database is reachable again.
    if (error instanceof StoreUnavailable)
      log.debug({ why: error.message }, 'settlement waits for the database');
    else log.error({ err: error }, 'settlement');
  };
  const deps: SettlementDeps = {
    ...{ store, clock, entropy, networks, railEvents: makeEventQueue(parts.database) },
    banks: addStatementsRail(parts.bankRails, parts.database),
    directory: banks,
    bankCharges: readBankCharges(config.bankChargesFile),
    screening: parts.screening,
    catalogue: () => {
      const snapshot = catalogue.current();
      if (snapshot !== undefined) return snapshot;
      throw new StoreUnavailable('the catalogue may be out of date', { mayHaveActed: false });
    },
    // A rail may send an approval request to our port before it pays, so the service sends no payout until the port listens.
    moving: () =>
      parts.isListening() && !parts.isDraining() && catalogue.current()?.movementsPaused === false,
    policies: config.policies,
    leaseMs: config.settleLeaseMs,
    holder: `${hostname()} ${process.pid} ${Buffer.from(entropy.bytes(6)).toString('hex')}`,
    turns: makeWalletLocks(),
    guard: parts.guard,
    isUnwatched: parts.guards.isUnwatched,
    onTrouble: (message, detail) => log.warn(detail, message),
  };
  await openPayoutAccounts(deps);
  const onFeedError = makeFeedErrorLog(log, onError);
  const settlement = startSettlement({ deps, maxBatch: config.settleBatch, onError, onFeedError, onBatch });
  const wakeups = openWakeups({
    ...{ database: parts.database, connection: parts.connection, channel: 'sliproad_work' },
    name: deps.holder,
    onWake: settlement.wakeAll,
    onError: (error) => log.warn({ err: error }, 'waking other processes failed'),
  });
  // Another process may hold the lease of the feed, so this process notifies the other processes too.
  const wakeFeeds = (where: 'banks' | 'networks') => {
    settlement.wakeFeeds(where);
    wakeups.wake();
  };
  const ended = startEndedPayoutWatch(deps, {
    ...{ everyMs: ENDED_PAYOUTS_EVERY_MS, guards: parts.guards, onError, onNews: settlement.wakeAll },
  });
  const playing = startScenarios(config, parts, onError, () => {
    wakeFeeds('banks');
    wakeFeeds('networks');
  });
  return {
    accepted: (transaction, scenario) => {
      settlement.accepted(transaction);
      if (scenario !== null) playing.wake();
    },
    wakeFeeds,
    stop: async () => {
      await playing.stop();
      await ended.stop();
      await settlement.stop();
      await wakeups.close();
    },
  };
}

function makeFeedErrorLog(log: Logger, onError: (error: Error) => void) {
  const rarely = makeLogThrottle();
  return (feed: string, error: Error) => {
    if (error instanceof StoreUnavailable) onError(error);
    else if (rarely(`${feed} ${error.message}`))
      log.warn({ feed, why: error.message }, 'a feed could not be read; retrying in the next turn');
  };
}

function startScenarios(
  config: Config,
  { simulation: { plays, sandbox }, store, clock }: SettlementParts,
  onError: (error: Error) => void,
  onPlayed: () => void,
) {
  const deps = { plays, sandbox, clock, store };
  return startStage<never>({
    lease: async (limit) => {
      const request = { limit, leaseMs: config.settleLeaseMs };
      if ((await playScenarios(deps, request)) > 0) onPlayed();
      return [];
    },
    work: async () => undefined,
    maxBatch: config.settleBatch,
    onError,
  });
}
