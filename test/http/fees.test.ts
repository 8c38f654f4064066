// Tests fees over HTTP. The service charges the fee at acceptance and never changes it. A fee that is set on the command line
// takes effect in every process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import type { Terminal } from '../../src/cli/command.ts';
import { feeCommands } from '../../src/cli/commands/fees.ts';
import { limitCommands } from '../../src/cli/commands/limits.ts';
import { readConfig } from '../../src/config.ts';
import { agreeOnSetting } from '../support/people/reviewers.ts';
import { buyBody, sellBody, startTestService } from '../support/service.ts';
import {
  assertRefused,
  OFFRAMP,
  ONRAMP,
  startAnother,
  storedTransaction,
  storingNothing,
} from './helpers.ts';

const service = await startTestService();
const { business, foundation } = service;

async function run(line: string): Promise<string> {
  const printed: string[] = [];
  const terminal: Terminal = {
    config: readConfig({}),
    log: pino({ level: 'silent' }),
    print: (text) => printed.push(text),
    note: () => undefined,
    emit: () => undefined,
    json: false,
    interrupted: new AbortController().signal,
    progress: () => undefined,
    withFoundation: (work) => work({ ...foundation, signedIn: null }),
    stepUpFor: async () => null,
    withNetworks: () => assert.fail('these commands ask no network'),
  };
  const command = [...feeCommands, ...limitCommands].find(({ name }) => line.startsWith(name))!;
  const args = line.slice(command.name.length).trim();
  await command.run(terminal, args === '' ? [] : args.split(' '));
  return printed.join('\n');
}
const buy = (changes: object = {}) => service.post(ONRAMP, buyBody(business, { ...changes }));
const sell = (changes: object = {}) => service.post(OFFRAMP, sellBody(business, { ...changes }));
const feeOf = (answer: { body: { transaction: { fee: number; net_amount: number } } }) => {
  const { fee, net_amount } = answer.body.transaction;
  return [fee, net_amount];
};
/** The change arrives through NOTIFY, so the test repeats the request until the service charges the fee. */
async function untilCharged(submit: typeof buy, fee: number): Promise<Awaited<ReturnType<typeof buy>>> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const answer = await submit();
    if (answer.body.transaction?.fee === fee) return answer;
  }
  assert.fail(`a fee of ${fee} is never charged`);
}

test('without a configured fee nothing is charged', async () => {
  assert.equal(
    await run('fees list'),
    'No fees are set, so buys and sells are free. To set one: bin/sliproad fees set --help',
  );
  assert.deepEqual(feeOf(await buy()), [0, 15000]);
});

test('a new fee applies only to transactions that are accepted later, and only in its mode and product', async () => {
  const live = { businessId: null, mode: 'live', product: 'buy', flatMinor: 99_900n } as const;
  const fee = { ...live, feeBps: 0, capMinor: null, fromMs: null };
  assert.ok((await agreeOnSetting(foundation, { setting: 'fee_set', fee })).ok);
  const said = await run('fees set --product buy --mode test --flat 50 --bps 150 --cap 2000');
  assert.match(said, /^A test buy costs ₦50\.00 and 150 bps, at most ₦2,000\.00 from 20\S+Z, for all /);
  const charged = await untilCharged(buy, 275);
  assert.deepEqual(feeOf(charged), [275, 14725]);
  const row = await storedTransaction(service, charged.body.transaction.transaction_id);
  assert.deepEqual([row.amount_minor, row.fee_minor], ['1500000', '27500']);
  assert.deepEqual(feeOf(await buy({ amount: 15000.99 })), [275.01, 14725.98]); // 225.01485 rounded down
  assert.deepEqual(feeOf(await buy({ amount: 900000 })), [2000, 898000]);
  assert.deepEqual(feeOf(await sell()), [0, 25000]);
});

test('the fee of one business replaces the general fee', async () => {
  const other = await service.addBusiness('cheaper');
  await run(`fees set --product sell --mode test --bps 100`);
  await run(`fees set --product sell --mode test --flat 0 --business ${other.businessId}`);
  await untilCharged(sell, 250);
  const free = await service.post(OFFRAMP, sellBody(other), { key: other.testKey });
  assert.deepEqual(feeOf(free), [0, 25000]);
});

test('a future fee is not charged before its start time', async () => {
  await run('fees set --product buy --mode test --flat 77 --from 2999-01-01T00:00:00Z');
  await run('fees set --product buy --mode test --flat 60');
  await untilCharged(buy, 60);
});

