// Lists the possible states of a record and the possible events in each state, as far as the code defines them. The product's
// table has the transitions of transactions, this file has those of the other records, and the ledger defines its events. No
// table of the product has events within a state (a posted entry, a new wallet): pairs.txt lists those that seeds are known to
// reach.
import { readFileSync, writeFileSync } from 'node:fs';
import { LEDGER_EVENTS } from '../../../src/domain/ledger/ledger.ts';
import { ALLOWED_MOVES, TRANSACTION_TYPES } from '../../../src/domain/records/states.ts';

/** The state before the record exists. */
export const NONE = 'new';
const LIST = new URL('pairs.txt', import.meta.url);

export function pairOf(kind: string, state: string, event: string): string {
  return `${kind}: ${state} ${event}`;
}

export function moveTo(state: string): string {
  return `→ ${state}`;
}

export function isMove(pair: string): boolean {
  return pair.includes('→');
}

/** For each state, the states that may follow. A state follows itself if the record can be postponed or reported again. */
type Table = Readonly<Record<string, string>>;

const OVER_NETWORK = {
  pending: 'pending sending failed',
  sending: 'sending unknown pending done failed',
  unknown: 'unknown sending pending done failed',
} as const;
/**
 * A movement returns to pending if no rail accepted it. It becomes returned if the bank returned it. It becomes done again if
 * the bank paid it after all and people confirm this.
 */
const BY_BANK = {
  sending: 'sending unknown pending done failed',
  unknown: 'unknown sending pending done failed',
} as const;
/** People replace a failed refund with a new refund. */
const REPLACED = { failed: 'failed' } as const;
const NETWORK_ATTEMPT: Table = {
  new: 'prepared',
  prepared: 'accepted unknown rejected',
  unknown: 'unknown accepted rejected failed dead landed',
  accepted: 'accepted unknown failed dead landed',
};
const BANK_ATTEMPT: Table = {
  new: 'prepared',
  prepared: 'accepted unknown failed dead landed',
  // An order that was never sent becomes dead, even if the service queried the rail about it in the meantime.
  unknown: 'unknown accepted failed dead landed',
  // A rail may refuse an order after it accepted the order. Until the refusal is certain, the outcome of the order is unknown.
  accepted: 'accepted unknown failed landed',
};

const TABLES: Readonly<Record<string, Table>> = {
  credit: {
    new: 'unmatched',
    unmatched: 'unmatched review matched refunded written_off split reversed',
    review: 'review matched refunded written_off split reversed',
    matched: 'refunded reversed',
    refunded: 'reversed',
    split: 'reversed',
  },
  deposit: {
    new: 'seen suspense',
    seen: 'seen applied suspense refunded gone',
    suspense: 'applied refunded written_off own_funds',
    applied: 'refunded',
  },
  notice: { new: 'open', open: 'open review done', review: 'done' },
  send: { new: 'sending', ...OVER_NETWORK },
  payout: {
    new: 'sending pending',
    // The service checks the account name again before another rail gets the payout.
    pending: 'pending sending failed',
    ...BY_BANK,
    done: 'returned',
    returned: 'done',
  },
  'bank refund': {
    ...{ new: 'pending', pending: 'pending sending failed', ...BY_BANK, ...REPLACED },
    ...{ done: 'done returned', returned: 'done returned' },
  },
  'token refund': { new: 'pending', ...OVER_NETWORK, ...REPLACED },
  sweep: { new: 'pending', ...OVER_NETWORK, pending: 'pending sending' },
  withdrawal: { new: 'pending', ...OVER_NETWORK },
  'attempt at a send': NETWORK_ATTEMPT,
  'attempt at a payout': BANK_ATTEMPT,
  'attempt at a bank refund': BANK_ATTEMPT,
  'attempt at a token refund': NETWORK_ATTEMPT,
  'attempt at a sweep': NETWORK_ATTEMPT,
  'attempt at a withdrawal': NETWORK_ATTEMPT,
};

const ACCEPTED = { buy: 'awaiting_wallet awaiting_payment', sell: 'awaiting_deposit' } as const;

export function knownPairs(): readonly string[] {
  const transactions = TRANSACTION_TYPES.map((type): [string, Table] => {
    const moves = Object.entries<readonly string[]>(ALLOWED_MOVES[type]).map(([from, to]) => [
      from,
      to.join(' '),
    ]);
    return [type, { [NONE]: ACCEPTED[type], ...Object.fromEntries(moves) }];
  });
  const moves = [...transactions, ...Object.entries(TABLES)].flatMap(([kind, table]) =>
    Object.entries(table).flatMap(([from, to]) =>
      to === '' ? [] : to.split(' ').map((each) => pairOf(kind, from, moveTo(each))),
    ),
  );
  return [...moves, ...Object.keys(LEDGER_EVENTS).map(postedAnywhere), ...listedPairs()];
}

export function postedAnywhere(event: string): string {
  return `ledger: ${event}`;
}

export function listedPairs(): readonly string[] {
  return readFileSync(LIST, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

export function writeListedPairs(pairs: Iterable<string>): void {
  writeFileSync(LIST, `${[...new Set(pairs)].sort().join('\n')}\n`);
}
