// What left the treasury, whichever key signed it: read from every provider that answers, because one may be behind or leave
// something out. A closed ledger never changes, so what was shown is final; the position waits for the slowest provider.
import type { Outflow, Outflows } from '../../../../ports/networks/watches.ts';
import { ledgerOf, loadAccount } from '../horizon/account.ts';
import type { Chain, Part } from '../horizon/chain.ts';
import { type Fields, fieldsOf, isFields, recordsOf, Unreadable } from '../horizon/fields.ts';
import { type Horizon, HorizonFailed } from '../horizon/horizon.ts';
import { loadHistory, requireFresh } from '../horizon/ledgers.ts';
import { creditsOf, cursorOf, isAccount } from './credits.ts';
import { debitsOf } from './debits.ts';

const PAGE = 200;
/** Nothing is signed before everything was read, and a list without end is a lie. */
const MOST_PAGES = 500;

type Unread = Outflows['unreadable'][number];

/** Of one provider. */
interface Read {
  readonly outflows: readonly Outflow[];
  /** By the paging token of the record, which is the same at every provider. */
  readonly unreadable: ReadonlyMap<string, Unread>;
  readonly place: Place;
  /** What the treasury holds beyond what it held before and the operations since; null where it is not known. */
  readonly unlistedMinor: bigint | null;
}

/** The last operation that was passed, and what the treasury held after it; null where it is not known. */
interface Place {
  readonly cursor: bigint;
  readonly heldMinor: bigint | null;
}

export function makeOutflows(chain: Chain): Part<'outflows'> {
  const { providers, settings } = chain;
  return {
    outflows: async (position) => {
      const start = position === null ? null : readPlace(position);
      if (start === undefined) throw new Error(`${settings.name}: the stored position is not valid`);
      const reads = await providers.every((horizon) =>
        start === null ? begin(chain, horizon) : readOn(chain, horizon, start),
      );
      return together(reads);
    },
  };
}

/** The last operation of the account. */
async function begin(chain: Chain, horizon: Horizon): Promise<Read> {
  const { ledger, heldMinor } = await balanceOf(chain, horizon);
  const records = await operations(chain, horizon, 'order=desc&limit=1');
  await requireAwake(chain, horizon);
  const last = records.length === 0 ? '0' : cursorOf(records[0]);
  if (last === null) throw new Unreadable('the last operation of the treasury has no paging token');
  const cursor = BigInt(last);
  const place = { cursor, heldMinor: ledgerAt(cursor) <= ledger ? heldMinor : null };
  return { outflows: [], unreadable: new Map(), place, unlistedMinor: null };
}

/** What the treasury holds, and the ledger that the very answer names. */
async function balanceOf({ treasury, token }: Chain, horizon: Horizon) {
  const account = await loadAccount(horizon, treasury, token);
  if (account === undefined) throw new HorizonFailed('the treasury account does not exist');
  return { ledger: BigInt(ledgerOf(account)), heldMinor: account.trustline?.balanceMinor ?? 0n };
}

/** The ledger of an operation, by its paging token. */
function ledgerAt(cursor: bigint): bigint {
  return cursor >> 32n;
}

