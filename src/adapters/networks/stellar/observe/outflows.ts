// Reads the outflows of the treasury, no matter which key signed them. They are read from every provider that responds, because
// one may lag or leave out operations. A closed ledger never changes, so every outflow is final. The position stays at the
// slowest provider.
import type { Outflow, OutflowPage } from '../../../../ports/networks/network-watch.ts';
import { ledgerOfAccount, loadAccount } from '../horizon/account.ts';
import { fieldsOf, type HorizonFields, isFields, recordsOf, UnreadableAnswer } from '../horizon/fields.ts';
import { type Horizon, HorizonError } from '../horizon/horizon.ts';
import { loadHistory, requireFresh } from '../horizon/ledgers.ts';
import type { NetworkPart, StellarChain } from '../horizon/stellar-chain.ts';
import { cursorOf, isAccount, readTokenCredits } from './token-credits.ts';
import { readTokenDebits } from './token-debits.ts';

const PAGE = 200;
/** Nothing is signed before all operations were read. A provider that returns more pages than this counts as faulty. */
const MOST_PAGES = 500;

type UnreadOperation = OutflowPage['unreadable'][number];

interface StellarOutflows {
  readonly outflows: readonly Outflow[];
  /** Unreadable operations by their paging token, which is the same at every provider. */
  readonly unreadable: ReadonlyMap<string, UnreadOperation>;
  readonly place: OutflowPosition;
  /**
   * The treasury's balance minus the balance expected from the old balance and the operations since then. Null means that the
   * difference is not known.
   */
  readonly unlistedMinor: bigint | null;
}

/** The last operation that was read, and the treasury's balance after it. Null means that the balance is not known. */
interface OutflowPosition {
  readonly cursor: bigint;
  readonly heldMinor: bigint | null;
}

export function makeOutflows(chain: StellarChain): NetworkPart<'outflows'> {
  const { providers, settings } = chain;
  return {
    outflows: async (position) => {
      const start = position === null ? null : readOutflowPosition(position);
      if (start === undefined) throw new Error(`${settings.name}: the stored position is not valid`);
      const reads = await providers.every((horizon) =>
        start === null ? readNewestPosition(chain, horizon) : readOutflowsAfter(chain, horizon, start),
      );
      return mergeOutflows(reads);
    },
  };
}

async function readNewestPosition(chain: StellarChain, horizon: Horizon): Promise<StellarOutflows> {
  const { ledger, heldMinor } = await readTreasuryBalance(chain, horizon);
  const records = await readOperations(chain, horizon, 'order=desc&limit=1');
  await requireFreshServer(chain, horizon);
  const last = records.length === 0 ? '0' : cursorOf(records[0]);
  if (last === null) throw new UnreadableAnswer('the last operation of the treasury has no paging token');
  const cursor = BigInt(last);
  const place = { cursor, heldMinor: ledgerAt(cursor) <= ledger ? heldMinor : null };
  return { outflows: [], unreadable: new Map(), place, unlistedMinor: null };
}

async function readTreasuryBalance({ treasury, token }: StellarChain, horizon: Horizon) {
  const account = await loadAccount(horizon, treasury, token);
  if (account === undefined) throw new HorizonError('the treasury account does not exist');
  return { ledger: BigInt(ledgerOfAccount(account)), heldMinor: account.trustline?.balanceMinor ?? 0n };
}

function ledgerAt(cursor: bigint): bigint {
  return cursor >> 32n;
}

