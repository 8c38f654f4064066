// Tests which naira moves people may book, what the commit of a move requires, and that no sequence of moves creates naira.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LedgerAccountName, ledgerKey } from '../ledger/chart-of-accounts.ts';
import { type Entry, entryOf, LEDGER_EVENTS, type LedgerEvent } from '../ledger/ledger.ts';
import {
  type BookedAccount,
  formatLedgerAccount,
  NAIRA_MOVE_KINDS,
  type NairaFacts,
} from '../records/naira-move.ts';
import { type BankBook, bookNairaMove, coverAccounts } from './naira-moves.ts';

const BY = { actor: 'per_obi', atMs: Date.parse('2026-11-16T12:00:00Z') };
const PAYOUT: BookedAccount = { name: 'bank_out', detail: '058:1111111111' };
const OTHER: BookedAccount = { name: 'bank_out', detail: '035:2222222222' };
const VENDOR: BookedAccount = { name: 'bank_in', detail: '035:9900000011' };
const OLD_NAME: BookedAccount = { name: 'bank_in', detail: 'unknown:9900000011' };
const ALL = [PAYOUT, OTHER, VENDOR, OLD_NAME];
const PUT_IN: NairaFacts = {
  ...{ mode: 'test', kind: 'put_in', charge: null, account: PAYOUT, to: null },
  ...{ nairaMinor: 100n, day: '2026-11-16', reference: 'NIP 1' },
};

/** Books in memory, in which debits are positive. They refuse the same postings as the database. */
function makeBooks() {
  const balances = new Map<string, bigint>();
  const of = (key: string) => balances.get(key) ?? 0n;
  const post = (entries: readonly Entry[]) => {
    for (const { account, amountMinor } of entries.flatMap(({ postings }) => postings))
      balances.set(account, of(account) + amountMinor);
  };
  const books = (): BankBook[] =>
    ALL.map((each) => ({
      ...each,
      freeMinor: of(ledgerKey('test', 'NGN', each.name, each.detail)),
      reservedMinor:
        each.name === 'bank_in' ? 0n : of(ledgerKey('test', 'NGN', 'bank_reserved', each.detail)),
    }));
  const ask = (facts: Partial<NairaFacts>, bookedAs?: string) =>
    bookNairaMove({ ...PUT_IN, ...facts }, { id: 'nai_1', books: books(), balances, bookedAs }, BY);
  return {
    balances,
    of,
    post,
    books,
    ask,
    name: (name: LedgerAccountName) => of(ledgerKey('test', 'NGN', name)),
  };
}

const said = (result: ReturnType<ReturnType<typeof makeBooks>['ask']>) =>
  result.ok ? 'ok' : result.error.message;
const posted = (event: LedgerEvent, amount: bigint, more: object = {}) =>
  entryOf(event, {
    ...{ mode: 'test', subjectId: 's', amounts: { amount, fee: 0n, tokens: 0n }, asset: 'TKN@Net' },
    ...{ bankAccount: VENDOR.detail!, payoutAccount: PAYOUT.detail, ...more },
  });

test('each kind of move posts to its own accounts, and bank_transit is empty afterwards', () => {
  for (const [facts, events] of [
    [{}, ['float_funded']],
    [{ kind: 'taken_out' }, ['naira_withdrawn']],
    [{ kind: 'taken_out', account: VENDOR }, ['vendor_account_withdrawn']],
    [{ kind: 'moved', account: VENDOR, to: PAYOUT }, ['vendor_account_left', 'payout_account_reached']],
    [{ kind: 'moved', account: PAYOUT, to: OTHER }, ['payout_account_left', 'payout_account_reached']],
    [{ kind: 'moved', account: OLD_NAME, to: VENDOR }, ['vendor_account_left', 'vendor_account_reached']],
    [{ kind: 'charge_seen', charge: 'transfer_fee' }, ['bank_charged']],
    [{ kind: 'charge_seen', charge: 'vat' }, ['vat_charged']],
    [{ kind: 'charge_seen', charge: 'stamp_duty' }, ['stamp_duty_charged']],
    [{ kind: 'charge_seen', charge: 'stamp_duty', account: VENDOR }, ['vendor_account_charged']],
    [{ kind: 'charge_returned', charge: 'vat' }, ['charge_returned']],
  ] as const) {
    const books = makeBooks();
    books.post([posted('float_funded', 1_000n)]);
    for (const account of [VENDOR, OLD_NAME]) {
      books.post([posted('credit_received', 1_000n, { bankAccount: account.detail! })]);
      books.post([posted('credit_matched', 1_000n), posted('tokens_sent', 1_000n)]);
      books.post([posted('tokens_confirmed', 1_000n)]);
    }
    books.post([posted('bank_charged', 500n)]);
    const plan = books.ask(facts);
    assert.ok(plan.ok, said(plan));
    const { entries, nairaMove, conditions } = plan.value.change;
    assert.deepEqual(
      entries!.map(({ event }) => event),
      events,
    );
    assert.deepEqual(nairaMove, { ...PUT_IN, ...facts, id: 'nai_1' });
    assert.equal(conditions !== undefined, 'kind' in facts && facts.kind === 'taken_out');
    books.post(entries!);
    assert.equal(books.name('bank_transit'), 0n);
    assert.equal(books.name('capital'), events[0] === 'float_funded' ? -1_100n : -1_000n, 'no new capital');
  }
});

