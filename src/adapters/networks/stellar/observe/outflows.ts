// What left the treasury, whichever key signed it: read from every provider that answers, because one may be behind or leave
// something out. A closed ledger never changes, so what was shown is final; the position waits for the slowest provider.
import type { Outflow, Outflows } from '../../../../ports/network/watches.ts';
import type { Chain, Part } from '../horizon/chain.ts';
import { isFields, recordsOf, Unreadable } from '../horizon/fields.ts';
import { type Horizon, HorizonFailed } from '../horizon/horizon.ts';
import { loadHistory, requireFresh } from '../horizon/ledgers.ts';
import { cursorOf } from './credits.ts';
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
  readonly cursor: bigint;
}

export function makeOutflows(chain: Chain): Part<'outflows'> {
  const { providers, settings } = chain;
  return {
    outflows: async (position) => {
      if (position !== null && !/^\d{1,19}$/.test(position))
        throw new Error(`${settings.name}: the stored position is not valid`);
      const reads = await providers.every((horizon) =>
        position === null ? begin(chain, horizon) : readOn(chain, horizon, position),
      );
      return together(reads);
    },
  };
}

/** The last operation of the account. */
async function begin(chain: Chain, horizon: Horizon): Promise<Read> {
  const records = await operations(chain, horizon, 'order=desc&limit=1');
  await requireAwake(chain, horizon);
  const last = records.length === 0 ? '0' : cursorOf(records[0]);
  if (last === null) throw new Unreadable('the last operation of the treasury has no paging token');
  return { outflows: [], unreadable: new Map(), cursor: BigInt(last) };
}

async function readOn(chain: Chain, horizon: Horizon, position: string): Promise<Read> {
  const outflows: Outflow[] = [];
  const unreadable = new Map<string, Unread>();
  let cursor = BigInt(position);
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
        outflows.push(...debitsOf(record, { account: chain.treasury, token: chain.token }));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable.set(next, { reason: error.message, raw: JSON.stringify(record) });
      }
    }
    if (records.length === PAGE) continue;
    if (cursor === BigInt(position)) await requireAwake(chain, horizon);
    return { outflows, unreadable, cursor };
  }
  throw new HorizonFailed('a server lists operations of the treasury without end');
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
  const lowest = reads.map(({ cursor }) => cursor).reduce((a, b) => (a < b ? a : b));
  return {
    outflows: [...outflows.values()],
    unreadable: [...unreadable.values()],
    position: `${lowest}`,
  };
}

function textOf({ txHash, innerHash, index, to, amountMinor }: Outflow): string {
  return JSON.stringify([txHash, innerHash, index, to, `${amountMinor}`]);
}
