// Plays every scenario of the sandbox, from the create call to its final state. Afterwards the ledger balances.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, sellBody, startTestService } from '../support/service.ts';
import { booksBalance, settled } from './settled.ts';

const service = await startTestService();
const WALLET = { network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
const STELLAR = {
  network: 'Stellar',
  wallet_address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
};

interface Story {
  readonly scenario: string;
  readonly ends: string;
  readonly exception?: string | null;
  readonly refunded?: number;
  readonly changes?: Record<string, unknown>;
  readonly until?: (transaction: Record<string, unknown>) => boolean;
}

const BUYS: readonly Story[] = [
  { scenario: 'paid', ends: 'completed' },
  { scenario: 'underpaid', ends: 'on_hold', exception: 'paid_partial' },
  {
    scenario: 'overpaid',
    ends: 'completed',
    exception: 'paid_over',
    refunded: 100,
    until: (transaction) => transaction.refunded_amount === 100,
  },
  { scenario: 'late', ends: 'completed', exception: 'paid_late' },
  { scenario: 'duplicate', ends: 'completed' },
  { scenario: 'name_mismatch', ends: 'on_hold', exception: 'name_mismatch' },
  {
    scenario: 'reversed',
    ends: 'completed',
    exception: 'credit_reversed',
    until: (transaction) => transaction.exception === 'credit_reversed',
  },
  { scenario: 'send_fails', ends: 'completed' },
  { scenario: 'send_unknown', ends: 'completed' },
  { scenario: 'send_dropped', ends: 'completed' },
  { scenario: 'send_reorganised', ends: 'completed' },
  { scenario: 'no_trustline', ends: 'completed', changes: STELLAR },
];

const SELLS: readonly Story[] = [
  { scenario: 'paid', ends: 'completed' },
  { scenario: 'payout_fails', ends: 'refunded', exception: 'payout_failed', refunded: 25000 },
  { scenario: 'payout_unknown', ends: 'completed' },
  { scenario: 'payout_name_mismatch', ends: 'on_hold', exception: 'name_mismatch' },
  {
    scenario: 'payout_returned',
    ends: 'on_hold',
    exception: 'payout_returned',
    until: (transaction) => transaction.exception === 'payout_returned',
  },
  { scenario: 'deposit_short', ends: 'on_hold', exception: 'paid_partial' },
  {
    scenario: 'deposit_over',
    ends: 'completed',
    exception: 'paid_over',
    refunded: 100,
    until: (transaction) => transaction.refunded_amount === 100,
  },
  { scenario: 'deposit_split', ends: 'completed' },
  { scenario: 'deposit_late', ends: 'refunded', exception: 'paid_late', refunded: 25000 },
  { scenario: 'duplicate', ends: 'completed' },
];

async function tell(path: string, body: Record<string, unknown>, story: Story): Promise<void> {
  const created = await service.post(path, body, { headers: { 'svc-scenario': story.scenario } });
  assert.equal(created.status, 200, created.text);
  const id = created.body.transaction.transaction_id as string;
  const ended = await settled(service, id, {
    states: [story.ends],
    ...(story.until !== undefined && { until: story.until }),
  });
  assert.equal(ended.state, story.ends);
  assert.equal(ended.exception, story.exception ?? null);
  assert.equal(ended.refunded_amount, story.refunded ?? 0);
  if (story.ends === 'completed') assert.ok(ended.tx_hash, 'a transaction hash is shown');
}

test('every buy scenario ends in its expected state', { concurrency: true }, async (t) => {
  for (const [index, story] of BUYS.entries()) {
    const changes = {
      ...WALLET,
      amount: 20000 + index,
      account_number: `012345${String(index).padStart(4, '0')}`,
      account_name: 'Adaeze Okafor',
      ...story.changes,
    };
    t.test(story.scenario, () => tell('/transactions/v1/onramp', buyBody(service.business, changes), story));
  }
});

test('every sell scenario ends in its expected state', { concurrency: true }, async (t) => {
  for (const story of SELLS) {
    t.test(story.scenario, () =>
      tell('/transactions/v1/offramp', sellBody(service.business, { ...WALLET, ...story.changes }), story),
    );
  }
});

test('the books balance after all scenarios', async () => {
  await booksBalance(service);
});
