// Tests the whole service on the four networks of `npm run networks`: with its own keys, real signed bytes, and tokens that are
// counted at their destination. Only the bank is simulated.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import type { LocalNetwork } from '../../local-networks/local-network.ts';
import { startLocalNetworks } from '../../local-networks/start.ts';
import { readTreasuries } from '../../src/app/treasury/read-treasuries.ts';
import { readConfig } from '../../src/config.ts';
import { openFoundation } from '../../src/wire/foundation.ts';
import { paidBy } from '../support/networks/local-networks.ts';
import { until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { startTestService } from '../support/service.ts';
import { buy, DEPOSITS, FAST, newCustomer, pay, rows, sell } from './calls.ts';
import { booksBalance, type Shown, settled } from './settled.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'sliproad-local-'));
const local = await startLocalNetworks({ dir, paceMs: 200 });
const environment = { ...FAST, ...local.environment, DATA_DIR: path.join(dir, 'data') };
const service = await startTestService(environment).catch(async (error: unknown) => {
  await local.close();
  throw error;
});
after(async () => {
  await local.close();
  await rm(dir, { recursive: true });
});

const tokensOf = ({ decimals }: LocalNetwork, { amount }: Shown) => BigInt(amount) * 10n ** BigInt(decimals);

async function buyOn(network: LocalNetwork, wallet: string): Promise<Shown> {
  const claim = await buy(service, { ...newCustomer(), network: network.name, wallet_address: wallet });
  await pay(service, claim);
  return claim;
}

async function assertPaid(network: LocalNetwork, done: Shown): Promise<void> {
  const wallet: string = done.wallet_address;
  assert.equal(await network.received(wallet), tokensOf(network, done));
  const paid = await paidBy(network, done.tx_hash);
  const key = network.family === 'evm' ? wallet.toLowerCase() : wallet;
  assert.equal(paid.get(key), tokensOf(network, done));
}

describe('buys and sells on all networks at the same time', { concurrency: true }, () => {
  for (const network of local.networks) {
    test(`${network.name}: a buy sends the tokens to the customer's wallet`, async () => {
      const claim = await buyOn(network, await network.wallet());
      const done = await settled(service, claim.transaction_id, { states: ['completed'] });
      await assertPaid(network, done);
    });

    test(`${network.name}: a sell is paid out once for its deposit, and the tokens are swept to the treasury`, async () => {
      const wallet_address = await network.wallet();
      const order = await sell(service, { ...newCustomer(), network: network.name, wallet_address });
      const { address, memo } = order.deposit;
      const arriving = { address, memo, amountMinor: tokensOf(network, order) };
      const id = order.transaction_id;
      const [hash, again] = await Promise.all([network.deposit(id, arriving), network.deposit(id, arriving)]);
      assert.equal(hash, again);
      await settled(service, id, { states: ['completed'] });
      const payouts = await rows(service, 'select amount_minor from simulated_payouts where about = $1', id);
      assert.deepEqual(payouts, [{ amount_minor: `${order.amount}00` }]);
      const deposits = await rows(service, 'select tx_hash from deposits where transaction_id = $1', id);
      assert.deepEqual(deposits, [{ tx_hash: hash }]);
      assert.equal(memo === null, address !== network.treasury);
      if (memo !== null) return;
      await until(
        'the deposit is swept',
        async () =>
          (await network.received(address)) === 0n &&
          (
            await rows(
              service,
              "select from movements where transaction_id = $1 and kind = 'sweep' and state = 'done'",
              id,
            )
          ).length === 1,
      );
    });

    test(`threat 53: ${network.name}: tokens for a cancelled sell are returned to the wallet that it names`, async () => {
      const wallet_address = await network.wallet();
      const order = await sell(service, { ...newCustomer(), network: network.name, wallet_address });
      const id = order.transaction_id;
      await service.post(`/transactions/v1/${id}/cancel`, {});
      const deposit = await service.post(DEPOSITS, { transaction_id: id });
      assert.equal(deposit.status, 200, deposit.text);
      const { address } = order.deposit;
      assert.equal(deposit.body.deposit.address, address);
      const done = await settled(service, id, { states: ['refunded'] });
      assert.equal(done.refunded_amount, order.amount);
      assert.equal(await network.received(wallet_address), tokensOf(network, order));
    });
  }

  test('Stellar: a buy to a wallet without a trustline waits for it, and then continues automatically', async () => {
    const network = local.find('Stellar');
    const { wallet, makeReady } = await network.unready!();
    const claim = await buyOn(network, wallet);
    const waiting = await settled(service, claim.transaction_id, { states: ['awaiting_trustline'] });
    assert.equal(waiting.tx_hash, null);
    assert.equal(await network.received(wallet), 0n);
    await makeReady();
    await assertPaid(network, await settled(service, claim.transaction_id, { states: ['completed'] }));
  });

  test('the faucet creates wallets and shows their balances', async () => {
    const ask = async (where: string, init: RequestInit = {}) => {
      const answer = await fetch(`${local.faucet}${where}`, init);
      return { status: answer.status, body: (await answer.json()) as Shown };
    };
    const overview = await ask('/');
    assert.deepEqual(
      overview.body.networks.map((each: Shown) => [each.name, each.treasury]),
      local.networks.map(({ name, treasury }) => [name, treasury]),
    );
    for (const { name, decimals } of local.networks) {
      const { wallet } = (await ask(`/wallets/${name}`)).body;
      const asked = { id: `to ${wallet}`, network: name, address: wallet, amount_minor: '1500' };
      const body = JSON.stringify(asked);
      const sent = [await ask('/', { method: 'POST', body }), await ask('/', { method: 'POST', body })];
      assert.equal(sent[0]!.status, 200, JSON.stringify(sent[0]!.body));
      assert.equal(sent[0]!.body.tx_hash, sent[1]!.body.tx_hash);
      const balance = (await ask(`/balances/${name.toLowerCase()}/${wallet}`)).body;
      assert.equal(balance.amount_minor, '1500');
      assert.equal(balance.amount, (1500 / 10 ** decimals).toFixed(decimals));
    }
    assert.equal((await ask('/wallets/Mars')).status, 404);
    assert.equal((await ask('/balances/Polygon/me')).status, 400);
    assert.equal((await ask('/', { method: 'POST', body: '{"id":"x","network":"Solana"}' })).status, 400);
  });
});

test('the metrics show that no network lacks a responding provider', async () => {
  const shown = async (name: string) =>
    (await service.get('/metrics', { key: null })).text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`));
  await until(
    'they were looked at',
    async () => (await shown('sliproad_network_providers_missing')).length > 0,
  );
  assert.deepEqual(
    (await shown('sliproad_network_providers_missing')).toSorted(),
    local.networks
      .map(({ name }) => `sliproad_network_providers_missing{mode="test",network="${name}"} 0`)
      .toSorted(),
  );
  const up = await shown('sliproad_network_provider_up');
  assert.equal(up.length, local.networks.flatMap(({ urls }) => urls).length);
  assert.ok(
    up.every((line) => line.endsWith('} 1')),
    up.join('\n'),
  );
});

test('at the end the books balance, including costs, and match every treasury balance', async () => {
  await until(
    'nothing is in progress',
    async () => (await rows(service, "select from movements where state <> 'done'")).length === 0,
  );
  await booksBalance(service);
  const costs = await rows<{ key: string }>(
    service,
    "select key from accounts where key like '%/network_costs' and balance > 0 order by key",
  );
  assert.deepEqual(
    costs.map(({ key }) => key),
    ['AVAX@Avalanche', 'POL@Polygon', 'SOL@Solana', 'XLM@Stellar'].map(
      (coin) => `test/${coin}/network_costs`,
    ),
  );
  const config = readConfig({ ...SECRETS_KEY, ...environment, DATABASE_URL: service.databaseUrl });
  const foundation = await openFoundation(config, pino({ level: 'silent' }), { networks: 'open' });
  try {
    const readings = await readTreasuries(foundation);
    assert.deepEqual(
      readings.map((each) => ('problem' in each ? each : [each.network, each.low, each.unexplainedMinor])),
      local.networks.map(({ name }) => [name, [], 0n]),
    );
  } finally {
    await foundation.close();
  }
  const trouble = service
    .logged()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line));
  assert.deepEqual(trouble, []);
});

test('a database that was used with these chains is refused with the chains of another run', async () => {
  const other = path.join(dir, 'other-networks.json');
  const settings = JSON.parse(await readFile(path.join(dir, 'networks.json'), 'utf8')) as Shown;
  await writeFile(other, JSON.stringify({ ...settings, instance: 'run-other' }));
  const config = readConfig({
    ...SECRETS_KEY,
    ...environment,
    NETWORKS_FILE: other,
    DATABASE_URL: service.databaseUrl,
  });
  await assert.rejects(
    openFoundation(config, pino({ level: 'silent' }), { networks: 'open' }),
    /has been used with another \w+ in test mode .*a new database/,
  );
});

test('only their owner can read the keys and the passphrase; a second run in the same folder is refused', async () => {
  for (const name of ['signer-keys.json', 'passphrase'])
    assert.equal((await stat(path.join(dir, name))).mode & 0o777, 0o600, name);
  await assert.rejects(startLocalNetworks({ dir }), /run already/);
});