async function readOn(chain: Chain, horizon: Horizon, start: Place): Promise<Read> {
  // Before the operations: those of later ledgers are shown, and passed once the balance is as far.
  const balance = await balanceOf(chain, horizon);
  const outflows: Outflow[] = [];
  const unreadable = new Map<string, Unread>();
  let { cursor } = start;
  let passed = start.cursor;
  let expectedMinor = start.heldMinor;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = `cursor=${cursor}&order=asc&limit=${PAGE}&join=transactions`;
    const records = await operations(chain, horizon, query);
    for (const record of records) {
      const next = cursorOf(record);
      if (next === null || BigInt(next) <= cursor)
        throw new Unreadable('the server answered records out of order');
      cursor = BigInt(next);
      try {
        if (!isFields(record)) throw new Unreadable('a record is not an object');
        const debits = debitsOf(record, { account: chain.treasury, token: chain.token });
        outflows.push(...debits);
        if (ledgerAt(cursor) > balance.ledger) continue;
        passed = cursor;
        const cameMinor = cameWith(chain, record);
        expectedMinor =
          expectedMinor === null || cameMinor === null ? null : expectedMinor + cameMinor - sumOf(debits);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable.set(next, { reason: error.message, raw: JSON.stringify(record) });
        if (ledgerAt(cursor) <= balance.ledger) passed = cursor;
        expectedMinor = null;
      }
    }
    if (records.length === PAGE) continue;
    if (cursor === start.cursor) await requireAwake(chain, horizon);
    // A balance from before the position is of no use.
    const isBehind = balance.ledger < ledgerAt(start.cursor);
    const heldMinor = isBehind ? expectedMinor : balance.heldMinor;
    const unlistedMinor = isBehind || expectedMinor === null ? null : balance.heldMinor - expectedMinor;
    return { outflows, unreadable, place: { cursor: passed, heldMinor }, unlistedMinor };
  }
  throw new HorizonFailed('a server lists operations of the treasury without end');
}

/** What an operation brought to the treasury; null where its record does not say how much. */
function cameWith({ treasury: account, token }: Chain, record: Fields): bigint | null {
  if (record.type === 'claim_claimable_balance' && isAccount(record.source_account, account)) return null;
  try {
    const transaction = fieldsOf(record.transaction, 'the transaction of an operation');
    return sumOf(creditsOf(record, transaction, { account, token }).filter(({ ourToken }) => ourToken));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return null;
  }
}

function sumOf(moves: readonly { readonly amountMinor: bigint }[]): bigint {
  return moves.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

async function operations({ treasury }: Chain, horizon: Horizon, query: string) {
  return recordsOf(await horizon.need(`/accounts/${treasury}/operations?${query}`));
}

/** A stalled server shows nothing, like one on which nothing happens. */
async function requireAwake({ clock }: Chain, horizon: Horizon): Promise<void> {
  requireFresh((await loadHistory(horizon)).latestClosedAtMs, clock.now());
}

/** Everything that any provider shows; the position is that of the slowest provider. */
function together(reads: readonly Read[]): Outflows {
  const outflows = new Map<string, Outflow>();
  const unreadable = new Map<string, Unread>();
  for (const read of reads) {
    for (const each of read.outflows) {
      const key = `${each.txHash} ${each.index}`;
      const other = outflows.get(key);
      outflows.set(key, each);
      if (other !== undefined && textOf(other) !== textOf(each))
        unreadable.set(key, {
          reason: 'the providers show different records',
          raw: `${textOf(other)} ${textOf(each)}`,
        });
    }
    for (const [token, each] of read.unreadable) unreadable.set(token, each);
  }
  const lowest = reads.map(({ place }) => place).reduce((a, b) => (b.cursor < a.cursor ? b : a));
  const known = reads.flatMap((read) => read.unlistedMinor ?? []);
  const short = known.reduce((a, b) => (b < a ? b : a), 0n);
  const unlistedMinor = short < 0n ? short : known.reduce((a, b) => (b > a ? b : a), 0n);
  return {
    outflows: [...outflows.values()],
    unreadable: [...unreadable.values()],
    position: writePlace(lowest),
    ...(known.length > 0 && { unlistedMinor }),
  };
}

function writePlace({ cursor, heldMinor }: Place): string {
  return heldMinor === null ? `${cursor}` : `${cursor} ${heldMinor}`;
}

function readPlace(text: string): Place | undefined {
  const [, cursor, held] = /^(\d{1,19})(?: (\d{1,19}))?$/.exec(text) ?? [];
  if (cursor === undefined) return undefined;
  return { cursor: BigInt(cursor), heldMinor: held === undefined ? null : BigInt(held) };
}

function textOf({ txHash, innerHash, index, to, amountMinor }: Outflow): string {
  return JSON.stringify([txHash, innerHash, index, to, `${amountMinor}`]);
}