test('threat 30: a repeated request returns the fee of its acceptance, whatever the fee is now', async () => {
  const [bought, sold] = [await buy({ reference: 'old-fee' }), await sell({ reference: 'old-fee-sell' })];
  const keyed = { headers: { 'idempotency-key': 'old-fee' } };
  const byKey = await service.post(ONRAMP, buyBody(business), keyed);
  assert.equal(bought.body.transaction.fee, 60);
  const again = async () => {
    for (const [first, repeat] of [
      [bought, await buy({ reference: 'old-fee' })],
      [sold, await sell({ reference: 'old-fee-sell' })],
      [byKey, await service.post(ONRAMP, buyBody(business), keyed)],
    ] as const) {
      assert.deepEqual([repeat.status, repeat.headers.get('idempotent-replayed')], [200, 'true']);
      assert.deepEqual(repeat.body.transaction, first.body.transaction);
    }
  };
  await run('fees set --product buy --mode test --flat 80');
  await run('fees set --product sell --mode test --flat 90');
  await untilCharged(buy, 80);
  await untilCharged(sell, 90);
  await storingNothing(service, again);
  // Repeated requests get the same responses even if the new fee exceeds the amount.
  await run('fees set --product buy --mode test --flat 15000');
  await run('fees set --product sell --mode test --flat 25000');
  await untilCharged(() => buy({ amount: 20000 }), 15000);
  await untilCharged(() => sell({ amount: 30000 }), 25000);
  await storingNothing(service, again);
});

test('an amount that is not larger than its fee is refused, and the error gives this reason', async () => {
  for (const [answer, fee] of [
    [await storingNothing(service, () => buy({ amount: 15000 })), '₦15,000.00'],
    [await storingNothing(service, () => sell({ amount: 25000 })), '₦25,000.00'],
  ] as const) {
    assertRefused(answer, 422, 'amount_below_minimum', ['amount: amount_below_minimum']);
    assert.equal(answer.body.message, `amount must be above the fee of ${fee}.`);
  }
  assert.deepEqual(feeOf(await buy({ amount: 15000.01 })), [15000, 0.01]);
});

test('threat 69: a fee in the body is ignored', async () => {
  const answer = await buy({ amount: 20000, fee: 0, feeMinor: 0, fee_minor: 0, net_amount: 20000 });
  assert.deepEqual(feeOf(answer), [15000, 5000]);
});

test('another process charges the same fee', async () => {
  const { baseUrl } = await startAnother(service);
  const answer = await service.post(`${baseUrl}${ONRAMP}`, buyBody(business, { amount: 20000 }));
  assert.deepEqual(feeOf(answer), [15000, 5000]);
});

test('the list shows every configured fee', async () => {
  const lines = (await run('fees list')).split('\n');
  assert.match(lines[0]!, /^MODE +PRODUCT +BUSINESS +FLAT +BPS +CAP +FROM$/);
  assert.equal(lines.length, 11);
  assert.match(lines[2]!, /^test +buy +all +₦50\.00 +150 +₦2,000\.00 +20\S+Z$/);
});

test('invalid options are refused, and the error names them', async () => {
  for (const [line, message] of [
    ['fees set --product buy --mode test', /--flat, --bps or both/],
    ['fees set --mode test --flat 1', /--product is missing/],
    ['fees set --product swap --mode test --flat 1', /--product must be buy or sell/],
    ['fees set --product buy --flat 1', /--mode is missing/],
    ['fees set --product buy --mode test --flat 1e3', /--flat must be an amount/],
    ['fees set --product buy --mode test --flat 0.001', /--flat must be an amount/],
    ['fees set --product buy --mode test --bps 1.5', /--bps/],
    ['fees set --product buy --mode test --bps 5001', /basis points/],
    ['fees set --product buy --mode test --flat 2 --cap 1', /cap/],
    ['fees set --product buy --mode test --flat 2 --from tomorrow', /--from must be a time/],
    ['fees set --product buy --mode test --flat 2 --from 2020-01-01T00:00:00Z', /past/],
    ['fees set --product buy --mode test --flat 2 --business biz_x', /no business biz_x/],
    ['limits set --mode test', /at least one limit/],
    ['limits set --per-day 5', /--mode is missing/],
    ['limits set --mode test --per-day 0', /above zero/],
    ['limits set --mode test --per-day all', /--per-day must be an amount/],
  ] as const) {
    await assert.rejects(run(line), { name: 'CommandError', message }, line);
  }
});

test('limits can be set and listed on the command line', async () => {
  assert.equal(await run('limits list'), 'No limits are set. To set one: bin/sliproad limits set --help');
  await run('limits set --mode test --per-transaction 1000000 --per-day 5000000.50');
  const set = await run(`limits set --mode test --business ${business.businessId} --per-day none`);
  const row = (line: string) => line.split(/ {2,}/);
  assert.deepEqual(set.split('\n').map(row), [
    ['MODE', 'BUSINESS', 'PER TRANSACTION', 'PER DAY', 'PER MONTH'],
    ['test', business.businessId, '₦1,000,000.00', 'none', 'none'],
  ]);
  assert.deepEqual((await run('limits list')).split('\n').slice(1).map(row), [
    ['test', 'all', '₦1,000,000.00', '₦5,000,000.50', 'none'],
    ['test', business.businessId, '₦1,000,000.00', 'none', 'none'],
  ]);
});
