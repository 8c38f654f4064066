// Threats 33 to 36 and 38 through HTTP: on every network the service checks a wallet before it stores anything, and stores the
// wallet in its normal form. A secret that a client pastes by mistake never appears in a response or a log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NETWORK_ROWS } from '../../src/adapters/networks/registry.ts';
import { StrKey } from '../../src/adapters/networks/stellar/horizon/strkey.ts';
import { setDefaultWallet } from '../../src/app/back-office/manage-businesses.ts';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { WALLETS } from '../support/wallets.ts';
import { assertRefused, eventually, OFFRAMP, ONRAMP, storedTransaction, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;
const NETWORKS = ['Stellar', 'Polygon', 'Solana', 'Avalanche'];
const buy = (network: string, wallet_address: string) =>
  service.post(ONRAMP, buyBody(business, { network, wallet_address }));

async function refuses(network: string, address: string, code: string): Promise<string> {
  const bodies = [
    [ONRAMP, buyBody(business, { network, wallet_address: address })],
    [OFFRAMP, sellBody(business, { network, wallet_address: address })],
  ] as const;
  let message = '';
  for (const [path, body] of bodies) {
    const answer = await storingNothing(service, () => service.post(path, body));
    assertRefused(answer, 422, code, [`wallet_address: ${code}`]);
    message = answer.body.message;
  }
  return message;
}

test('a valid wallet is accepted on each network, and the network’s name is case-insensitive', async () => {
  for (const network of NETWORKS) {
    const address = WALLETS[network]!(3);
    for (const spelled of [network, network.toLowerCase(), network.toUpperCase()]) {
      const answer = await buy(spelled, address);
      assert.equal(answer.status, 200, spelled);
      const { transaction } = answer.body;
      assert.deepEqual([transaction.network, transaction.wallet_address], [network, address]);
      assert.equal(transaction.state, 'awaiting_payment');
    }
  }
});

test('threat 33: a wrong EIP-55 checksum is refused; an address in only upper or only lower case is stored with its checksum', async () => {
  const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  for (const network of ['Polygon', 'Avalanche']) {
    await refuses(network, good.replace('5aA', '5aa'), 'wallet_invalid');
    await refuses(network, good.replace('ed', 'eD'), 'wallet_invalid');
    for (const spelled of [good.toLowerCase(), `0x${good.slice(2).toUpperCase()}`]) {
      const answer = await buy(network, spelled);
      assert.equal(answer.body.transaction.wallet_address, good);
      const row = await storedTransaction(service, answer.body.transaction.transaction_id);
      assert.equal(row.wallet_address, good);
    }
    for (const bad of [
      good.slice(2),
      good.replace('0x', '0X'),
      `${good}00`,
      good.slice(0, -1),
      ` ${good}`,
      '',
    ]) {
      await refuses(network, bad, 'wallet_invalid');
    }
  }
});

test('threat 33: a mistyped Stellar or Solana address is refused', async () => {
  const stellar = WALLETS.Stellar!(5);
  await refuses('Stellar', `${stellar.slice(0, -1)}${stellar.endsWith('A') ? 'B' : 'A'}`, 'wallet_invalid');
  await refuses('Stellar', stellar.toLowerCase(), 'wallet_invalid');
  await refuses('Stellar', 'ada*example.com', 'wallet_invalid');
  const solana = WALLETS.Solana!(5);
  for (const bad of [solana.slice(1), `${solana}1`, `0${solana.slice(1)}`, `${solana} `]) {
    await refuses('Solana', bad, 'wallet_invalid');
  }
});

test('threat 34: an address of another network is refused, and the error names that network', async () => {
  for (const network of NETWORKS) {
    for (const other of NETWORKS) {
      const families = [network, other].map((name) => NETWORK_ROWS.find((row) => row.name === name)!.family);
      if (families[0] === families[1]) continue;
      const message = await refuses(network, WALLETS[other]!(6), 'wallet_network_mismatch');
      assert.match(message, new RegExp(`but network is ${network}`));
    }
  }
});

test('threat 35: issuer, token contract, our own wallets, zero and burn addresses are refused', async () => {
  const sell = await service.post(OFFRAMP, sellBody(business));
  const ours = sell.body.transaction.deposits.find(
    (d: { network: string }) => d.network === 'Stellar',
  ).address;
  const forbidden: Record<string, string[]> = {
    Stellar: [ours, StrKey.encodeEd25519PublicKey(new Uint8Array(32))],
    Polygon: [`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dEaD', `0x${'0'.repeat(39)}1`],
    Avalanche: [`0x${'0'.repeat(40)}`, `0x${'e'.repeat(40)}`],
    Solana: ['1'.repeat(32), '1nc1nerator11111111111111111111111111111111'],
  };
  for (const { name, tokenAddress } of NETWORK_ROWS) {
    for (const address of [...forbidden[name]!, ...(tokenAddress === null ? [] : [tokenAddress])]) {
      await refuses(name, address, 'wallet_forbidden');
    }
  }
  const muxedOurs = StrKey.encodeMed25519PublicKey(
    Buffer.concat([StrKey.decodeEd25519PublicKey(ours), Buffer.alloc(8, 1)]),
  );
  await refuses('Stellar', muxedOurs, 'wallet_forbidden');
});

test('threat 36: a Stellar contract address is refused because of the policy', async () => {
  await refuses('Stellar', StrKey.encodeContract(Buffer.alloc(32, 9)), 'wallet_forbidden');
});

test('threat 38: a muxed Stellar address is accepted and keeps its id', async () => {
  const muxed = StrKey.encodeMed25519PublicKey(Buffer.concat([Buffer.alloc(32, 8), Buffer.alloc(8, 3)]));
  const answer = await buy('Stellar', muxed);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.transaction.wallet_address, muxed);
});

test('a pasted secret is refused, and is neither echoed nor logged', async () => {
  const seed = StrKey.encodeEd25519SecretSeed(Buffer.alloc(32, 4));
  for (const secret of [seed, `0x${'ab12'.repeat(16)}`, 'cd34'.repeat(16), '5JuE'.repeat(22)]) {
    for (const network of NETWORKS) {
      const answer = await buy(network, secret);
      assertRefused(answer, 422, 'wallet_invalid', ['wallet_address: wallet_invalid']);
      assert.match(answer.body.message, /Never send a secret key/);
      assert.ok(!answer.text.includes(secret.slice(0, 10)));
    }
    assert.ok(!service.logged().includes(secret.slice(0, 10)));
  }
});

test('network and wallet_address must be sent together, and an unknown network is refused', async () => {
  const address = WALLETS.Polygon!(1);
  const alone = await storingNothing(service, () =>
    service.post(ONRAMP, buyBody(business, { network: undefined, wallet_address: address })),
  );
  assertRefused(alone, 422, 'wallet_incomplete', ['network: wallet_incomplete']);
  const other = await service.post(OFFRAMP, sellBody(business, { network: 'Polygon' }));
  assertRefused(other, 422, 'wallet_incomplete', ['wallet_address: wallet_incomplete']);
  for (const network of ['Base', '', 'Polygon ', 'Роlygon', '__proto__', 'constructor']) {
    assertRefused(await buy(network, address), 422, 'network_unknown', ['network: network_unknown']);
  }
});

test('without a wallet the business’s default wallet is used, and each mode has its own', async () => {
  const rich = await service.addBusiness('has-default');
  const body = buyBody(rich, { network: undefined, wallet_address: undefined });
  const submit = () => service.post(ONRAMP, body, { key: rich.testKey });
  assert.equal((await submit()).body.transaction.state, 'awaiting_wallet');
  const address = WALLETS.Solana!(2);
  const set = await setDefaultWallet(service.foundation, {
    businessId: rich.businessId,
    mode: 'test',
    network: 'solana',
    address,
  });
  assert.ok(set.ok);
  await eventually(async () => (await submit()).body.transaction.state === 'awaiting_payment', 'it is used');
  const { transaction } = (await submit()).body;
  assert.deepEqual([transaction.network, transaction.wallet_address], ['Solana', address]);
  const own = await service.post(ONRAMP, buyBody(rich), { key: rich.testKey });
  assert.equal(own.body.transaction.network, 'Polygon');
  const live = await setDefaultWallet(service.foundation, {
    businessId: rich.businessId,
    mode: 'live',
    network: 'Solana',
    address,
  });
  assert.ok(!live.ok && live.error.code === 'network_not_enabled');
});
