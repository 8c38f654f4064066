// Tests the effect of deposits on sells, from the report of the network to the payout by the bank. Only final transfers of the
// expected token count, and each transfer counts once. If tokens are missing, late or too many, they are refunded or stay in an
// account of the ledger.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { confirmDeposits } from './confirm-deposits.ts';
import { observeDeposits } from './observe-deposits.ts';

const rig = await openRig();
const AMOUNT = 2_500_000n;
const TOKENS = AMOUNT * 10_000n;

const sellWith = (changes: Partial<Transaction> = {}) => rig.sell({ wallet: POLYGON_WALLET, ...changes });
const depositsOf = (id: string) => rig.deps.store.depositsOf([id]);
const paidOut = async (id: string) => (await rig.bank.paidOut(id)).map(({ amountMinor }) => amountMinor);

async function refundsOf(id: string) {
  const refunds = (await rig.deps.store.movementsOf([id])).filter(({ kind }) => kind === 'refund');
  return refunds.map(({ state, nairaMinor }) => [state, nairaMinor]);
}

test('a deposit that is seen but not final does not count', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT);
  await rig.run();
  assert.deepEqual([(await rig.find(sell.id)).state, await rig.events(sell.id)], ['confirming', []]);
  await rig.until(sell.id, 'completed');
  assert.deepEqual(await paidOut(sell.id), [AMOUNT]);
});

test('threat 45: a deposit that the network drops in the end never counts, and the sell waits again', async () => {
  const sell = await sellWith();
  rig.meets('arrive', '*', 'gone');
  await rig.depositFor(sell, AMOUNT);
  await rig.until(sell.id, 'confirming');
  await rig.until(sell.id, 'awaiting_deposit');
  assert.deepEqual([await rig.events(sell.id), (await depositsOf(sell.id))[0]!.state], [[], 'gone']);
  await rig.depositFor(sell, AMOUNT);
  await rig.until(sell.id, 'completed');
});

test('threats 45, 50: if a second transfer is dropped, the first one keeps its grace period, and the sell does not expire', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT / 2n);
  await rig.until(sell.id, 'confirming');
  await rig.until(sell.id, 'awaiting_deposit');
  rig.meets('arrive', '*', 'gone');
  await rig.depositFor(sell, AMOUNT / 2n);
  const held = await rig.until(sell.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['paid_partial', AMOUNT / 2n]);
});

test('threat 50: after the grace period an underpaid sell is held, without a payout and with its tokens in suspense; the rest completes it', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT - 1n);
  const held = await rig.until(sell.id, 'on_hold');
  assert.equal(held.exception, 'paid_partial');
  assert.deepEqual(await rig.deps.store.movementsOf([sell.id]), []);
  assert.equal((await rig.books(sell.id))['NGNC@Polygon suspense'], -(TOKENS - 10_000n));
  await rig.depositFor(sell, 1n);
  const done = await rig.until(sell.id, 'completed');
  assert.equal(done.exception, null);
  assert.deepEqual([await paidOut(sell.id), await refundsOf(sell.id)], [[AMOUNT], []]);
});

test('threat 51: an overpaid sell is paid out as ordered, and the excess is returned to the wallet', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT + 1n);
  const done = await rig.until(sell.id, 'completed');
  assert.equal(done.exception, 'paid_over');
  await rig.passing(3_000);
  assert.deepEqual([await paidOut(sell.id), await refundsOf(sell.id)], [[AMOUNT], [['done', 1n]]]);
  assert.equal((await rig.find(sell.id)).refundedMinor, 1n);
});

test('threat 52: if a deposit is split over two transfers, each is counted once, and the sell is paid out in full', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, 1_000_000n, { id: 'first-half' });
  await rig.depositFor(sell, 1_500_000n, { id: 'second-half' });
  await rig.depositFor(sell, 1_000_000n, { id: 'first-half' });
  await rig.until(sell.id, 'completed');
  const deposits = await depositsOf(sell.id);
  assert.deepEqual(
    deposits.map(({ state }) => state),
    ['applied', 'applied'],
  );
  assert.deepEqual([await paidOut(sell.id), await refundsOf(sell.id)], [[AMOUNT], []]);
  assert.equal((await rig.books(sell.id))['NGNC@Polygon received'], -TOKENS);
});

