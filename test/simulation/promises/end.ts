// The promises that must hold when all work is finished. Nothing that the service accepted is lost, unfinished or still
// reserved. The books, recounted from the first posting, agree with themselves and with the outside world's own books.
import { type LedgerAccountName, parseLedgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import { REFUND_DECIDED } from '../../../src/domain/records/exceptions.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Clients } from '../people/clients.ts';
import type { Errand } from '../people/errands.ts';
import type { Setting } from '../world/setting.ts';
import { everyKoboIsExplained } from './end-accounts.ts';
import { booksAreTheWorld } from './end-books.ts';
import { paidAsAsked, partsPay } from './end-stories.ts';
import { oneTransferCountsOnce, reportsAreAnswered } from './reports.ts';
import { theftIsFound } from './theft.ts';
import type { Watch } from './watch.ts';

export async function checkEnd(
  setting: Setting,
  watch: Watch,
  clients: Clients,
  errands: readonly Errand[],
): Promise<void> {
  nothingAcceptedIsLost(setting, clients, errands);
  allThatCameInIsKnown(setting);
  oneTransferCountsOnce(setting);
  timelinesAreChains(setting);
  recount(setting, watch);
  theftIsFound(setting);
  // If a restored backup lacks some payments, movements stay paused, so payments in progress do not finish.
  if (setting.restore.holds) return;
  allIsAtRest(setting);
  nothingStaysReserved(setting);
  reportsAreAnswered(setting);
  everyKoboIsExplained(setting);
  await booksAreTheWorld(setting, watch);
  paidAsAsked(setting, clients, errands);
  partsPay(setting);
}

function nothingAcceptedIsLost(setting: Setting, clients: Clients, errands: readonly Errand[]): void {
  const { transactions } = setting.model.tables;
  const references = new Map<string, number>();
  for (const { businessId, reference } of transactions.values()) {
    const name = `${businessId} ${reference}`;
    references.set(name, (references.get(name) ?? 0) + 1);
  }
  for (const { reference, business, amountMinor } of errands) {
    const id = clients.accepted.get(reference);
    if (id === undefined) {
      const code = clients.refused.get(reference) ?? 'never answered';
      setting.broken('every request is answered', `${reference}: ${code}`, null);
      continue;
    }
    const transaction = transactions.get(id);
    // A backup does not contain the transactions that the service accepted after the backup was made.
    if (transaction === undefined && setting.restore.atMs !== null) continue;
    const name = `biz_${business + 1} ${reference}`;
    if (transaction?.amountMinor !== amountMinor || references.get(name) !== 1)
      setting.broken('nothing accepted is lost', `${reference} as ${id}, ${references.get(name)} times`, id);
  }
}

function allThatCameInIsKnown({ model, outside, broken }: Setting): void {
  const { credits, notices, reports, deposits } = model.tables;
  const recorded = new Set(
    [...credits.values(), ...notices.values(), ...reports.values()].map(
      ({ source, sourceId }) => `${source} ${sourceId}`,
    ),
  );
  const seen = new Set([...deposits.values()].map(({ txHash }) => txHash));
  for (const { line, rail } of outside.happened.lines)
    if (!recorded.has(`${rail} ${line.sourceId}`)) broken('all that came in is known', line.sourceId, null);
  for (const { txHash, fate } of outside.happened.arrivals)
    if (fate === 'settles' && !seen.has(txHash)) broken('all that came in is known', txHash, null);
}

/** Finds payouts that people ordered again for a frozen business, and their sells. They wait until people lift the freeze. */
function ordersOfFrozen({ model: { tables } }: Setting): ReadonlySet<string> {
  const stops = new Set(
    Array.from(tables.freezes.values(), ({ businessId, mode }) => `${businessId} ${mode}`),
  );
  const waiting = [...tables.movements.values()].filter(
    ({ kind, state, attempts }) => kind === 'payout' && state === 'pending' && attempts === 0,
  );
  return new Set(
    waiting.flatMap(({ id, transactionId, mode }) =>
      stops.has(`${tables.transactions.get(transactionId!)!.businessId} ${mode}`) ? [id, transactionId!] : [],
    ),
  );
}

/** Every record must be final, visible to an operator, or visible to the business that must name a wallet. */
function allIsAtRest(setting: Setting): void {
  const { core, tables } = setting.model;
  const queue = core.listQueue(10_000);
  const shown = new Set(
    [...queue.transactions, ...queue.credits, ...queue.deposits, ...queue.refunds, ...queue.notices].map(
      ({ id }) => id,
    ),
  );
  const refundShown = new Set(queue.refunds.map(({ transactionId }) => transactionId));
  const stuck = (id: string, state: string) =>
    setting.broken('everything accepted ends, or waits where people see it', `${id} is ${state}`, id);
  const frozen = ordersOfFrozen(setting);
  const isShown = (id: string) => shown.has(id) || refundShown.has(id) || frozen.has(id);
  for (const transaction of tables.transactions.values())
    if (!isResting(transaction) && !isShown(transaction.id)) stuck(transaction.id, transaction.state);
  for (const { id, state, destination } of tables.movements.values()) {
    const waits = state === 'pending' && (destination === null || frozen.has(id));
    const ended = state === 'done' || state === 'failed' || (state === 'returned' && hasCase(setting, id));
    if (!ended && !waits) stuck(id, state);
  }
  for (const { id, state } of tables.credits.values())
    if (state === 'unmatched' || (state === 'review' && !shown.has(id))) stuck(id, state);
  for (const { id, state } of tables.deposits.values()) if (state === 'seen') stuck(id, state);
  for (const { id, state } of tables.notices.values())
    if (state !== 'done' && !shown.has(id)) stuck(id, state);
}

function hasCase({ model }: Setting, id: string): boolean {
  const { cases, closedCases } = model.tables;
  return [...cases.values(), ...closedCases.values()].some(
    ({ kind, movementId }) => kind === 'payout_returned' && movementId === id,
  );
}

const FINAL = new Set(['completed', 'expired', 'cancelled', 'rejected', 'refunded']);

function isResting({ state, exception }: Transaction): boolean {
  if (FINAL.has(state)) return true;
  // These exceptions tell the business what it must do next.
  return state === 'on_hold' && (exception === 'wallet_missing' || exception === REFUND_DECIDED);
}

/**
 * The lines of each timeline must follow each other without a gap, and the last line must have the state of the transaction.
 */
function timelinesAreChains({ model, broken }: Setting): void {
  for (const { id, state } of model.tables.transactions.values()) {
    const lines = model.tables.timeline.get(id) ?? [];
    const torn = lines.some(({ from }, index) => index > 0 && lines[index - 1]!.to !== from);
    if (torn || (lines.length > 0 && lines.at(-1)!.to !== state))
      broken(
        'every move is in the timeline',
        `${id}: ${lines.map(({ to }) => to).join()} and is ${state}`,
        id,
      );
  }
}

function recount(setting: Setting, watch: Watch): void {
  const { accounts, entries } = setting.model.tables;
  const sums = new Map<string, bigint>();
  const assets = new Map<string, bigint>();
  for (const { postings } of entries) {
    for (const { account, amountMinor } of postings) {
      const { mode, asset } = parseLedgerKey(account);
      sums.set(account, (sums.get(account) ?? 0n) + amountMinor);
      assets.set(`${mode} ${asset}`, (assets.get(`${mode} ${asset}`) ?? 0n) + amountMinor);
    }
  }
  for (const [asset, sum] of assets)
    if (sum !== 0n) setting.broken('each asset’s postings sum to zero', `${asset}: ${sum}`, null);
  for (const account of new Set([...accounts.keys(), ...sums.keys(), ...watch.posted.keys()])) {
    const [balance, sum, seen] = [accounts, sums, watch.posted].map((each) => each.get(account) ?? 0n);
    if (balance !== sum || sum !== seen)
      setting.broken('balances equal their postings', `${account}: ${balance}, ${sum} and ${seen}`, null);
  }
}

const RESERVATIONS: readonly LedgerAccountName[] = ['bank_reserved', 'in_flight', 'reserved', 'sent'];

function nothingStaysReserved(setting: Setting): void {
  for (const [account, balance] of setting.model.tables.accounts)
    if (balance !== 0n && RESERVATIONS.includes(parseLedgerKey(account).name))
      setting.broken('no reservation is left behind', `${account}: ${balance}`, null);
}
