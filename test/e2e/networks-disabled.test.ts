// Tests that a network whose providers do not respond, or respond with errors, is disabled while everything else runs. The
// service enables the network when its providers respond. Wrong settings still prevent the start.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { openFoundation } from '../../src/wire/foundation.ts';
import { freshDatabase } from '../support/database.ts';
import { startFrontedNetworks } from '../support/networks/fronted-networks.ts';
import { runNetworks } from '../support/networks/network-commands.ts';
import { until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import {
  buyBody,
  sellBody,
  startTestService,
  type TestBusiness,
  type TestService,
} from '../support/service.ts';
import { buy, FAST, newCustomer, rows, sell } from './calls.ts';
import { type Shown, settled } from './settled.ts';

const { local, answer, ...fronted } = await startFrontedNetworks();
const environment: Readonly<Record<string, string>> = { ...FAST, ...fronted.environment };
const databaseUrl = await freshDatabase();
let business: TestBusiness;
const config = readConfig({ ...SECRETS_KEY, ...environment, DATABASE_URL: databaseUrl });

const enabledBy = async (service: TestService, name: string) =>
  new RegExp(`sliproad_network_enabled\\{mode="test",network="${name}"\\} (\\d)`).exec(
    (await service.get('/metrics', { key: null })).text,
  )?.[1];
const said = (service: TestService, message: string) =>
  service
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"${message}"`));
const DISABLED = 'a network could not be checked: it is disabled and will be retried';
const FAILURES = [
  ['Polygon', 429],
  ['Solana', 502],
  ['Stellar', 429],
] as const;

async function sellBefore(service: TestService): Promise<Shown> {
  for (const { name } of local.networks) assert.equal(await enabledBy(service, name), '1', name);
  const { amount } = newCustomer();
  const wallet = await local.find('Stellar').wallet();
  return sell(service, { amount, network: 'Stellar', wallet_address: wallet });
}

test('if all providers of three networks return an error, those three are disabled, and later enabled automatically', async () => {
  const earlier = await startTestService(environment, databaseUrl);
  business = earlier.business;
  const before = await sellBefore(earlier);
  await earlier.service.close();
  for (const [name, status] of FAILURES) answer(name, status);
  const service = await startTestService(environment, databaseUrl, business);
  assert.equal((await service.get('/ready', { key: null })).status, 200);
  for (const [name, status] of FAILURES) {
    assert.equal(await enabledBy(service, name), '0', name);
    const [line, ...more] = said(service, DISABLED).filter((each) => each.includes(`"network":"${name}"`));
    assert.deepEqual(more, [], name);
    assert.match(line!, new RegExp(`"level":50.*${name}: no provider answers \\(.*127.*${status}`), name);
    const refused = await service.post(
      '/transactions/v1/onramp',
      buyBody(service.business, { network: name, wallet_address: await local.find(name).wallet() }),
    );
    assert.equal(refused.status, 422, refused.text);
    assert.equal(refused.body.errors[0].code, 'network_not_enabled');
  }
  assert.equal(await enabledBy(service, 'Avalanche'), '1');
  const wallet = await local.find('Avalanche').wallet();
  await buy(service, { ...newCustomer(), network: 'Avalanche', wallet_address: wallet });
  const anywhere = await service.post('/transactions/v1/offramp', sellBody(service.business));
  assert.deepEqual(
    anywhere.body.transaction.deposits.map((each: Shown) => each.network),
    ['Avalanche'],
  );
  // Earlier deposit instructions stay valid, and the service sees deposits of the meantime later.
  const [instruction] = before.deposits;
  const { decimals } = local.find('Stellar');
  await local.find('Stellar').deposit('before', {
    address: instruction.address,
    memo: instruction.memo,
    amountMinor: BigInt(before.amount) * 10n ** BigInt(decimals),
  });
  const checked = await runNetworks(config, 'check Polygon');
  assert.ok(checked.failed);
  assert.match(checked.text, /Polygon \(test\): not ready\n[\s\S]*starts without it and retries/);

  for (const [name] of FAILURES) answer(name, null);
  for (const [name] of FAILURES)
    await until(`${name} is enabled`, async () => (await enabledBy(service, name)) === '1');
  assert.equal(said(service, DISABLED).length, FAILURES.length);
  assert.equal(said(service, 'a network is now enabled').length, FAILURES.length);
  await settled(service, before.transaction_id, { states: ['completed'] });
  const polygon = await local.find('Polygon').wallet();
  await buy(service, { ...newCustomer(), network: 'Polygon', wallet_address: polygon });
  const halts = await rows(service, 'select from halts');
  assert.deepEqual(halts, []);
  await service.service.close();
});

const elsewhere = (text: string) => text.replace(/"result":"0x1de\w+"/, '"result":"0x1"');

test('new settings that contradict the chain prevent the start; with settings that were valid before, the service starts and retries', async () => {
  answer('Polygon', elsewhere);
  const fresh = readConfig({ ...SECRETS_KEY, ...environment, DATABASE_URL: await freshDatabase() });
  await assert.rejects(
    openFoundation(fresh, pino({ level: 'silent' }), { networks: 'open' }),
    /Polygon: the provider 127\.0\.0\.1:\d+ is not usable: it is on the chain 1, but the settings say 31337137/,
  );
  const service = await startTestService(environment, databaseUrl, business);
  assert.equal(await enabledBy(service, 'Polygon'), '0');
  await until(
    'it is said that the chain is another one',
    () => said(service, 'a disabled network does not match its settings').length === 1,
  );
  answer('Polygon', null);
  await until('Polygon is enabled', async () => (await enabledBy(service, 'Polygon')) === '1');
  await service.service.close();
});

test('a first start with unreachable networks stores nothing for them and simulates none; their books are opened when they are reachable', async () => {
  for (const [name, status] of FAILURES) answer(name, status);
  const service = await startTestService(environment);
  const bound = async () => {
    const names = FAILURES.map(([name]) => `network test ${name}`);
    return (await rows(service, 'select from controls where name = any($1)', names)).length;
  };
  assert.equal(await bound(), 0);
  for (const [name] of FAILURES) assert.equal(await enabledBy(service, name), '0', name);
  for (const [name] of FAILURES) answer(name, null);
  for (const [name] of FAILURES)
    await until(`${name} is enabled`, async () => (await enabledBy(service, name)) === '1');
  assert.equal(await bound(), FAILURES.length);
  const keys = FAILURES.map(([name]) => `test/NGNC@${name}/treasury`);
  const funded = await rows(service, 'select from accounts where key = any($1) and balance > 0', keys);
  assert.equal(funded.length, FAILURES.length);
});

test('settings that are invalid for every chain prevent the start, even while no provider responds', async () => {
  for (const { name } of local.networks) answer(name, 502);
  const settings = JSON.parse(await readFile(environment.NETWORKS_FILE!, 'utf8')) as Shown;
  const startWith = async (changed: object) => {
    const file = `${environment.NETWORKS_FILE}.changed`;
    await writeFile(file, JSON.stringify({ ...settings, ...changed }));
    const other = readConfig({
      ...SECRETS_KEY,
      ...environment,
      NETWORKS_FILE: file,
      DATABASE_URL: databaseUrl,
    });
    await (await openFoundation(other, pino({ level: 'silent' }), { networks: 'open' })).close();
  };
  await assert.rejects(
    startWith({ instance: 'run-other' }),
    /has been used with another \w+ in test mode .*SIGNER_KEY_FILE/,
  );
  const [first, ...rest] = settings.networks;
  await assert.rejects(
    startWith({ networks: [{ ...first, key: 'mistyped' }, ...rest] }),
    /Stellar: there is no key "mistyped" for it in .*bin\/sliproad signer keys/,
  );
  await startWith({});
  for (const { name } of local.networks) answer(name, null);
});

test('a first provider that accepts requests and never responds delays a network, but does not keep it disabled', async () => {
  answer('Polygon', 'silence', 0);
  const service = await startTestService(environment, databaseUrl, business);
  const atFirst = await enabledBy(service, 'Polygon');
  // On a slow machine the service may already have tried the network again.
  if (said(service, 'a network is now enabled').length === 0) assert.equal(atFirst, '0');
  assert.match(said(service, DISABLED).join(), /Polygon: its providers did not answer in time/);
  await until('Polygon is enabled', async () => (await enabledBy(service, 'Polygon')) === '1');
  answer('Polygon', null);
});
