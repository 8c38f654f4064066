// Tests sells with a store that only records its input: which requests the service refuses before it stores anything, with all
// errors at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { feeSchedule } from '../../domain/catalogue/fees.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { Acceptance } from '../../ports/store/acceptance.ts';
import type { Caller } from '../input/caller.ts';
import type { SubmissionDeps } from './submission.ts';
import { type SellRequest, submitSell } from './submit-sell.ts';

const NETWORK = {
  ...{ name: 'Polygon', asset: { code: 'NGNC', decimals: 6 }, confirmations: 3 },
  depositTarget: (id: string) => ({ address: `0x${id}`, memo: null, memoType: null }),
} as unknown as Network;
const BODY: SellRequest = {
  ...{ business_id: 'biz_1', link_tag: 'tag', type: 'sell_ramp', account_name: 'Ada Obi' },
  ...{ account_number: '0123456785', bank_name: 'GTBank' },
};

function stage({ rails = true, networks = [NETWORK] } = {}) {
  const stored: Transaction[] = [];
  const deps = {
    store: {
      accept: async ({ transaction }: Acceptance) => {
        stored.push(transaction);
        return { kind: 'created' };
      },
      findRepeated: async () => undefined,
    },
    banks: loadBankDirectory(),
    networks: {
      names: ['Polygon'],
      enabled: () => networks,
      find: () => networks[0],
      spell: () => undefined,
    },
    rails: { test: rails, live: rails },
    clock: { now: () => 1_000 },
    entropy: { bytes: (count: number) => new Uint8Array(count) },
    bounds: { minMinor: 100n, maxMinor: 100_000_000n },
    expiryMs: 60_000,
    accepted: () => undefined,
  } as unknown as SubmissionDeps;
  const caller = {
    key: { id: 'key_1', mode: 'test', business: { id: 'biz_1', linkTag: 'tag' } },
    catalogue: { fees: { test: feeSchedule([]), live: feeSchedule([]) } },
  } as unknown as Caller;
  const sell = async (changes: Partial<SellRequest> = {}) => {
    const body = { ...BODY, ...changes };
    const given = { caller, body, amountText: '15000.5', idempotencyKey: null, scenario: null };
    const answer = await submitSell(deps, given);
    return answer.ok ? [] : (answer.error.errors ?? []).map(({ field, code }) => `${field}: ${code}`);
  };
  return { sell, stored };
}

test('a sell is stored with its own deposit target, and waits for the tokens', async () => {
  const { sell, stored } = stage();
  assert.deepEqual(await sell(), []);
  const [{ id, state, amountMinor, deposits, dueAtMs }] = stored as [Transaction];
  assert.deepEqual([state, amountMinor, dueAtMs], ['awaiting_deposit', 1_500_050n, 61_000]);
  assert.deepEqual(
    deposits.map(({ network, address, expectedToken }) => [network, address, expectedToken]),
    [['Polygon', `0x${id}`, 15_000_500_000n]],
  );
});

test('without a bank rail a sell is refused, because its naira could not be paid out', async () => {
  const { sell, stored } = stage({ rails: false });
  assert.deepEqual(await sell(), ['type: rail_not_enabled']);
  assert.deepEqual(stored, []);
});

test('all errors of a sell are reported together', async () => {
  const { sell, stored } = stage({ rails: false, networks: [] });
  assert.deepEqual(await sell({ type: 'buy_ramp', bank_name: 'No Such Bank', account_number: '12' }), [
    'type: rail_not_enabled',
    'type: type_invalid',
    'account_number: account_number_invalid',
    'bank_name: bank_unknown',
    'network: network_not_enabled',
  ]);
  assert.deepEqual(stored, []);
});
