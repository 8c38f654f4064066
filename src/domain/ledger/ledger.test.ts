// Tests the rules of the ledger. docs/concepts/ledger.md shows the same tables, and its statements follow from the postings.
// Every event balances, and the steps of a movement leave no remainder.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeBooks } from '../../../test/support/stages/ledger-books.ts';
import { CHART_OF_ACCOUNTS, type LedgerAccountName, parseLedgerKey } from './chart-of-accounts.ts';
import { entryOf, LEDGER_EVENTS, type LedgerEvent, type Leg } from './ledger.ts';

const PAGE = readFileSync(new URL('../../../docs/concepts/ledger.md', import.meta.url), 'utf8');
const ASSET = 'TKN@Net';
const FACTS = {
  mode: 'test',
  subjectId: 's',
  asset: ASSET,
  bankAccount: '058:1',
  payoutAccount: null,
} as const;
const NAMES = Object.keys(LEDGER_EVENTS) as LedgerEvent[];
const legsOf = (event: LedgerEvent): readonly Leg[] => LEDGER_EVENTS[event];

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

test('docs/concepts/ledger.md lists the accounts of the chart', () => {
  const rows = rowsUnder('## Accounts').map(([name = '', ...rest]) => [bare(name), ...rest]);
  assert.deepEqual(
    rows,
    Object.entries(CHART_OF_ACCOUNTS).map(([name, { of, side, meaning }]) => [name, of, side, meaning]),
  );
});

test('docs/concepts/ledger.md lists the events of the code, in the same order and groups', () => {
  const groups = [
    ...[
      'Funding',
      'Naira between bank accounts, and out',
      'A buy',
      'A sell',
      'What networks take',
      'Refunds',
    ],
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
    return {
      in: kind,
      debit: debit as LedgerAccountName,
      credit: credit as LedgerAccountName,
      amount: named ?? amount,
    };
  });
}

test('each posting uses accounts of its kind, and every account is used by some event', () => {
  const used = new Set<string>();
  for (const event of NAMES) {
    for (const { in: kind, debit, credit } of legsOf(event)) {
      for (const name of [debit, credit]) {
        assert.ok(
          CHART_OF_ACCOUNTS[name].of === kind || CHART_OF_ACCOUNTS[name].of === 'both',
          `${event} ${name}`,
        );
        used.add(`${kind} ${name}`);
      }
    }
  }
  const chart = Object.entries(CHART_OF_ACCOUNTS).flatMap(([name, { of }]) =>
    (of === 'both' ? ['naira', 'token'] : [of]).map((kind) => `${kind} ${name}`),
  );
  assert.deepEqual([...used].sort(), chart.sort());
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 20n });
const amounts = fc.record({ amount, tokens: amount, fee: amount, dust: amount });

test('threat 94: the postings of every event sum to zero for each asset, for any amounts', () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), amounts, (event, given) => {
      const sums = new Map<string, bigint>();
      for (const { account, amountMinor } of entryOf(event, { ...FACTS, amounts: given }).postings) {
        assert.notEqual(amountMinor, 0n);
        const { asset, name } = parseLedgerKey(account);
        assert.ok(name in CHART_OF_ACCOUNTS);
        sums.set(asset, (sums.get(asset) ?? 0n) + amountMinor);
      }
      for (const [asset, sum] of sums) assert.equal(sum, 0n, asset);
    }),
  );
});

test('a missing or negative amount, and a missing asset or bank account, are refused', () => {
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

test('the equations in docs/concepts/ledger.md hold after any postings', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...NAMES), amounts), { maxLength: 60 }), (history) => {
      const books = makeBooks({ bank_in: FACTS.bankAccount });
      const total = (event: LedgerEvent, name: string) =>
        history.reduce((sum, [each, given]) => (each === event ? sum + given[name as 'amount'] : sum), 0n);
      for (const [event, given] of history) books.post([entryOf(event, { ...FACTS, amounts: given })]);
      const n = (...names: LedgerAccountName[]) => books.sum('NGN', names);
      const t = (...names: LedgerAccountName[]) => books.sum(ASSET, names);
      const all = (...events: LedgerEvent[]) =>
        events.reduce((sum, event) => sum + total(event, 'amount'), 0n);
      const received = all('credit_received');
      const takenEarly = all('credit_reversed', 'payment_reversed', 'refund_reversed');
      const [refundsPaid, payoutsMade] = [all('refund_paid'), all('payout_paid')];
      const sellFees = total('payout_paid', 'fee') - total('returned_payout_due', 'fee');
      const buyFees = n('fees') - sellFees;
      const [refundsAgain, payoutsAgain] = [all('returned_refund_due'), all('returned_payout_due')];
      const [keptReturns, shortfalls] = [all('recovery_written_off'), all('return_shortfall')];
      const [cameBack, late, counted] = [
        ...[all('payout_returned'), all('payout_paid_late'), all('late_payout_counted')],
      ] as const;
      const recovered = all('loss_recovered', 'overpayment_recovered');
      assert.equal(
        received + refundsAgain + keptReturns,
        n('delivered', 'in_flight', 'owed', 'suspense', 'refunds_due', 'written_off') +
          refundsPaid +
          buyFees +
          takenEarly,
      );
      assert.equal(n('redeemed') + payoutsAgain, n('payouts_due') + payoutsMade + sellFees);
      assert.equal(
        cameBack + shortfalls,
        n('recoveries') + payoutsAgain + refundsAgain + keptReturns + counted,
      );
      assert.equal(all('loss') + late, n('losses', 'overpaid', 'losses_accepted') + recovered + counted);
      assert.equal(
        n('bank_in', 'bank_out', 'bank_reserved', 'bank_transit'),
        received -
          (takenEarly + all('loss')) +
          (n('capital') - n('withdrawn') - payoutsMade - refundsPaid) +
          (cameBack - late + recovered - (n('charges') - shortfalls)),
      );
      assert.equal(
        n('bank_transit'),
        all('vendor_account_left', 'payout_account_left') -
          all('payout_account_reached', 'vendor_account_reached'),
      );
      assert.equal(n(...NAIRA_DEBITS), n(...NAIRA_CREDITS), 'debits and credits');
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

const ofNaira = (side: 'debit' | 'credit') =>
  (Object.keys(CHART_OF_ACCOUNTS) as LedgerAccountName[]).filter(
    (name) => CHART_OF_ACCOUNTS[name].of !== 'token' && CHART_OF_ACCOUNTS[name].side === side,
  );
const [NAIRA_DEBITS, NAIRA_CREDITS] = [ofNaira('debit'), ofNaira('credit')];

test('the equation in docs/concepts/ledger.md contains every naira account on the correct side', () => {
  const [, sum = ''] = /\*\*Naira\.\*\*[^`]*```\n([^`]+)```/.exec(PAGE) ?? [];
  const [debits = '', credits = ''] = sum.split('=');
  const names = (text: string) =>
    text
      .split('+')
      .map((each) => each.trim())
      .sort();
  assert.deepEqual(names(debits), NAIRA_DEBITS.toSorted());
  assert.deepEqual(names(credits), NAIRA_CREDITS.toSorted());
});
