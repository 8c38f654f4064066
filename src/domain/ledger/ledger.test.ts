// The ledger's rules: docs/ledger.md shows the same tables, every event balances, the statements of that page follow from
// the postings, and the steps of a movement leave nothing behind.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeEntries, costEntries, stepEntries } from '../movements/entries.ts';
import type { Movement } from '../records/movement.ts';
import {
  type AccountName,
  CHART,
  type Entry,
  EVENTS,
  entryOf,
  keyOf,
  type LedgerEvent,
  type Leg,
  partsOf,
} from './ledger.ts';

const PAGE = readFileSync(new URL('../../../docs/ledger.md', import.meta.url), 'utf8');
const ASSET = 'TKN@Net';
const FACTS = { mode: 'test', subjectId: 's', asset: ASSET, bankAccount: '058:1' } as const;
const NAMES = Object.keys(EVENTS) as LedgerEvent[];
const legsOf = (event: LedgerEvent): readonly Leg[] => EVENTS[event];

function rowsUnder(heading: string): string[][] {
  const part = PAGE.split(`\n${heading}\n`)[1]?.split(/\n#/)[0] ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const bare = (cell: string) => cell.replaceAll('`', '');

test('the accounts of docs/ledger.md are the chart', () => {
  const rows = rowsUnder('## Accounts').map(([name = '', ...rest]) => [bare(name), ...rest]);
  assert.deepEqual(
    rows,
    Object.entries(CHART).map(([name, { of, side, meaning }]) => [name, of, side, meaning]),
  );
});

test('the events of docs/ledger.md are those of the code, in the same order and groups', () => {
  const groups = [
    ...['Funding', 'A buy', 'A sell', 'What networks take', 'Refunds'],
    ...['The operator takes tokens out', 'What went wrong'],
  ];
  const rows = groups.flatMap((group) => rowsUnder(`### ${group}`));
  assert.deepEqual(
    rows.map(([event = '']) => bare(event)),
    NAMES,
  );
  for (const [event = '', when = '', nairaCell = '', tokenCell = ''] of rows) {
    assert.match(when, /^[A-Z].+\.$/, event);
    const legs = [...readLegs('naira', nairaCell), ...readLegs('token', tokenCell)];
    const expected = legsOf(bare(event) as LedgerEvent).toSorted((a, b) =>
      a.in < b.in ? -1 : a.in > b.in ? 1 : 0,
    );
    assert.deepEqual(legs, expected, event);
  }
});

function readLegs(kind: 'naira' | 'token', cell: string): Leg[] {
  const amount = kind === 'naira' ? 'amount' : 'tokens';
  const parts = bare(cell)
    .split('; ')
    .filter((part) => part !== '');
  return parts.map((part) => {
    const [, debit, credit, named] = /^(\w+) \/ (\w+)(?: \((\w+)\))?$/.exec(part)!;
    return { in: kind, debit: debit as AccountName, credit: credit as AccountName, amount: named ?? amount };
  });
}

test('legs stay within their kind of account, and every account is used', () => {
  const used = new Set<string>();
  for (const event of NAMES) {
    for (const { in: kind, debit, credit } of legsOf(event)) {
      for (const name of [debit, credit]) {
        assert.ok(CHART[name].of === kind || CHART[name].of === 'both', `${event} ${name}`);
        used.add(`${kind} ${name}`);
      }
    }
  }
  const chart = Object.entries(CHART).flatMap(([name, { of }]) =>
    (of === 'both' ? ['naira', 'token'] : [of]).map((kind) => `${kind} ${name}`),
  );
  assert.deepEqual([...used].sort(), chart.sort());
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 20n });
const amounts = fc.record({ amount, tokens: amount, fee: amount, dust: amount });

test('threat 94: every event balances, asset by asset, whatever the amounts', () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), amounts, (event, given) => {
      const sums = new Map<string, bigint>();
      for (const { account, amountMinor } of entryOf(event, { ...FACTS, amounts: given }).postings) {
        assert.notEqual(amountMinor, 0n);
        const { asset, name } = partsOf(account);
        assert.ok(name in CHART);
        sums.set(asset, (sums.get(asset) ?? 0n) + amountMinor);
      }
      for (const [asset, sum] of sums) assert.equal(sum, 0n, asset);
    }),
  );
});

