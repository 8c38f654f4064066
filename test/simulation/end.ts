// When everything has come to rest: nothing accepted is lost, nothing is left half done, nothing stays reserved, and the
// books, counted anew from their first posting, agree with the outside world's own.
import { NAIRA, tokenAsset } from '../../src/domain/assets.ts';
import { type AccountName, keyOf, partsOf } from '../../src/domain/ledger.ts';
import { REFUND_DECIDED } from '../../src/domain/review.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import type { Clients } from './clients.ts';
import { MODE } from './company.ts';
import type { Errand } from './errands.ts';
import type { Setting } from './setting.ts';
import type { Watch } from './watch.ts';

export async function checkEnd(
  setting: Setting,
  watch: Watch,
  clients: Clients,
  errands: readonly Errand[],
): Promise<void> {
  nothingAcceptedIsLost(setting, clients, errands);
  allIsAtRest(setting);
  recount(setting, watch);
  nothingStaysReserved(setting);
  await booksAreTheWorld(setting, watch);
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
    const name = `biz_${business + 1} ${reference}`;
    if (transaction?.amountMinor !== amountMinor || references.get(name) !== 1)
      setting.broken('nothing accepted is lost', `${reference} as ${id}, ${references.get(name)} times`, id);
  }
}

/** Final, or where somebody sees it: a person of the operator's, or the business that has to name a wallet. */
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
  for (const transaction of tables.transactions.values())
    if (!isResting(transaction) && !shown.has(transaction.id) && !refundShown.has(transaction.id))
      stuck(transaction.id, transaction.state);
  for (const { id, state, destination } of tables.movements.values()) {
    const waits = state === 'pending' && destination === null;
    const ended = state === 'done' || state === 'failed';
    if (!ended && !waits) stuck(id, state);
  }
  for (const { id, state } of tables.credits.values())
    if (state === 'unmatched' || (state === 'review' && !shown.has(id))) stuck(id, state);
  for (const { id, state } of tables.deposits.values()) if (state === 'seen') stuck(id, state);
  for (const { id, state } of tables.notices.values())
    if (state !== 'done' && !shown.has(id)) stuck(id, state);
}

const FINAL = new Set(['completed', 'expired', 'cancelled', 'rejected', 'refunded']);

function isResting({ state, exception }: Transaction): boolean {
  if (FINAL.has(state)) return true;
  // The business was told what it has to do.
  return state === 'on_hold' && (exception === 'wallet_missing' || exception === REFUND_DECIDED);
}

/** Every posting again, from the first. */
function recount(setting: Setting, watch: Watch): void {
  const { accounts, entries } = setting.model.tables;
  const sums = new Map<string, bigint>();
  const assets = new Map<string, bigint>();
  for (const { postings } of entries) {
    for (const { account, amountMinor } of postings) {
      const { mode, asset } = partsOf(account);
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

function balanceOf({ model }: Setting, asset: string, name: AccountName): bigint {
  return model.tables.accounts.get(keyOf(MODE, asset, name)) ?? 0n;
}

const RESERVATIONS: readonly AccountName[] = ['bank_reserved', 'in_flight', 'reserved', 'sent'];

function nothingStaysReserved(setting: Setting): void {
  for (const [account, balance] of setting.model.tables.accounts)
    if (balance !== 0n && RESERVATIONS.includes(partsOf(account).name))
      setting.broken('no reservation is left behind', `${account}: ${balance}`, null);
}

async function booksAreTheWorld(setting: Setting, watch: Watch): Promise<void> {
  const { outside, model, agenda } = setting;
  const { tables } = model;
  const equal = (what: string, ours: bigint, theirs: bigint) => {
    if (ours !== theirs)
      setting.broken(
        'the books agree with the outside world',
        `${what}: ${ours} here, ${theirs} there`,
        null,
      );
  };
  for (const { name, asset } of outside.networks) {
    const token = tokenAsset(asset.code, name);
    const funded = -balanceOf(setting, token, 'capital');
    const settled = await outside.world.settledMinor(name, agenda.now());
    equal(`tokens on ${name}`, balanceOf(setting, token, 'treasury'), funded + settled.in - settled.out);
  }
  const { lines, payouts } = outside.happened;
  const once = new Map(lines.map(({ line }) => [`${line.kind} ${line.sourceId}`, line]));
  let cameIn = 0n;
  let returned = 0n;
  for (const line of once.values()) {
    if (line.kind === 'credit') cameIn += line.amountMinor;
    else if (!noticeIsDone(setting, line.sourceId)) continue;
    else if (line.kind === 'credit_reversed') cameIn -= line.amountMinor;
    else returned += line.amountMinor;
  }
  let bankIn = 0n;
  for (const [account, balance] of tables.accounts)
    if (partsOf(account).name === 'bank_in') bankIn += balance;
  equal('naira that came in', bankIn, cameIn);
  const made = payouts.filter(({ fate }) => fate !== 'fails');
  const out = made.reduce((sum, { amountMinor, chargeMinor }) => sum + amountMinor + chargeMinor, 0n);
  const funded = -balanceOf(setting, NAIRA, 'capital');
  equal('naira to pay out from', balanceOf(setting, NAIRA, 'bank_out'), funded + returned - out);
  let suspense = 0n;
  for (const { state, amountMinor } of tables.credits.values())
    if (state === 'unmatched' || state === 'review') suspense += amountMinor;
  equal('credits nobody was found for', -balanceOf(setting, NAIRA, 'suspense'), suspense);
  for (const { id, state } of tables.movements.values())
    if ((state === 'done') !== watch.paid.has(id))
      setting.broken('what is done is what was paid', `${id} is ${state}`, id);
}

/** What waits for people is not in the books yet. */
function noticeIsDone({ model }: Setting, sourceId: string): boolean {
  for (const notice of model.tables.notices.values())
    if (notice.sourceId === sourceId) return notice.state === 'done';
  return false;
}
