// Reads deposits to the receiving account in the order of the ledger from a stored position. A closed ledger never changes, so
// a deposit is final when it is seen. A large deposit is final when a second provider shows it too.
import type { Sighting } from '../../../../ports/networks/network-observer.ts';
import { amountNeedsTwoProviders } from '../../settings/settings.ts';
import { type HorizonFields, isFields, numberOf, recordsOf, UnreadableAnswer } from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';
import { loadHistory, requireFresh } from '../horizon/ledgers.ts';
import type { NetworkPart, StellarChain } from '../horizon/stellar-chain.ts';
import { claimedBalanceId, readTreasuryClaimable } from './claimable-balances.ts';
import { cursorOf, hashOf, readTokenCredits, type TokenCredit } from './token-credits.ts';

const PAGE = 200;
/** The maximum number of pages in one observation, so that a long history is stored in parts. */
const MOST_PAGES = 10;

export function makeDeposits(chain: StellarChain): NetworkPart<'observe' | 'confirm'> {
  return {
    observe: (position) => observeDeposits(chain, position),
    confirm: (sighting, how) => confirmDeposit(chain, sighting, how),
  };
}

interface ProviderCredits {
  readonly credits: readonly ShownCredit[];
  /** Unreadable records by their paging token, which is the same at every provider. */
  readonly unreadable: ReadonlyMap<string, UnreadRecord>;
  readonly cursor: string;
}

interface ShownCredit extends TokenCredit {
  readonly token: string;
  /** If reading starts at this position, it shows this credit again. */
  readonly before: string;
}

interface UnreadRecord {
  readonly reason: string;
  readonly raw: string;
}

/**
 * Reads from every provider that responds, because one provider may leave out a payment or report it as failed. Records before
 * the position are not read again, so the position stays at the slowest provider.
 */
async function observeDeposits(chain: StellarChain, position: string | null) {
  const { providers, settings } = chain;
  if (position !== null && !/^\d{1,19}$/.test(position))
    throw new Error(`${settings.name}: the stored position is not valid`);
  const reads = await providers.every((horizon) => readCreditsAfter(chain, horizon, position ?? '0'));
  return mergeCredits(chain, reads);
}

/** Reads all records after a position. The position '0' is the start of the history, so a position can always be stored. */
async function readCreditsAfter(
  chain: StellarChain,
  horizon: Horizon,
  position: string,
): Promise<ProviderCredits> {
  const credits: ShownCredit[] = [];
  const unreadable = new Map<string, UnreadRecord>();
  const laidDown = new Map<string, { readonly token: string } & UnreadRecord>();
  let cursor = position;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = `cursor=${cursor}&order=asc&limit=${PAGE}&join=transactions`;
    // Reads all operations, because claimable balances for the treasury are not in the list of payments.
    const records = recordsOf(await horizon.need(`/accounts/${chain.treasury}/operations?${query}`));
    for (const [index, record] of records.entries()) {
      const before = cursor;
      cursor = nextCursor(cursor, record);
      const token = cursorOf(record) ?? `${cursor} ${index}`;
      try {
        const found = await readRecord(chain, horizon, record);
        credits.push(...found.credits.map((credit) => ({ ...credit, token, before })));
        const { laid } = found;
        if (laid !== undefined)
          laidDown.set(laid.id ?? token, { token, reason: laid.reason, raw: JSON.stringify(record) });
        laidDown.delete(claimedBalanceId(record, receiverOf(chain)) ?? '');
      } catch (error) {
        if (!(error instanceof UnreadableAnswer)) throw error;
        unreadable.set(token, { reason: error.message, raw: JSON.stringify(record) });
      }
    }
    if (records.length < PAGE) break;
  }
  if (cursor === position) requireFresh((await loadHistory(horizon)).latestClosedAtMs, chain.clock.now());
  for (const { token, reason, raw } of laidDown.values()) unreadable.set(token, { reason, raw });
  return { credits, unreadable, cursor };
}

/**
 * Merges the credits of all providers. If the providers show a credit differently, the position stays before it until they agree.
 */
function mergeCredits(chain: StellarChain, reads: readonly ProviderCredits[]) {
  const shown = new Map<string, ShownCredit>();
  const unreadable = new Map<string, UnreadRecord>();
  const differ = new Map<string, ShownCredit>();
  for (const read of reads) {
    for (const credit of read.credits) {
      const key = `${credit.token} ${credit.txIndex}`;
      const other = shown.get(key) ?? credit;
      shown.set(key, other);
      if (textOfCredit(other) !== textOfCredit(credit)) differ.set(key, other);
    }
    for (const [token, each] of read.unreadable) unreadable.set(token, each);
  }
  for (const [key, { txHash }] of differ) {
    shown.delete(key);
    chain.onTrouble(`${chain.settings.name}: the providers show a deposit differently`, { hash: txHash });
  }
  const ends = [...reads.map(({ cursor }) => cursor), ...Array.from(differ.values(), ({ before }) => before)];
  return {
    sightings: Array.from(shown.values(), ({ before: _, token: __, ...credit }) => sightingOf(chain, credit)),
    unreadable: [...unreadable.values()],
    position: ends.reduce((a, b) => (BigInt(b) < BigInt(a) ? b : a)),
  };
}

