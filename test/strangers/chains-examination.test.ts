// Runs the service on real chains, behind providers that other people wrote from public documentation. Each buy and sell has
// one fault, at one provider or at both. Only the chain itself shows the result: tokens arrive once, and a deposit counts once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buy, newCustomer, pay, rows, sell } from '../e2e/calls.ts';
import { booksBalance, type Shown, settled } from '../e2e/settled.ts';
import { until } from '../support/patience.ts';
import { ABOUT_DEPOSITS, AT_BOTH, type Examined, inOrder, OPTIONS, SENDS, setStage } from './chains-stage.ts';

const { service, examined } = await setStage();

/** How often a fault applies before it ends. It ends earlier if the buy and the sell end earlier. */
const MET = 6;
const MET_BY_SENDS = 2;

const tokensOf = ({ network }: Examined, { amount }: Shown) =>
  BigInt(amount) * 10n ** BigInt(network.decimals);

describe('all networks at the same time', { concurrency: true }, () => {
  for (const each of examined)
    describe(each.network.name, { concurrency: 1 }, () => {
      for (const fault of inOrder(each.faults)) {
        test(`${fault} at one provider`, () => examine(each, fault, 1));
        if (AT_BOTH.has(fault)) test(`${fault} at both providers`, () => examine(each, fault, 2));
      }
      // Some faults affect calls that the service does not make, or does not make during that time.
      test('most faults occurred', (t) => {
        const isMet = (fault: string) => each.providers.some((provider) => provider.seen()[fault]! > 0);
        const unmet = each.faults.filter((fault) => !isMet(fault));
        t.diagnostic(`not met: ${unmet.join(', ')}`);
        assert.ok(unmet.length * 3 <= each.faults.length, unmet.join(', '));
      });
    });
});

test('the books balance, and no asset is halted', async () => {
  await booksBalance(service);
  assert.deepEqual(await rows(service, 'select asset, reason from halts'), []);
});

async function examine(at: Examined, fault: string, count: 1 | 2): Promise<void> {
  const { network } = at;
  const strangers = at.providers.slice(0, count);
  const met = () => strangers.reduce((sum, each) => sum + each.seen()[fault]!, 0);
  const enough = met() + (SENDS.has(fault) ? MET_BY_SENDS : MET);
  const begin = (about?: string) => {
    const times = SENDS.has(fault) ? { times: MET_BY_SENDS } : {};
    const options = { ...OPTIONS[fault], ...times, ...(about !== undefined && { about }) };
    for (const each of strangers) each.use(fault, options);
  };
  const wallet_address = await network.wallet();
  if (!ABOUT_DEPOSITS.has(fault)) begin();
  const bought = await buy(service, { ...newCustomer(), network: network.name, wallet_address });
  const sender = { network: network.name, wallet_address: await network.wallet() };
  const sold = await sell(service, { ...newCustomer(), ...sender });
  await pay(service, bought);
  const { address, memo } = sold.deposit;
  const arriving = { address, memo, amountMinor: tokensOf(at, sold) };
  const hash = await network.deposit(sold.transaction_id, arriving);
  if (ABOUT_DEPOSITS.has(fault)) begin(hash);
  const ids: readonly string[] = [bought.transaction_id, sold.transaction_id];
  await until(
    `${fault} was met, or the buy and the sell have ended`,
    async () => met() >= enough || (await areCompleted(ids)),
  );
  for (const each of strangers) each.clear();
  for (const id of ids) await settled(service, id, { states: ['completed'] });
  assert.equal(await network.received(wallet_address), tokensOf(at, bought), 'the tokens arrived once');
  await assertCountedOnce(sold, hash);
}

async function assertCountedOnce({ transaction_id, amount }: Shown, hash: string): Promise<void> {
  const ofSell = (text: string) => rows(service, text, transaction_id);
  assert.deepEqual(await ofSell('select tx_hash from deposits where transaction_id = $1'), [
    { tx_hash: hash },
  ]);
  assert.deepEqual(await ofSell('select amount_minor from simulated_payouts where about = $1'), [
    { amount_minor: `${amount}00` },
  ]);
}

async function areCompleted(ids: readonly string[]): Promise<boolean> {
  const found = await rows<{ state: string }>(
    service,
    'select state from transaction_states where transaction_id = any($1)',
    ids,
  );
  return found.length === ids.length && found.every(({ state }) => state === 'completed');
}
