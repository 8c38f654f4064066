// Tests the commit on a real PostgreSQL. A change is written completely or not at all. If a newer version of one of its records
// is stored, the change is stale. If a constraint forbids a change, only that change is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptedBuys,
  assertLedgerSound,
  attempt,
  COMMITTED,
  credit,
  deposit,
  FUNDING,
  kindsOf,
  match,
  matchedEntry,
  matching,
  movement,
  notice,
  paying,
  recording,
  recordingIn,
  refusedBy,
  rowCounts,
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import { BUSINESS, databaseWithKeys, freshId, NOW, SCOPE } from '../../../../test/http/store-fixtures.ts';
import { ledgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { BankCredit } from '../../../domain/records/credit.ts';
import type { Deposit } from '../../../domain/records/deposit.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { postponeTransaction } from '../../../domain/records/transaction-moves.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
assert.deepEqual(await store.commit([FUNDING]), [COMMITTED]);
const { recorded, pairs } = recordingIn(database, store);

test('a change writes all of its records, and each is read back unchanged', async () => {
  const [[buy, paid]] = (await pairs(1)) as [[Transaction, BankCredit]];
  assert.deepEqual((await store.creditsById([paid.id])).get(paid.id), paid);
  const change = matching(buy, paid);
  assert.deepEqual(await store.commit([change]), [COMMITTED]);
  assert.deepEqual((await store.transactionsById([buy.id])).get(buy.id), change.transactions![0]!.after);
  assert.deepEqual(await store.creditsOf([buy.id]), [change.credits![0]!.after]);
  assert.deepEqual(await store.movementsOf([buy.id]), change.newMovements);
  const [send] = change.newMovements!;
  assert.deepEqual([...(await store.lastAttempts([send!.id])).values()], change.attempts);
  const { rows } = await database.query({
    text: 'select e.event, count(*)::int from entries e join postings p on p.entry_id = e.id where subject_id = $1 group by e.id order by e.id',
    values: [buy.id],
  });
  assert.deepEqual(rows, [
    { event: 'credit_matched', count: 2 },
    { event: 'tokens_reserved', count: 2 },
  ]);
  await assertLedgerSound(database);
});

test('records of every kind are added and moved', async () => {
  const [seen, sent] = [deposit(), notice()];
  assert.deepEqual(await store.commit([{ atMs: NOW, newDeposits: [seen], newNotices: [sent] }]), [COMMITTED]);
  const [found] = await store.leaseDeposits({ atMs: NOW, leaseMs: 1_000, limit: 10 });
  const leased: Deposit = { ...seen, version: 2, tries: 1, dueAtMs: NOW + 1_000 };
  assert.deepEqual(found, leased);
  const moved = makeMove(leased, { state: 'suspense', exception: 'unattributed', dueAtMs: null });
  const done = makeMove(sent, { state: 'done', dueAtMs: null });
  const usage = { ...SCOPE, period: '2026-11', amountMinor: 7n, limitMinor: 10n };
  const change: Change = {
    atMs: NOW,
    deposits: [moved],
    notices: [done],
    usage: [usage],
    freeze: { ...SCOPE, reason: 'case' },
    openCase: {
      id: freshId('cas'),
      kind: 'credit_reversed',
      mode: 'test',
      businessId: BUSINESS,
      transactionId: null,
      creditId: null,
      amountMinor: 1n,
    },
  };
  assert.deepEqual(await store.commit([change]), [COMMITTED]);
  assert.deepEqual(await store.usage([usage]), [7n]);
  const over = { atMs: NOW, usage: [{ ...usage, amountMinor: 4n }] };
  const within = { atMs: NOW, usage: [{ ...usage, amountMinor: 3n }] };
  assert.deepEqual(await store.commit([over, within]), [refusedBy('limit_usage_within'), COMMITTED]);
  assert.deepEqual(await store.usage([usage]), [10n]);
});

test('threat 17: a change based on an outdated version writes nothing', async () => {
  const [[buy, paid]] = (await pairs(1)) as [[Transaction, BankCredit]];
  const whole: Change = {
    ...matching(buy, paid),
    newDeposits: [deposit()],
    newNotices: [notice()],
    newCredits: [credit()],
    usage: [{ ...SCOPE, period: '2026-12', amountMinor: 1n, limitMinor: 10n }],
    freeze: { businessId: 'biz_other', mode: 'test', reason: 'x' },
    idempotency: { ...SCOPE, key: 'stale', requestHash: 'h', transactionId: buy.id },
  };
  const before = await rowCounts(database);
  const other = (change: Change, more: Partial<Change>) => ({ ...change, ...more });
  const unknown = movement();
  const stale = [
    other(whole, { transactions: [paying({ ...buy, version: 2 })] }),
    other(whole, { transactions: [paying({ ...buy, version: 0 })] }),
    other(whole, { transactions: [paying({ ...buy, id: freshId('txn') })] }),
    other(whole, { credits: [makeMove({ ...paid, version: 7 }, { state: 'review' })] }),
    other(whole, { movements: [makeMove(unknown, { state: 'done' })] }),
    other(whole, { deposits: [makeMove(deposit(), { state: 'gone' })] }),
    other(whole, { notices: [makeMove(notice(), { state: 'done' })] }),
    other(whole, { newCredits: [credit({ sourceId: paid.sourceId })] }),
  ];
  for (const change of stale) assert.deepEqual(await store.commit([change]), [STALE]);
  assert.deepEqual(await rowCounts(database), before);
  assert.deepEqual((await store.transactionsById([buy.id])).get(buy.id), buy);
  assert.deepEqual((await store.creditsById([paid.id])).get(paid.id), paid);
  assert.deepEqual(await store.commit([whole]), [COMMITTED]);
});

test('if one of many records in a change is stale, that change writes nothing, and the other changes are committed', async () => {
  const buys = await acceptedBuys(database, 12);
  const holding = (some: readonly Transaction[]): Change => ({ atMs: NOW, transactions: some.map(paying) });
  const broken = holding([...buys.slice(0, 5), { ...buys[5]!, version: 2 }, ...buys.slice(6, 10)]);
  const outcomes = await store.commit([holding([buys[10]!]), broken, holding([buys[11]!])]);
  assert.deepEqual(outcomes, [COMMITTED, STALE, COMMITTED]);
  const now = await store.transactionsById(buys.map(({ id }) => id));
  const states = buys.map(({ id }) => now.get(id)!.state);
  assert.deepEqual(states, [...Array(10).fill('awaiting_payment'), 'paid', 'paid']);
  for (const { id } of buys.slice(0, 10)) assert.equal((await store.timeline(id)).length, 1);
});

test('if one of 1,000 changes is invalid, only that change is refused, with the name of its rule, and the other 999 are committed', async () => {
  const taken = (await recorded(1))[0]!;
  assert.deepEqual(await store.commit([{ atMs: NOW, match: match(taken, 'txn_first', 2) }]), [COMMITTED]);
  for (const [at, poison, constraint] of [
    [0, { newMovements: [movement({ amountMinor: 0n })] }, 'movements_amount_minor_check'],
    [517, { match: match(taken, 'txn_second', 3) }, 'one_credit_one_transaction'],
    [998, { newCredits: [credit({ amountMinor: 0n })] }, 'bank_credits_sound'],
    [999, { newCredits: [credit({ narration: 'NUL \u0000' })] }, '22021'],
    [250, { newCredits: [credit({ raw: { text: 'NUL \u0000' } })] }, '22P05'],
  ] as const) {
    const buys = await acceptedBuys(database, 1_000);
    const changes = buys.map((buy, index): Change => {
      const change = { atMs: NOW, transactions: [paying(buy)] };
      return index === at ? { ...change, ...poison } : change;
    });
    const outcomes = await store.commit(changes);
    assert.deepEqual(outcomes[at], refusedBy(constraint));
    assert.deepEqual(new Set(kindsOf(outcomes.toSpliced(at, 1))), new Set(['committed']));
    const { rows } = await database.query({
      text: `select count(*) filter (where state = 'paid')::int as paid, count(*)::int as of from transaction_states where transaction_id = any ($1)`,
      values: [buys.map(({ id }) => id)],
    });
    assert.deepEqual(rows, [{ paid: 999, of: 1_000 }]);
    assert.equal((await store.transactionsById([buys[at]!.id])).get(buys[at]!.id)!.state, 'awaiting_payment');
  }
});

test('of several changes to one record in one call, the first is committed and the later ones are stale', async () => {
  const [buy] = (await acceptedBuys(database, 1)) as [Transaction];
  const change: Change = { atMs: NOW, transactions: [paying(buy)] };
  const later: Change = { atMs: NOW, transactions: [postponeTransaction(buy, NOW + 5)] };
  assert.deepEqual(await store.commit([change, later, change]), [COMMITTED, STALE, STALE]);
  const found = credit();
  const again = recording({ ...credit(), sourceId: found.sourceId });
  const before = await rowCounts(database);
  assert.deepEqual(await store.commit([recording(found), again]), [COMMITTED, STALE]);
  const after = await rowCounts(database);
  assert.deepEqual(
    [after.bank_credits, after.entries],
    [Number(before.bank_credits) + 1, Number(before.entries) + 1],
  );
  assert.deepEqual(await store.commit([]), []);
});

test('threat 18: a statement that is imported twice adds no rows and no postings the second time', async () => {
  const lines = Array.from({ length: 50 }, () => credit());
  const statement = () => lines.map((line) => recording({ ...line, id: freshId('crd') }));
  assert.deepEqual(new Set(kindsOf(await store.commit(statement()))), new Set(['committed']));
  const before = await rowCounts(database);
  assert.deepEqual(new Set(kindsOf(await store.commit(statement()))), new Set(['stale']));
  assert.deepEqual(await rowCounts(database), before);
  const longer = [...statement(), recording(credit())];
  assert.equal(kindsOf(await store.commit(longer)).filter((kind) => kind === 'committed').length, 1);
  const others = [
    credit({ ...lines[0], id: freshId('crd'), mode: 'live' }),
    credit({ ...lines[0], id: freshId('crd'), source: 'other', accountNumber: '9900000035' }),
  ];
  assert.deepEqual(await store.commit(others.map(recording)), [COMMITTED, COMMITTED]);
});

test('threat 55: a rescan that finds a deposit again adds no deposit; another index in the same transfer is another deposit', async () => {
  const seen = deposit();
  const again = deposit({ txHash: seen.txHash });
  const second = deposit({ txHash: seen.txHash, txIndex: 1 });
  const record = (each: typeof seen): Change => ({ atMs: NOW, newDeposits: [each] });
  assert.deepEqual(await store.commit([record(seen)]), [COMMITTED]);
  assert.deepEqual(await store.commit([record(again), record(second)]), [STALE, COMMITTED]);
});

test('after a lost response the same changes are stale, and nothing is written twice', async () => {
  const found = await pairs(20);
  const changes = found.map(([buy, paid]) => matching(buy, paid));
  assert.deepEqual(new Set(kindsOf(await store.commit(changes))), new Set(['committed']));
  const before = await rowCounts(database);
  assert.deepEqual(new Set(kindsOf(await store.commit(changes))), new Set(['stale']));
  assert.deepEqual(await rowCounts(database), before);
});

test('an attempt is updated under its number, and its signed bytes never change', async () => {
  const send = movement();
  const first = attempt(send);
  assert.deepEqual(await store.commit([{ atMs: NOW, newMovements: [send], attempts: [first] }]), [COMMITTED]);
  const landed = { ...first, payload: 'other bytes', state: 'landed', evidence: { block: 7 } } as const;
  const onward: Change = { atMs: NOW, movements: [makeMove(send, { state: 'done' })], attempts: [landed] };
  assert.deepEqual(await store.commit([onward]), [COMMITTED]);
  const [kept] = [...(await store.lastAttempts([send.id])).values()];
  assert.deepEqual(kept, { ...landed, payload: 'signed' });
});

test('threat 94: a posting that would make a balance negative is refused, and the rest of the batch is committed', async () => {
  const suspense = ledgerKey('test', 'NGN', 'suspense');
  const held = -(await store.balances([suspense])).get(suspense)!;
  const buys = (await acceptedBuys(database, 3)) as [Transaction, Transaction, Transaction];
  const taking = (buy: Transaction, amount: bigint): Change => ({
    atMs: NOW,
    transactions: [paying(buy)],
    entries: [matchedEntry(buy, amount)],
  });
  const outcomes = await store.commit([
    taking(buys[0], 1n),
    taking(buys[1], held),
    taking(buys[2], held - 1n),
  ]);
  assert.deepEqual(outcomes, [COMMITTED, refusedBy('accounts_not_negative'), COMMITTED]);
  assert.equal((await store.balances([suspense])).get(suspense), 0n);
  assert.equal((await store.transactionsById([buys[1].id])).get(buys[1].id)!.state, 'awaiting_payment');
  await assertLedgerSound(database);
});

test('threat 94: an entry that does not balance in each asset is refused', async () => {
  const posting = (asset: string, name: 'owed' | 'fees' | 'treasury' | 'capital', amountMinor: bigint) => ({
    account: ledgerKey('test', asset, name),
    amountMinor,
  });
  const entry = (...postings: ReturnType<typeof posting>[]): Change => ({
    atMs: NOW,
    entries: [{ event: 'treasury_funded', mode: 'test', subjectId: 'x', postings }],
  });
  const before = await rowCounts(database);
  const outcomes = await store.commit([
    entry(posting('A@1', 'treasury', 5n)),
    entry(posting('A@1', 'treasury', 5n), posting('A@1', 'capital', -4n)),
    // The sum over both assets is zero, but the sum of each asset is not.
    entry(posting('A@1', 'treasury', 5n), posting('B@1', 'capital', -5n)),
  ]);
  assert.deepEqual(outcomes, Array(3).fill(refusedBy('postings_balance')));
  assert.deepEqual(await rowCounts(database), before);
  const even = entry(posting('A@1', 'treasury', 5n), posting('A@1', 'capital', -5n));
  assert.deepEqual(await store.commit([even]), [COMMITTED]);
  await assertLedgerSound(database);
});