test('threat 52: transfers on two networks for one sell both count', async () => {
  const sell = await rig.sell({}, ['Polygon', 'Stellar']);
  await rig.depositFor(sell, 1_000_000n);
  await rig.depositFor(sell, 1_500_000n, { network: 'Stellar' });
  await rig.until(sell.id, 'completed');
  const books = await rig.books(sell.id);
  assert.deepEqual(
    [books['NGNC@Polygon received'], books['NGNC@Stellar received']],
    [-1_000_000n * 10_000n, -1_500_000n * 100_000n],
  );
});

test('threat 53: late tokens are returned to the wallet, and no naira leaves', async () => {
  const sell = await sellWith({ expiresAtMs: rig.now() + 1_000 });
  await rig.until(sell.id, 'expired');
  await rig.depositFor(sell, AMOUNT);
  const done = await rig.until(sell.id, 'refunded');
  assert.deepEqual([done.exception, done.refundedMinor], ['paid_late', AMOUNT]);
  assert.deepEqual([await paidOut(sell.id), await refundsOf(sell.id)], [[], [['done', AMOUNT]]]);
});

test('threat 53: tokens for a sell that is already paid are returned', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT);
  await rig.until(sell.id, 'completed');
  await rig.depositFor(sell, 700n);
  await rig.passing(4_000);
  assert.deepEqual([await paidOut(sell.id), await refundsOf(sell.id)], [[AMOUNT], [['done', 700n]]]);
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('threat 52: in a flood of transfers, the remaining ones are due at once: other deposits do not wait, and no transfer is missed', async () => {
  const sell = await sellWith();
  const parts = 53;
  for (let part = 0; part < parts; part++) await rig.depositFor(sell, 1n, { id: `flood-${sell.id}-${part}` });
  rig.pass(16_000);
  const confirm = async () => 'final' as const;
  const { deps } = rig.another({ network: (real) => (real.name === 'Polygon' ? { confirm } : {}) });
  for (let seen = 0; seen < parts; )
    seen += (await observeDeposits(deps, 'test', deps.networks.find('test', 'Polygon')!))!;
  const claim = async () => {
    const due = await deps.store.leaseDeposits({ atMs: rig.now(), leaseMs: 15_000, limit: 200 });
    return due.filter(({ transactionId }) => transactionId === sell.id);
  };
  const first = await claim();
  assert.equal(first.length, parts);
  await confirmDeposits(deps, first);
  const rest = await claim();
  assert.equal(rest.length, 3);
  await confirmDeposits(deps, rest);
  assert.equal((await rig.find(sell.id)).receivedMinor, BigInt(parts));
  rig.pass(16_000);
});

test('threat 52: one process counts all of many small transfers to one sell, and queries each once', async () => {
  const sell = await sellWith();
  const parts = 9;
  for (let part = 0; part < parts; part++) await rig.depositFor(sell, 1n, { id: `dust-${sell.id}-${part}` });
  rig.pass(16_000);
  let asked = 0;
  const confirm = async () => {
    asked++;
    return 'final' as const;
  };
  const { deps } = rig.another({ network: (real) => (real.name === 'Polygon' ? { confirm } : {}) });
  assert.equal(await observeDeposits(deps, 'test', deps.networks.find('test', 'Polygon')!), parts);
  const due = await deps.store.leaseDeposits({ atMs: rig.now(), leaseMs: 15_000, limit: 200 });
  const own = due.filter(({ transactionId }) => transactionId === sell.id);
  assert.equal(own.length, parts);
  await confirmDeposits(deps, own);
  assert.deepEqual(new Set((await depositsOf(sell.id)).map(({ state }) => state)), new Set(['suspense']));
  assert.deepEqual([asked, (await rig.find(sell.id)).receivedMinor], [parts, BigInt(parts)]);
  rig.pass(16_000);
});

test('threat 55: a rescan from the beginning finds the same deposits, and adds no row and no posting', async () => {
  const counts = () =>
    rig.rows(
      'select (select count(*) from deposits) as d, (select count(*) from entries) as e, (select count(*) from movements) as m',
    );
  const before = await counts();
  await rig.rows(`update feeds set position = null where name like 'network %'`);
  assert.ok((await observeDeposits(rig.deps, 'test', rig.network('Polygon')))! > 5);
  await rig.passing(3_000);
  assert.deepEqual(await counts(), before);
});