test('an amount that is missing or negative, and an account that is not named, are refused', () => {
  for (const event of NAMES) {
    const needed = [...new Set(legsOf(event).map((leg) => leg.amount))];
    for (const name of needed) {
      const good = Object.fromEntries(needed.map((each) => [each, 5n]));
      const { [name]: _, ...missing } = good;
      assert.throws(() => entryOf(event, { ...FACTS, amounts: missing }), /undefined/, event);
      assert.throws(() => entryOf(event, { ...FACTS, amounts: { ...good, [name]: -1n } }), /-1/, event);
      assert.equal(entryOf(event, { ...FACTS, amounts: { ...good, [name]: 0n } }).event, event);
    }
  }
  const { asset: _asset, ...noAsset } = FACTS;
  assert.throws(() => entryOf('tokens_reserved', { ...noAsset, amounts: { tokens: 1n } }), /needs the asset/);
  const { bankAccount: _account, ...noAccount } = FACTS;
  assert.throws(() => entryOf('credit_received', { ...noAccount, amounts: { amount: 1n } }), /bank account/);
});

test('the statements of docs/ledger.md follow from the postings', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...NAMES), amounts), { maxLength: 60 }), (history) => {
      const books = makeBooks();
      const total = (event: LedgerEvent, name: string) =>
        history.reduce((sum, [each, given]) => (each === event ? sum + given[name as 'amount'] : sum), 0n);
      for (const [event, given] of history) books.post([entryOf(event, { ...FACTS, amounts: given })]);
      const n = (...names: AccountName[]) => books.sum('NGN', names);
      const t = (...names: AccountName[]) => books.sum(ASSET, names);
      const received = total('credit_received', 'amount');
      const takenEarly =
        total('credit_reversed', 'amount') +
        total('payment_reversed', 'amount') +
        total('refund_reversed', 'amount');
      const refundsPaid = total('refund_paid', 'amount');
      const payoutsMade = total('payout_paid', 'amount');
      const sellFees = total('payout_paid', 'fee');
      const buyFees = n('fees') - sellFees;
      assert.equal(
        received,
        n('delivered', 'in_flight', 'owed', 'suspense', 'refunds_due', 'written_off') +
          refundsPaid +
          buyFees +
          takenEarly,
      );
      assert.equal(n('bank_in'), received - takenEarly - n('losses'));
      assert.equal(n('redeemed'), n('payouts_due') + payoutsMade + sellFees);
      assert.equal(
        n('capital', 'recoveries'),
        n('bank_out', 'bank_reserved', 'charges') + payoutsMade + refundsPaid,
      );
      const deposits = total('deposit_received', 'tokens') + total('deposit_received', 'dust');
      const sentBack = total('token_refund_paid', 'tokens') + total('deposit_own_funds', 'tokens');
      assert.equal(
        t('capital') + deposits,
        t('treasury', 'reserved', 'sent', 'out', 'withdrawn', 'lost', 'network_costs') + sentBack,
      );
      assert.equal(deposits, t('suspense', 'refunds_due', 'received', 'dust', 'written_off') + sentBack);
      assert.equal(t('coin_in'), t('rent_gained'));
    }),
  );
});

/** Balances on the side of their account. */
function makeBooks() {
  const balances = new Map<string, bigint>();
  const of = (asset: string, name: AccountName) => {
    const key =
      name === 'bank_in' ? `test/${asset}/bank_in/${FACTS.bankAccount}` : keyOf('test', asset, name);
    const balance = balances.get(key) ?? 0n;
    return CHART[name].side === 'debit' ? balance : -balance;
  };
  return {
    of,
    sum: (asset: string, names: readonly AccountName[]) =>
      names.reduce((total, name) => total + of(asset, name), 0n),
    post: (entries: readonly Entry[]) => {
      for (const { account, amountMinor } of entries.flatMap((entry) => entry.postings))
        balances.set(account, (balances.get(account) ?? 0n) + amountMinor);
    },
  };
}

type Step = Parameters<typeof stepEntries>[1];
const PATHS: readonly (readonly Step[])[] = [
  ['reserve', 'send', 'finish'],
  ['reserve', 'send', 'unsend', 'send', 'finish'],
  ['reserve', 'release'],
  ['reserve', 'send', 'unsend', 'release'],
];