test('an invalid move is refused, and the message says what to change', () => {
  const books = makeBooks();
  books.post([posted('float_funded', 1_000n)]);
  for (const [facts, message] of [
    [{ nairaMinor: 0n }, /more than zero/],
    [{ nairaMinor: 10n ** 20n }, /at most/],
    [{ day: '16 Nov' }, /such as 2026-11-16/],
    [{ day: '2026-02-30' }, /such as 2026-11-16/],
    [{ day: '2026-11-17' }, /is in the future/],
    [{ reference: ' ' }, /reference must be/],
    [{ reference: 'a\nb' }, /reference must be/],
    [{ charge: 'vat' }, /^Name the charge or levy/],
    [{ kind: 'charge_seen' }, /^Name the charge or levy/],
    [{ to: OTHER }, /^Name the account/],
    [{ kind: 'moved' }, /^Name the account/],
    [{ kind: 'moved', to: PAYOUT }, /two different accounts/],
    [{ kind: 'moved', account: VENDOR, to: VENDOR }, /two different accounts/],
    [{ account: VENDOR }, /reports incoming money as a credit/],
    [{ kind: 'moved', to: VENDOR }, /reports incoming money as a credit/],
    [{ kind: 'charge_returned', charge: 'vat', account: VENDOR }, /reports incoming money as a credit/],
    [{ account: { name: 'bank_out', detail: '058:7' } }, /no account 058:7/],
    [{ kind: 'moved', to: { name: 'bank_out', detail: null } }, /no account simulated/],
    [{ kind: 'charge_returned', charge: 'vat' }, /Only ₦0.00 were charged/],
    [{ kind: 'taken_out', nairaMinor: 1_001n }, /₦10.00 in account 058:1111111111/],
    [{ kind: 'moved', account: VENDOR, to: PAYOUT }, /₦0.00 in account 035:9900000011/],
  ] as const)
    assert.match(said(books.ask(facts as Partial<NairaFacts>)), message);
  assert.match(said(books.ask({}, 'nai_7')), /NIP 1 of account 058:1111111111 is booked already.*nai_7/);
});

test('threat 94: a withdrawal cannot take the naira that belong to others, of each kind and in any account', () => {
  const owed: readonly (readonly Entry[])[] = [
    [posted('credit_received', 400n)],
    [posted('credit_received', 400n), posted('credit_matched', 400n)],
    [posted('credit_received', 400n), posted('credit_matched', 400n), posted('tokens_sent', 400n)],
    [posted('credit_received', 400n), posted('credit_refund_due', 400n)],
  ];
  for (const entries of owed) {
    const books = makeBooks();
    books.post([posted('float_funded', 1_000n), ...entries]);
    assert.equal(said(books.ask({ kind: 'taken_out', nairaMinor: 1_000n })), 'ok', 'it covers itself');
    books.post([posted('vendor_account_charged', 150n)]);
    assert.match(said(books.ask({ kind: 'taken_out', nairaMinor: 851n })), /At most ₦8.50 may be taken out/);
    assert.equal(said(books.ask({ kind: 'taken_out', nairaMinor: 850n })), 'ok');
  }
  for (const entries of [
    [posted('deposit_applied', 400n)],
    [posted('deposit_applied', 400n), posted('payout_reserved', 300n)],
    [
      posted('deposit_applied', 300n),
      posted('payout_reserved', 300n),
      posted('payout_paid', 300n),
      posted('payout_returned', 300n),
      posted('return_shortfall', 100n),
    ],
  ]) {
    const books = makeBooks();
    books.post([posted('float_funded', 1_000n), ...entries]);
    assert.match(said(books.ask({ kind: 'taken_out', nairaMinor: 700n })), /At most ₦6.00 may be taken out/);
    assert.equal(said(books.ask({ kind: 'taken_out', nairaMinor: 600n })), 'ok');
  }
});

