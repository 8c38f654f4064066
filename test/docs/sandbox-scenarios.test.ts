// Tests docs/start/sandbox.md. The page lists every sandbox scenario, and each scenario ends as the table says, for a buy and
// for a sell.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SCENARIOS } from '../../src/ports/sandbox.ts';
import { buy, FAST, newCustomer, sell } from '../e2e/calls.ts';
import { settled } from '../e2e/settled.ts';
import { startTestService } from '../support/service.ts';

const PAGE = readFileSync(new URL('../../docs/start/sandbox.md', import.meta.url), 'utf8');
const STELLAR = {
  network: 'Stellar',
  wallet_address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
};

const rows = [...PAGE.matchAll(/^\| `([a-z_]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, scenario = '', ofBuy = '', ofSell = '']) => ({ scenario, ofBuy, ofSell }),
);
const paid = rows.find(({ scenario }) => scenario === 'paid');

/**
 * Parses the end of a scenario from a cell: "`state`, `exception`, ₦100.00 back", "all back" for the whole amount, or "as
 * `paid`".
 */
function endOf(cell: string, asPaid: string, amount: number) {
  const text = cell === 'as `paid`' ? asPaid : cell;
  const [state = '', exception = null] = [...text.matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => word);
  const back = /₦([\d,.]+) back/.exec(text)?.[1]?.replaceAll(',', '') ?? '0';
  return { state, exception, refunded: text.endsWith('all back') ? amount : Number(back) };
}

test('the table lists every scenario of the code, in the same order', () => {
  assert.deepEqual(
    rows.map(({ scenario }) => scenario),
    SCENARIOS,
  );
});

test('every scenario ends as the table says', { concurrency: true }, async (t) => {
  const service = await startTestService(FAST);
  const play = async (create: typeof buy, scenario: string, cell: string, asPaid: string) => {
    const { amount, account_number } = newCustomer();
    const changes = { ...STELLAR, amount, account_number, account_name: 'Adaeze Okafor' };
    const created = await create(service, changes, { headers: { 'svc-scenario': scenario } });
    const { state, exception, refunded } = endOf(cell, asPaid, amount);
    await settled(service, created.transaction_id, {
      states: [state],
      until: (shown) => shown.exception === exception && shown.refunded_amount === refunded,
    });
  };
  for (const { scenario, ofBuy, ofSell } of rows) {
    t.test(`${scenario}, a buy`, () => play(buy, scenario, ofBuy, paid!.ofBuy));
    t.test(`${scenario}, a sell`, () => play(sell, scenario, ofSell, paid!.ofSell));
  }
});