test('threat 55: when two processes watch one network, only one records a transfer, and it counts once', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT);
  const other = rig.another();
  const seen = await Promise.all(
    [rig.deps, other.deps].map((deps) => observeDeposits(deps, 'test', rig.network('Polygon'))),
  );
  assert.deepEqual(seen, [1, undefined]);
  await Promise.all([rig.run(), other.run()]);
  rig.pass(16_000);
  await rig.until(sell.id, 'completed');
  assert.deepEqual(await paidOut(sell.id), [AMOUNT]);
});

test('threat 59: if the beneficiary’s name differs, the sell is held, and nothing is paid', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT);
  rig.pass(16_000);
  const named = rig.another({ bank: { enquireName: async () => ({ kind: 'found', name: 'MUSA IBRAHIM' }) } });
  for (let step = 0; step < 10; step++) {
    await named.run();
    rig.pass(500);
  }
  const held = await rig.find(sell.id);
  assert.deepEqual([held.state, held.exception], ['on_hold', 'name_mismatch']);
  const line = (await rig.deps.store.timeline(sell.id)).at(-1)!;
  assert.equal(line.evidence?.bank_says, 'MUSA IBRAHIM');
  assert.deepEqual([await rig.deps.store.movementsOf([sell.id]), await paidOut(sell.id)], [[], []]);
});

test('a sell to an account that the bank does not know is held; a sell waits while the bank does not respond', async () => {
  const [unknown, none] = [await sellWith(), await sellWith({ accountNumber: '0000000000' })];
  for (const sell of [unknown, none]) await rig.depositFor(sell, AMOUNT);
  rig.pass(16_000);
  const silent = rig.another({
    bank: {
      enquireName: async (question) =>
        question.accountNumber === '0000000000'
          ? rig.bank.payouts.enquireName(question)
          : { kind: 'unknown', reason: 'timed out' },
    },
  });
  for (let step = 0; step < 10; step++) {
    await silent.run();
    rig.pass(500);
  }
  assert.deepEqual(
    [(await rig.find(none.id)).exception, (await rig.find(unknown.id)).state],
    ['account_unknown', 'deposited'],
  );
  rig.pass(16_000);
  await rig.until(unknown.id, 'completed');
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));

test('threat 102: a deposit does not count if its address holds less than it received: nothing is paid out, and each such deposit opens one case', async () => {
  const sell = await sellWith();
  let isShort = true;
  const beside: (readonly string[])[] = [];
  const process = rig.another({
    network: (real) => ({
      sweeps: true,
      confirm: async (sighting) => {
        beside.push((sighting.beside ?? []).map(({ txHash }) => txHash));
        const answer = await real.confirm(sighting);
        return answer === 'final' && isShort ? { missingMinor: 123_456n } : answer;
      },
    }),
  });
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round++) {
      await process.run();
      rig.pass(2_000);
    }
  };
  await rig.depositFor(sell, AMOUNT / 2n);
  await rig.depositFor(sell, AMOUNT / 2n);
  await rounds(10);
  const deposits = await depositsOf(sell.id);
  assert.deepEqual(
    deposits.map(({ state }) => state),
    ['seen', 'seen'],
  );
  assert.deepEqual([(await rig.find(sell.id)).state, await paidOut(sell.id)], ['confirming', []]);
  const [first, second] = deposits.map(({ txHash }) => txHash);
  assert.ok(beside.some(([only]) => only === first) && beside.some(([only]) => only === second));
  const cases = () =>
    rig.rows(
      `select kind, about, business_id, transaction_id, amount_minor::int as missing, closed_at from cases where about = any ($1)
       order by about`,
      deposits.map(({ id }) => id),
    );
  const opened = deposits
    .map(({ id: about }) => about)
    .toSorted()
    .map((about) => ({
      ...{ kind: 'deposit_short', about, business_id: sell.businessId, transaction_id: sell.id },
      // If a fraction of a kobo is missing, this counts as missing, too.
      ...{ missing: 13, closed_at: null },
    }));
  assert.deepEqual(await cases(), opened, 'each asked about more than once');
  const logged = process.troubles.filter(({ message }) => /holds less than its deposits/.test(message));
  assert.deepEqual(
    logged.map(({ detail }) => [detail.said_minor, detail.missing_minor]),
    Array(2).fill([`${TOKENS / 2n}`, '123456']),
  );
  isShort = false;
  await rounds(60);
  assert.ok(
    (await depositsOf(sell.id)).every(({ state, exception }) => state === 'applied' && exception === null),
  );
  assert.deepEqual(await cases(), opened, 'people close it');
});