test('the commit of a withdrawal requires that the bank balances of all accounts together cover all debts', () => {
  const books = makeBooks();
  books.post([posted('float_funded', 1_000n)]);
  const plan = books.ask({ kind: 'taken_out' });
  assert.ok(plan.ok);
  const accounts = coverAccounts('test', books.books());
  assert.deepEqual(plan.value.change.conditions, [{ notNegative: accounts }]);
  assert.deepEqual(
    accounts,
    [
      ...['bank_out/058:1111111111', 'bank_reserved/058:1111111111', 'bank_out/035:2222222222'],
      ...['bank_reserved/035:2222222222', 'bank_in/035:9900000011', 'bank_in/unknown:9900000011'],
      ...['bank_transit', 'suspense', 'owed', 'in_flight', 'payouts_due', 'refunds_due', 'recoveries'],
    ].map((name) => `test/NGN/${name}`),
  );
});

test('only these events can reduce the money that covers the naira of others; a new event needs a decision', () => {
  const accounts = new Set(
    coverAccounts(
      'test',
      [PAYOUT, VENDOR].map((each) => ({ ...each, freeMinor: 0n, reservedMinor: 0n })),
    ),
  );
  const lowering = (Object.keys(LEDGER_EVENTS) as LedgerEvent[]).filter((event) => {
    const amounts = { amount: 100n, tokens: 100n, dust: 1n, fee: 7n };
    const moved = posted(event, 0n, { amounts }).postings.filter(({ account }) => accounts.has(account));
    return moved.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) < 0n;
  });
  assert.deepEqual(lowering.sort(), [
    // A bank charge reduces the naira at the bank, whoever owns them. The operator bears the charge.
    'bank_charged',
    // Naira are promised for tokens that arrived. From then on, these tokens belong to the operator.
    'deposit_applied',
    // The fee belonged to the operator. The customer is now owed the whole payment again.
    'fee_returned',
    // The bank took back money although its value was already delivered.
    'loss',
    'naira_withdrawn',
    // The bank paid twice by mistake, and a case recovers the money.
    'payout_paid_late',
    // The bank returned less than was paid, but the owner gets the full amount.
    'return_shortfall',
    // The fee of the sell had been earned, and is now owed again.
    'returned_payout_due',
    'stamp_duty_charged',
    'vat_charged',
    'vendor_account_charged',
    'vendor_account_withdrawn',
  ]);
});

test('threat 94: after any sequence of moves, the books balance, no account is overdrawn, and the naira of others stay covered', () => {
  const step = fc.record({
    kind: fc.constantFrom(...NAIRA_MOVE_KINDS),
    charge: fc.constantFrom(null, 'transfer_fee', 'vat', 'stamp_duty'),
    account: fc.constantFrom(...ALL),
    to: fc.constantFrom(null, ...ALL),
    nairaMinor: fc.bigInt({ min: -5n, max: 600n }),
    credit: fc.bigInt({ min: 0n, max: 300n }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const books = makeBooks();
      let [putIn, takenOut, charged, received] = [0n, 0n, 0n, 0n];
      for (const { credit, ...facts } of steps) {
        books.post([posted('credit_received', credit)]);
        received += credit;
        const covered = () =>
          coverAccounts('test', books.books()).reduce((sum, key) => sum + books.of(key), 0n);
        const before = covered();
        const plan = books.ask(facts as Partial<NairaFacts>);
        if (!plan.ok) continue;
        books.post(plan.value.change.entries!);
        const { kind, nairaMinor } = facts;
        if (kind === 'put_in') putIn += nairaMinor;
        if (kind === 'taken_out') takenOut += nairaMinor;
        if (kind === 'charge_seen') charged += nairaMinor;
        if (kind === 'charge_returned') charged -= nairaMinor;
        if (kind === 'taken_out') assert.ok(covered() >= 0n);
        if (kind === 'moved') assert.equal(covered(), before);
        assert.equal(books.name('bank_transit'), 0n);
        for (const each of books.books()) assert.ok(each.freeMinor >= 0n, formatLedgerAccount(each));
      }
      const atBanks = books.books().reduce((sum, { freeMinor }) => sum + freeMinor, 0n);
      assert.equal(atBanks, received + putIn - takenOut - charged);
      assert.deepEqual(
        [-books.name('capital'), books.name('withdrawn'), books.name('charges')],
        [putIn, takenOut, charged],
      );
      assert.equal(
        [...books.balances.values()].reduce((sum, each) => sum + each, 0n),
        0n,
      );
    }),
  );
});
