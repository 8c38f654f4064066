// What left the treasury, whoever signed it: read of every provider that answers, because one may be behind or silent
// about something. A closed ledger is never taken back, so what was shown is final; the position waits for whoever is behind.
import type { Outflow, Outflows } from '../../../../ports/network/watches.ts';
import type { Chain, Part } from '../horizon/chain.ts';
import { isFields, recordsOf, Unreadable } from '../horizon/fields.ts';
import { type Horizon, HorizonFailed } from '../horizon/horizon.ts';
import { loadHistory, requireFresh } from '../horizon/ledgers.ts';
import { cursorOf } from './credits.ts';
import { debitsOf } from './debits.ts';

const PAGE = 200;
/** Nothing is signed before all of it was read, and a list without end is a lie. */
const MOST_PAGES = 500;

type Unread = Outflows['unreadable'][number];

/** Of one provider. */
interface Read {
  readonly outflows: readonly Outflow[];
  /** By the place of the record, which is the same at every provider. */
  readonly unreadable: ReadonlyMap<string, Unread>;
  readonly cursor: bigint;
}

export function makeOutflows(chain: Chain): Part<'outflows'> {
  const { providers, settings } = chain;
  return {
    outflows: async (position) => {
      if (position !== null && !/^\d{1,19}$/.test(position))
        throw new Error(`${settings.name}: the stored position is not one`);
      const reads = await providers.every((horizon) =>
        position === null ? begin(chain, horizon) : readOn(chain, horizon, position),
      );
      return together(reads);
    },
  };
}

/** The last thing the account did. */
async function begin(chain: Chain, horizon: Horizon): Promise<Read> {
  const records = await operations(chain, horizon, 'order=desc&limit=1');
  await requireAwake(chain, horizon);
  const last = records.length === 0 ? '0' : cursorOf(records[0]);
  if (last === null) throw new Unreadable('the last operation of the treasury has no place');
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
        throw new Unreadable('the server answered records without order');
      cursor = BigInt(next);
      try {
        if (!isFields(record)) throw new Unreadable('a record is no object');
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
  throw new HorizonFailed('a server has no end of operations of the treasury');
}

async function operations({ treasury }: Chain, horizon: Horizon, query: string) {
  return recordsOf(await horizon.need(`/accounts/${treasury}/operations?${query}`));
}

/** A server that stands still shows nothing, like one on which nothing happens. */
async function requireAwake({ clock }: Chain, horizon: Horizon): Promise<void> {
  requireFresh((await loadHistory(horizon)).latestClosedAtMs, clock.now());
}

/** All that any of them shows; the position is the one of whoever has read least. */
function together(reads: readonly Read[]): Outflows {
  const outflows = new Map<string, Outflow>();
  const unreadable = new Map<string, Unread>();
  for (const read of reads) {
    for (const each of read.outflows) {
      const key = `${each.txHash} ${each.index}`;
      const other = outflows.get(key);
      outflows.set(key, each);
      if (other !== undefined && tell(other) !== tell(each))
        unreadable.set(key, {
          reason: 'the providers do not show the same',
          raw: `${tell(other)} ${tell(each)}`,
        });
    }
    for (const [place, each] of read.unreadable) unreadable.set(place, each);
  }
  const lowest = reads.map(({ cursor }) => cursor).reduce((a, b) => (a < b ? a : b));
  return {
    outflows: [...outflows.values()],
    unreadable: [...unreadable.values()],
    position: `${lowest}`,
  };
}

function tell({ txHash, innerHash, index, to, amountMinor }: Outflow): string {
  return JSON.stringify([txHash, innerHash, index, to, `${amountMinor}`]);
}