function movement(kind: Movement['kind'], network: string | null): Movement {
  return {
    ...{
      id: 'mov_1',
      kind,
      mode: 'test',
      network,
      asset: network === null ? 'NGN' : ASSET,
      state: 'sending',
    },
    ...{
      amountMinor: network === null ? 900n : 900_000n,
      nairaMinor: 900n,
      transactionId: 'txn_1',
      creditId: null,
    },
    ...{ depositId: null, destination: null, reason: null, version: 1, attempts: 1, dueAtMs: null, tries: 0 },
    ...{ createdAtMs: 0, updatedAtMs: 0 },
  };
}

for (const steps of PATHS) {
  const done = steps.includes('finish');

  test(`a send by ${steps.join(', ')} leaves nothing set aside`, () => {
    const books = makeBooks();
    const send = movement('send', 'Net');
    for (const step of steps) books.post(stepEntries(send, step));
    const tokens = (name: AccountName) => books.of(ASSET, name);
    assert.deepEqual([tokens('reserved'), tokens('sent')], [0n, 0n]);
    assert.equal(tokens('out'), done ? 900_000n : 0n);
    assert.equal(tokens('treasury'), done ? -900_000n : 0n);
    assert.deepEqual([books.of('NGN', 'in_flight'), books.of('NGN', 'delivered')], [0n, done ? 900n : 0n]);
    assert.equal(books.of('NGN', 'owed'), done ? -900n : 0n);
  });

  test(`a payout and refunds by ${steps.join(', ')} leave nothing set aside`, () => {
    const books = makeBooks();
    for (const step of steps) {
      books.post(stepEntries(movement('payout', null), step, 100n));
      books.post(stepEntries(movement('refund', null), step));
      books.post(stepEntries(movement('refund', 'Net'), step));
    }
    const naira = (name: AccountName) => books.of('NGN', name);
    assert.equal(naira('bank_reserved'), 0n);
    assert.equal(naira('bank_out'), done ? -1_800n : 0n);
    assert.equal(naira('payouts_due'), done ? -1_000n : 0n);
    assert.equal(naira('refunds_due'), done ? -900n : 0n);
    assert.equal(naira('fees'), done ? 100n : 0n);
    assert.deepEqual(
      [books.of(ASSET, 'reserved'), books.of(ASSET, 'sent'), books.of(ASSET, 'out')],
      [0n, 0n, 0n],
    );
    assert.equal(books.of(ASSET, 'treasury'), done ? -900_000n : 0n);
    assert.equal(books.of(ASSET, 'refunds_due'), done ? -900_000n : 0n);
  });

  test(`a withdrawal by ${steps.join(', ')} leaves nothing set aside`, () => {
    const books = makeBooks();
    const withdrawal = movement('withdrawal', 'Net');
    books.post([entryOf('withdrawal_reserved', { ...FACTS, amounts: { tokens: withdrawal.amountMinor } })]);
    for (const step of steps) books.post(stepEntries(withdrawal, step));
    const tokens = (['reserved', 'sent', 'withdrawn', 'treasury'] as const).map((name) =>
      books.of(ASSET, name),
    );
    assert.deepEqual(tokens, done ? [0n, 0n, 900_000n, -900_000n] : [0n, 0n, 0n, 0n]);
  });
}

test('what a network took and what came back is posted by kind, and nothing where there was nothing', () => {
  const cost = { asset: 'COIN', feeMinor: 5n, openedMinor: 0n, closedMinor: 7n };
  const books = makeBooks();
  const entries = costEntries(movement('sweep', 'Net'), cost);
  books.post(entries);
  assert.deepEqual(
    entries.map(({ event }) => event),
    ['network_fee_paid', 'deposit_account_closed'],
  );
  const balances = (['network_costs', 'capital', 'coin_in', 'rent_gained'] as const).map((name) =>
    books.of('COIN@Net', name),
  );
  assert.deepEqual(balances, [5n, 5n, 7n, 7n]);
  assert.deepEqual(costEntries(movement('sweep', 'Net'), null), []);
});

test('a bank’s charge is posted, and none when there is none', () => {
  const books = makeBooks();
  books.post(chargeEntries(movement('payout', null), 53n));
  assert.deepEqual([books.of('NGN', 'charges'), books.of('NGN', 'bank_out')], [53n, -53n]);
  assert.deepEqual(chargeEntries(movement('payout', null), 0n), []);
});