async function readOutflowsAfter(
  chain: StellarChain,
  horizon: Horizon,
  start: OutflowPosition,
): Promise<StellarOutflows> {
  // The balance is read before the operations. Operations of later ledgers are returned, but the position moves past them only
  // when the balance includes them.
  const balance = await readTreasuryBalance(chain, horizon);
  const outflows: Outflow[] = [];
  const unreadable = new Map<string, UnreadOperation>();
  let { cursor } = start;
  let passed = start.cursor;
  let expectedMinor = start.heldMinor;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = `cursor=${cursor}&order=asc&limit=${PAGE}&join=transactions`;
    const records = await readOperations(chain, horizon, query);
    for (const record of records) {
      const next = cursorOf(record);
      if (next === null || BigInt(next) <= cursor)
        throw new UnreadableAnswer('the server answered with records out of order');
      cursor = BigInt(next);
      try {
        if (!isFields(record)) throw new UnreadableAnswer('a record is not an object');
        const debits = readTokenDebits(record, { account: chain.treasury, token: chain.token });
        outflows.push(...debits);
        if (ledgerAt(cursor) > balance.ledger) continue;
        passed = cursor;
        const cameMinor = receivedWith(chain, record);
        expectedMinor =
          expectedMinor === null || cameMinor === null ? null : expectedMinor + cameMinor - sumOf(debits);
      } catch (error) {
        if (!(error instanceof UnreadableAnswer)) throw error;
        unreadable.set(next, { reason: error.message, raw: JSON.stringify(record) });
        if (ledgerAt(cursor) <= balance.ledger) passed = cursor;
        expectedMinor = null;
      }
    }
    if (records.length === PAGE) continue;
    if (cursor === start.cursor) await requireFreshServer(chain, horizon);
    // If the balance is older than the position, the two cannot be compared.
    const isBehind = balance.ledger < ledgerAt(start.cursor);
    const heldMinor = isBehind ? expectedMinor : balance.heldMinor;
    const unlistedMinor = isBehind || expectedMinor === null ? null : balance.heldMinor - expectedMinor;
    return { outflows, unreadable, place: { cursor: passed, heldMinor }, unlistedMinor };
  }
  throw new HorizonError('a server lists operations of the treasury without end');
}

/**
 * The amount that an operation credited to the treasury. Null means that the record of the operation does not show the amount.
 */
function receivedWith({ treasury: account, token }: StellarChain, record: HorizonFields): bigint | null {
  if (record.type === 'claim_claimable_balance' && isAccount(record.source_account, account)) return null;
  try {
    const transaction = fieldsOf(record.transaction, 'the transaction of an operation');
    return sumOf(
      readTokenCredits(record, transaction, { account, token }).filter(({ ourToken }) => ourToken),
    );
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return null;
  }
}

function sumOf(moves: readonly { readonly amountMinor: bigint }[]): bigint {
  return moves.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

async function readOperations({ treasury }: StellarChain, horizon: Horizon, query: string) {
  return recordsOf(await horizon.need(`/accounts/${treasury}/operations?${query}`));
}

/** To a client of a stalled server, the network looks as if it had no new transactions. */
async function requireFreshServer({ clock }: StellarChain, horizon: Horizon): Promise<void> {
  requireFresh((await loadHistory(horizon)).latestClosedAtMs, clock.now());
}

/** Merges the outflows of all providers. The position is that of the slowest provider. */
function mergeOutflows(reads: readonly StellarOutflows[]): OutflowPage {
  const outflows = new Map<string, Outflow>();
  const unreadable = new Map<string, UnreadOperation>();
  for (const read of reads) {
    for (const each of read.outflows) {
      const key = `${each.txHash} ${each.index}`;
      const other = outflows.get(key);
      outflows.set(key, each);
      if (other !== undefined && textOfOutflow(other) !== textOfOutflow(each))
        unreadable.set(key, {
          reason: 'the providers show different records',
          raw: `${textOfOutflow(other)} ${textOfOutflow(each)}`,
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
    position: writeOutflowPosition(lowest),
    ...(known.length > 0 && { unlistedMinor }),
  };
}

function writeOutflowPosition({ cursor, heldMinor }: OutflowPosition): string {
  return heldMinor === null ? `${cursor}` : `${cursor} ${heldMinor}`;
}

function readOutflowPosition(text: string): OutflowPosition | undefined {
  const [, cursor, held] = /^(\d{1,19})(?: (\d{1,19}))?$/.exec(text) ?? [];
  if (cursor === undefined) return undefined;
  return { cursor: BigInt(cursor), heldMinor: held === undefined ? null : BigInt(held) };
}

function textOfOutflow({ txHash, innerHash, index, to, amountMinor }: Outflow): string {
  return JSON.stringify([txHash, innerHash, index, to, `${amountMinor}`]);
}
