// Asks a bank about the account of every accepted sell, once and after the acceptance. So a business that mistyped an account
// learns this before it sends tokens. This look-up changes no state; the check directly before the payout decides.
import { compareNames, parseName } from '../../domain/matching/name-match.ts';
import type { AccountLookup } from '../../domain/records/account-lookup.ts';
import type { TransactionState } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { AccountLookups, DueAccountLookup } from '../../ports/account-lookups.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { EventLog, LogReaders } from '../../ports/events.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import type { ReadStore } from '../../ports/store/reads.ts';
import { backOffMs, runEach } from '../engine/retries.ts';
import { askAccountOwner, type OwnerAnswer } from './look-up-account.ts';

export interface LookUpSellAccountsDeps {
  readonly store: Pick<ReadStore, 'transactionsById'>;
  readonly enquiries: AccountLookups;
  readonly eventLog: Pick<EventLog, 'read'>;
  readonly logReaders: LogReaders;
  readonly banks: RailRegistry;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

const LOG_READER = 'account_enquiries';
const PAGE = 500;
const RETRY_MS = 2_000;
/** A sell in any other state is already being paid out or has ended, so the bank's reply would come too late. */
const LOOKUP_STATES: ReadonlySet<TransactionState> = new Set([
  'awaiting_deposit',
  'confirming',
  'deposited',
  'on_hold',
]);

/**
 * Queues a look-up for each sell that was accepted since the last run. If a page of events is read twice, its sells are still
 * queued only once.
 */
export async function queueAcceptedSells(deps: LookUpSellAccountsDeps): Promise<void> {
  for (let atEnd = false; !atEnd; ) {
    const from = await deps.logReaders.position(LOG_READER);
    const page = await deps.eventLog.read(from, PAGE);
    const sells = page.events.flatMap((event) =>
      event.type === 'transaction.accepted' &&
      event.kind === 'transaction' &&
      event.transaction.type === 'sell'
        ? [event.transaction.id]
        : [],
    );
    await deps.enquiries.add(sells, deps.clock.now());
    if (page.position !== from) await deps.logReaders.move(LOG_READER, from, page.position);
    atEnd = page.atEnd;
  }
}

/** The caller must hold the leases of the sells in `due`. */
export async function lookUpSellAccounts(
  deps: LookUpSellAccountsDeps,
  due: readonly DueAccountLookup[],
): Promise<void> {
  const sells = await deps.store.transactionsById(due.map(({ transactionId }) => transactionId));
  const { rethrow } = await runEach(due, (each) =>
    lookUpSellAccount(deps, each, sells.get(each.transactionId)),
  );
  rethrow();
}

async function lookUpSellAccount(
  { enquiries, banks, clock, entropy }: LookUpSellAccountsDeps,
  due: DueAccountLookup,
  sell: Transaction | undefined,
): Promise<void> {
  if (sell === undefined || sell.bankCode === null || !LOOKUP_STATES.has(sell.state))
    return enquiries.putOff(due, null);
  const { id: about, mode, bankCode, accountNumber, accountName: expectedName } = sell;
  const owner = await askAccountOwner(banks, mode, { bankCode, accountNumber, expectedName, about });
  const atMs = clock.now();
  if (owner.kind === 'unknown')
    return enquiries.putOff(due, atMs + backOffMs({ entropy }, due.tries, RETRY_MS));
  await enquiries.answer(due, buildAccountLookup(sell, owner, atMs));
}

function buildAccountLookup(
  { id: transactionId, accountName }: Transaction,
  owner: Exclude<OwnerAnswer, { kind: 'unknown' }>,
  atMs: number,
): AccountLookup {
  const facts = { transactionId, rail: owner.rail, atMs };
  if (owner.kind === 'no_account') return { ...facts, verdict: 'no_account', score: null, bankSays: null };
  const { verdict, score } = compareNames(parseName(owner.name), parseName(accountName));
  return {
    ...facts,
    verdict: verdict === 'strong' ? 'same_name' : 'other_name',
    score,
    bankSays: owner.name,
  };
}
