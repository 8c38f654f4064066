// Deposits to the receiving account, read in the order of the ledger from a stored position. A closed ledger never changes, so
// a deposit is final when it is seen; a large one when a second provider shows it too.
import type { Sighting } from '../../../../ports/network/observes.ts';
import { needsTwo } from '../../settings/settings.ts';
import type { Chain, Part } from '../horizon/chain.ts';
import { type Fields, isFields, numberOf, recordsOf, Unreadable } from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';
import { loadHistory, requireFresh } from '../horizon/ledgers.ts';
import { claimedBy, laidDownOf } from './claimable.ts';
import { type Credit, creditsOf, cursorOf, hashOf } from './credits.ts';

const PAGE = 200;
/** Of one observation, so that a long history is stored piece by piece. */
const MOST_PAGES = 10;

export function makeDeposits(chain: Chain): Part<'observe' | 'confirm'> {
  return {
    observe: (position) => observe(chain, position),
    confirm: (sighting, how) => confirm(chain, sighting, how),
  };
}

async function observe(chain: Chain, position: string | null) {
  const { providers, settings, treasury } = chain;
  if (position !== null && !/^\d{1,19}$/.test(position))
    throw new Error(`${settings.name}: the stored position is not valid`);
  return providers.one(async (horizon) => {
    const sightings: Sighting[] = [];
    const unreadable: { reason: string; raw: string }[] = [];
    const laidDown = new Map<string, (typeof unreadable)[number]>();
    // The start of the history: there is always a position to store.
    let cursor = position ?? '0';
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = `cursor=${cursor}&order=asc&limit=${PAGE}&join=transactions`;
      // All operations, not only payments: claimable balances for the treasury are not payments.
      const records = recordsOf(await horizon.need(`/accounts/${treasury}/operations?${query}`));
      for (const record of records) {
        cursor = goneOn(cursor, record);
        try {
          const { credits, laid } = await readRecord(chain, horizon, record);
          sightings.push(...credits.map((credit) => sightingOf(chain, credit)));
          if (laid !== undefined)
            laidDown.set(laid.id ?? cursor, { reason: laid.reason, raw: JSON.stringify(record) });
          laidDown.delete(claimedBy(record, receiverOf(chain)) ?? '');
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error;
          unreadable.push({ reason: error.message, raw: JSON.stringify(record) });
        }
      }
      if (records.length < PAGE) break;
    }
    if (cursor === (position ?? '0'))
      requireFresh((await loadHistory(horizon)).latestClosedAtMs, chain.clock.now());
    return { sightings, unreadable: [...unreadable, ...laidDown.values()], position: cursor };
  });
}

/** A record without a position of its own is passed together with the next one. */
function goneOn(cursor: string, record: unknown): string {
  const next = cursorOf(record);
  if (next === null) return cursor;
  if (BigInt(next) <= BigInt(cursor)) throw new Unreadable('the server answered records out of order');
  return next;
}

/** The record includes its transaction where the server joins it. */
async function readRecord(chain: Chain, horizon: Horizon, record: unknown) {
  if (!isFields(record)) throw new Unreadable('a record is not an object');
  const transaction = isFields(record.transaction)
    ? record.transaction
    : await horizon.get(`/transactions/${hashOf(record)}`);
  if (transaction === undefined) throw new Unreadable('its transaction is missing');
  const receiver = receiverOf(chain);
  return {
    credits: creditsOf(record, transaction, receiver),
    laid: laidDownOf(record, transaction, receiver, chain.settings.passphrase),
  };
}

function sightingOf({ settings, treasury }: Chain, credit: Credit): Sighting {
  return { ...credit, address: treasury, final: !needsTwo(settings, credit.amountMinor) };
}

type Seen =
  | { readonly kind: 'credited'; readonly ledger: number }
  | { readonly kind: 'absent'; readonly latest: number }
  /** The transaction exists, and brought another amount or nothing. */
  | { readonly kind: 'otherwise'; readonly ledger: number };

type Asked = Parameters<Part<'confirm'>['confirm']>[0];

async function confirm(
  chain: Chain,
  asked: Asked,
  how: Parameters<Part<'confirm'>['confirm']>[1],
): ReturnType<Part<'confirm'>['confirm']> {
  const { providers, settings, onTrouble } = chain;
  const trouble = (answers: readonly Seen[]) => {
    const kinds = answers.map(({ kind }) => kind);
    onTrouble(`${settings.name}: a deposit differs from what was seen`, {
      hash: asked.txHash,
      answers: kinds,
    });
    return 'unknown' as const;
  };
  const work = (horizon: Horizon) => see(chain, horizon, asked);
  try {
    const byTwo = how?.byTwo === true || needsTwo(settings, asked.amountMinor);
    const agreement = byTwo
      ? await providers.agree(work, (a, b) => a.kind === b.kind)
      : { kind: 'agreed' as const, answer: await providers.one(work) };
    if (agreement.kind === 'unconfirmed') return 'unknown';
    if (agreement.kind === 'differ') return lags(agreement.answers) ? 'pending' : trouble(agreement.answers);
    if (agreement.answer.kind === 'otherwise') return trouble([agreement.answer]);
    return agreement.answer.kind === 'credited' ? 'final' : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** One provider has it in a ledger that the other has not ingested yet. */
function lags(answers: readonly Seen[]): boolean {
  const credited = answers.find((each) => each.kind === 'credited');
  const absent = answers.find((each) => each.kind === 'absent');
  return credited !== undefined && absent !== undefined && absent.latest < credited.ledger;
}

async function see(chain: Chain, horizon: Horizon, asked: Asked): Promise<Seen> {
  const { txHash, txIndex, amountMinor } = asked;
  if (!/^[0-9a-f]{64}$/.test(txHash)) throw new Unreadable('not a hash of this network');
  const history = await loadHistory(horizon);
  const transaction = await horizon.get(`/transactions/${txHash}`);
  if (transaction === undefined || history.passphrase !== chain.settings.passphrase)
    return { kind: 'absent', latest: history.latest };
  const ledger = numberOf(transaction, 'ledger');
  const path = `/transactions/${txHash}/payments?order=asc&limit=${PAGE}`;
  const records = transaction.successful === true ? recordsOf(await horizon.need(path)) : [];
  const credit = records
    .flatMap((record) => readable(() => creditsOf(record as Fields, transaction, receiverOf(chain))))
    .find((each) => each.txHash === txHash && each.txIndex === txIndex);
  // With another memo it belongs to another customer: the provider that showed it first may have lied about the memo alone.
  const sameOrder = (credit?.memo ?? '') === (asked.memo ?? '');
  const credited = credit?.ourToken === true && credit.amountMinor === amountMinor && sameOrder;
  return { kind: credited ? 'credited' : 'otherwise', ledger };
}

function receiverOf({ treasury, token }: Chain) {
  return { account: treasury, token };
}

function readable(read: () => readonly Credit[]): readonly Credit[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}
