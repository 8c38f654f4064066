// Tests what a business sees of the money of its transaction. It sees the transaction's own postings with a text, and nothing
// that may belong to other businesses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credit, deposit } from '../../../test/http/settlement-fixtures.ts';
import { BUSINESS, NOW, transaction } from '../../../test/http/store-fixtures.ts';
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import type { ExplainedEntry } from '../../ports/ledger.ts';
import { readTransactionMoney, type TransactionMoneyDeps } from './read-transaction-money.ts';

const READER = { key: { business: { id: BUSINESS }, mode: 'test' } } as const;
const BUY = transaction();

const entry = (
  event: ExplainedEntry['event'],
  subjectId: string,
  postings: ExplainedEntry['postings'] = [],
): ExplainedEntry => ({ id: 1n, event, subjectId, atMs: NOW, postings });

function world(parts: {
  readonly entries: readonly ExplainedEntry[];
  readonly credits?: readonly ReturnType<typeof credit>[];
  readonly deposits?: readonly ReturnType<typeof deposit>[];
}): TransactionMoneyDeps {
  return {
    store: {
      findTransaction: async (_scope: unknown, id: string) => (id === BUY.id ? BUY : undefined),
      creditsOf: async () => parts.credits ?? [],
      depositsOf: async () => parts.deposits ?? [],
    },
    details: { detailsOf: async () => new Map() },
    banks: { resolve: () => undefined },
    ledgerAudit: { explain: async () => parts.entries },
    networks: {
      find: (_mode: string, name: string) => (name === 'Polygon' ? { asset: { decimals: 6 } } : undefined),
    },
  } as unknown as TransactionMoneyDeps;
}

async function moneyOf(deps: TransactionMoneyDeps) {
  const money = await readTransactionMoney(deps, READER, BUY.id);
  assert.ok(money.ok);
  return money.value;
}

test('shows the entries of the transaction, of its deposits, and of the credits that definitely belong to it', async () => {
  const [matched, over, doubtful, held] = [
    credit({ state: 'matched', exception: 'name_mismatch' }),
    credit({ state: 'review', exception: 'paid_over' }),
    credit({ state: 'review', exception: 'name_mismatch' }),
    deposit(),
  ];
  const money = await moneyOf(
    world({
      ...{ credits: [matched, over, doubtful], deposits: [held] },
      entries: [
        entry('credit_received', matched.id),
        entry('excess_set_aside', over.id),
        entry('credit_refund_due', doubtful.id),
        entry('deposit_received', held.id),
        entry('fee_taken', BUY.id),
        entry('credit_matched', 'txn_of_another'),
        entry('tokens_reserved', BUY.id),
      ],
    }),
  );
  assert.deepEqual(
    money.entries.map(({ event }) => event),
    ['credit_received', 'excess_set_aside', 'deposit_received', 'fee_taken'],
  );
  assert.equal(money.transaction, BUY);
});

test('postings have a side and an asset; postings in a token with unknown decimals are left out', async () => {
  const account = (asset: string, name: Parameters<typeof ledgerKey>[2]) => ledgerKey('test', asset, name);
  const { entries } = await moneyOf(
    world({
      entries: [
        entry('tokens_sent', BUY.id, [
          { account: account('NGN', 'owed'), amountMinor: 900n },
          { account: account('NGNC@Polygon', 'treasury'), amountMinor: -9_000_000n },
          { account: account('NGNC@Elsewhere', 'treasury'), amountMinor: -9n },
        ]),
      ],
    }),
  );
  assert.deepEqual(
    entries[0]!.postings.map(({ side, amountMinor, decimals, asset, network }) => [
      ...[side, amountMinor, decimals, asset, network],
    ]),
    [
      ['debit', 900n, 2, 'NGN', null],
      ['credit', 9_000_000n, 6, 'NGNC', 'Polygon'],
    ],
  );
});

test('bank charges are the sum over the shown entries only', async () => {
  const charged = (event: ExplainedEntry['event'], subjectId: string, amountMinor: bigint) =>
    entry(event, subjectId, [
      { account: ledgerKey('test', 'NGN', 'charges'), amountMinor },
      { account: ledgerKey('test', 'NGN', 'bank_out'), amountMinor: -amountMinor },
    ]);
  const { bankChargesMinor } = await moneyOf(
    world({
      entries: [
        charged('bank_charged', BUY.id, 1_000n),
        charged('vat_charged', BUY.id, 75n),
        charged('stamp_duty_charged', BUY.id, 5_000n),
        charged('payout_returned', BUY.id, 7n),
        charged('bank_charged', 'mov_of_another', 100_000n),
      ],
    }),
  );
  assert.equal(bankChargesMinor, 6_075n);
});

test('a transaction of another business is not found', async () => {
  const refused = await readTransactionMoney(world({ entries: [] }), READER, transaction().id);
  assert.ok(!refused.ok);
});
