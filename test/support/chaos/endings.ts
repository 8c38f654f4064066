// Says how every lifecycle must end: as its story says, unless the outside world changed it, for example with tokens that never
// arrived or a payout that the bank refused. Also waits until all lifecycles have ended.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../../../src/adapters/postgres/connection/database.ts';
import { query } from '../accounted.ts';
import { stretchedTime } from '../patience.ts';
import { type Books, readBooks, type TransactionRow } from './books.ts';
import type { Lifecycle } from './stories.ts';

interface Ending {
  readonly state: string;
  readonly exception: string | null;
  readonly refundedMinor: bigint;
}

const DIFFERENCE_MINOR = 100_00n;

const ends = (state: string, exception: string | null = null, refundedMinor = 0n): Ending => ({
  state,
  exception,
  refundedMinor,
});

function endOfBuy(story: Lifecycle['story'], bankRefused: boolean): Ending {
  switch (story) {
    case 'underpaid':
      return ends('on_hold', 'paid_partial');
    case 'name_mismatch':
      return ends('on_hold', 'name_mismatch');
    case 'rivals':
      return ends('on_hold', 'duplicate_claim');
    case 'overpaid':
      // If the bank refuses a refund, the refund waits for people, so the transaction refunds nothing.
      return ends('completed', 'paid_over', bankRefused ? 0n : DIFFERENCE_MINOR);
    case 'late':
      return ends('completed', 'paid_late');
    case 'reversed':
      return ends('completed', 'credit_reversed');
    default:
      return ends('completed');
  }
}

interface SellFacts {
  readonly amountMinor: bigint;
  readonly arrived: number;
  readonly gone: number;
  readonly bankRefused: boolean;
}

/** How a sell must end; undefined if the outside world has not acted yet. */
function endOfSell(story: Lifecycle['story'], facts: SellFacts): Ending | undefined {
  const { amountMinor, arrived, gone, bankRefused } = facts;
  if (arrived + gone < (story === 'deposit_split' ? 2 : 1)) return undefined;
  // The network removed the tokens, so the customer did not pay for the sell.
  if (arrived === 0) return ends(story === 'deposit_late' ? 'expired' : 'awaiting_deposit');
  if (gone > 0 || story === 'deposit_short') return ends('on_hold', 'paid_partial');
  if (story === 'deposit_late') return ends('refunded', 'paid_late', amountMinor);
  if (story === 'payout_name_mismatch') return ends('on_hold', 'name_mismatch');
  const excessMinor = story === 'deposit_over' ? DIFFERENCE_MINOR : 0n;
  if (bankRefused) return ends('refunded', 'payout_failed', amountMinor + excessMinor);
  if (story === 'payout_fails') return undefined;
  if (story === 'payout_returned') return ends('on_hold', 'payout_returned');
  return ends('completed', excessMinor > 0n ? 'paid_over' : null, excessMinor);
}

const NEEDED = ['transactions', 'arrivals', 'payouts'] as const;

export interface Straggler {
  readonly transaction: TransactionRow;
  readonly story: string;
  readonly wanted: Ending | undefined;
}

export function stragglersIn(
  { transactions, arrivals, payouts }: Pick<Books, (typeof NEEDED)[number]>,
  lifecycles: readonly Lifecycle[],
): Straggler[] {
  const byReference = new Map(lifecycles.map((each) => [each.reference, each]));
  const refused = new Set(
    payouts.flatMap(({ about, fate }) => (fate === 'fails' && about !== null ? [about] : [])),
  );
  const arrivedFor = Map.groupBy(arrivals, ({ id }) => id.slice(0, id.indexOf('-')));
  return transactions.flatMap((transaction) => {
    const { story, type } = byReference.get(transaction.reference)!;
    const own = arrivedFor.get(transaction.id) ?? [];
    const arrived = own.filter(({ fate }) => fate === 'settles').length;
    const bankRefused = refused.has(transaction.id);
    const facts = { amountMinor: transaction.amount_minor, arrived, gone: own.length - arrived, bankRefused };
    const wanted = type === 'buy' ? endOfBuy(story, bankRefused) : endOfSell(story, facts);
    const { state, exception, refunded_minor } = transaction;
    const there =
      state === wanted?.state && exception === wanted.exception && refunded_minor === wanted.refundedMinor;
    return there ? [] : [{ transaction, story, wanted }];
  });
}

/** Finds work that the service must still do, and data of the outside world that the service has not read yet. */
const OPEN = `
select 'movement' as what, id from movements where state in ('pending', 'sending', 'unknown')
union all select 'deposit', id from deposits where state = 'seen'
union all select 'credit', id from bank_credits where state = 'unmatched'
union all select 'notice', id from bank_notices where state = 'open'
union all select 'line', source_id from simulated_statement
  where position > coalesce((select position::bigint from feeds where name = 'bank test simulated'), 0)
union all select 'arrival', a.id from simulated_arrivals a
  where a.position > coalesce((select position::bigint from feeds where name = 'network test ' || a.network), 0)`;

/** The longest time without progress on an idle machine. Postponed work waits only for seconds here. */
const LONGEST_STANDSTILL_MS = 60_000;
const LOOK_EVERY_MS = 250;

export interface Unfinished {
  readonly stragglers: readonly Straggler[];
  readonly open: readonly { readonly what: string; readonly id: string }[];
}

/** Waits as long as there is progress, and for some time after it. Returns the lifecycles that never ended. */
export async function awaitEndings(
  connection: ConnectionSettings,
  lifecycles: readonly Lifecycle[],
): Promise<Unfinished> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let time = stretchedTime(LONGEST_STANDSTILL_MS); ; await sleep(LOOK_EVERY_MS)) {
    const stragglers = stragglersIn(await readBooks(connection, NEEDED), lifecycles);
    const open = await query<{ what: string; id: string }>(connection, OPEN);
    const left = stragglers.length + open.length;
    if (left === 0) return { stragglers, open };
    if (left < fewest) time = stretchedTime(LONGEST_STANDSTILL_MS);
    fewest = Math.min(fewest, left);
    if (time.isUp()) return { stragglers, open };
  }
}