function textOfCredit({ memo, sender, ourToken, amountMinor }: TokenCredit): string {
  return JSON.stringify([memo, sender, ourToken, `${amountMinor}`]);
}

/** A record without a valid paging token is skipped together with the next one. */
function nextCursor(cursor: string, record: unknown): string {
  const next = cursorOf(record);
  if (next === null) return cursor;
  if (BigInt(next) <= BigInt(cursor))
    throw new UnreadableAnswer('the server answered with records out of order');
  return next;
}

/** The record includes its transaction if the server supports `join`. */
async function readRecord(chain: StellarChain, horizon: Horizon, record: unknown) {
  if (!isFields(record)) throw new UnreadableAnswer('a record is not an object');
  const transaction = isFields(record.transaction)
    ? record.transaction
    : await horizon.get(`/transactions/${hashOf(record)}`);
  if (transaction === undefined) throw new UnreadableAnswer('its transaction is missing');
  const receiver = receiverOf(chain);
  return {
    credits: readTokenCredits(record, transaction, receiver),
    laid: readTreasuryClaimable(record, transaction, receiver, chain.settings.passphrase),
  };
}

function sightingOf({ settings, treasury }: StellarChain, credit: TokenCredit): Sighting {
  return { ...credit, address: treasury, final: !amountNeedsTwoProviders(settings, credit.amountMinor) };
}

type DepositFinding =
  | { readonly kind: 'credited'; readonly ledger: number }
  | { readonly kind: 'absent'; readonly latest: number }
  /** The transaction exists, but credited a different amount or nothing. */
  | { readonly kind: 'otherwise'; readonly ledger: number };

type AskedDeposit = Parameters<NetworkPart<'confirm'>['confirm']>[0];

async function confirmDeposit(
  chain: StellarChain,
  asked: AskedDeposit,
  how: Parameters<NetworkPart<'confirm'>['confirm']>[1],
): ReturnType<NetworkPart<'confirm'>['confirm']> {
  const { providers, settings, onTrouble } = chain;
  const trouble = (answers: readonly DepositFinding[]) => {
    const kinds = answers.map(({ kind }) => kind);
    onTrouble(`${settings.name}: a deposit differs from its first sighting`, {
      hash: asked.txHash,
      answers: kinds,
    });
    return 'unknown' as const;
  };
  const work = (horizon: Horizon) => findDeposit(chain, horizon, asked);
  try {
    const byTwo = how?.byTwo === true || amountNeedsTwoProviders(settings, asked.amountMinor);
    const agreement = byTwo
      ? await providers.agree(work, (a, b) => a.kind === b.kind)
      : { kind: 'agreed' as const, answer: await providers.one(work) };
    if (agreement.kind === 'unconfirmed') return 'unknown';
    if (agreement.kind === 'differ')
      return hasLaggingProvider(agreement.answers) ? 'pending' : trouble(agreement.answers);
    if (agreement.answer.kind === 'otherwise') return trouble([agreement.answer]);
    return agreement.answer.kind === 'credited' ? 'final' : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** Whether one provider shows the deposit in a ledger that the other provider has not read yet. */
function hasLaggingProvider(answers: readonly DepositFinding[]): boolean {
  const credited = answers.find((each) => each.kind === 'credited');
  const absent = answers.find((each) => each.kind === 'absent');
  return credited !== undefined && absent !== undefined && absent.latest < credited.ledger;
}

async function findDeposit(
  chain: StellarChain,
  horizon: Horizon,
  asked: AskedDeposit,
): Promise<DepositFinding> {
  const { txHash, txIndex, amountMinor } = asked;
  if (!/^[0-9a-f]{64}$/.test(txHash)) throw new UnreadableAnswer('not a hash of this network');
  const history = await loadHistory(horizon);
  const transaction = await horizon.get(`/transactions/${txHash}`);
  if (transaction === undefined || history.passphrase !== chain.settings.passphrase)
    return { kind: 'absent', latest: history.latest };
  const ledger = numberOf(transaction, 'ledger');
  const path = `/transactions/${txHash}/payments?order=asc&limit=${PAGE}`;
  const records = transaction.successful === true ? recordsOf(await horizon.need(path)) : [];
  const credit = records
    .flatMap((record) =>
      creditsOrNone(() => readTokenCredits(record as HorizonFields, transaction, receiverOf(chain))),
    )
    .find((each) => each.txHash === txHash && each.txIndex === txIndex);
  // A deposit with a different memo belongs to a different customer. The provider that first showed it may have lied only about
  // the memo.
  const sameOrder = (credit?.memo ?? '') === (asked.memo ?? '');
  const credited = credit?.ourToken === true && credit.amountMinor === amountMinor && sameOrder;
  return { kind: credited ? 'credited' : 'otherwise', ledger };
}

function receiverOf({ treasury, token }: StellarChain) {
  return { account: treasury, token };
}

function creditsOrNone(read: () => readonly TokenCredit[]): readonly TokenCredit[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableAnswer) return [];
    throw error;
  }
}
