// Tests that an operator with a key file, coin in the wallets and a networks file sets up the networks on the command line.
// Only after that does the service start with these networks.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Keypair, Operation } from '@stellar/stellar-sdk';
import pino from 'pino';
import { startEvmChain } from '../../local-networks/evm/start.ts';
import { startStellarLedger } from '../../local-networks/stellar/server.ts';
import { readConfig } from '../../src/config.ts';
import { makeSignerAdmin } from '../../src/wire/admin/signer-admin.ts';
import { openFoundation } from '../../src/wire/foundation.ts';
import { freshDatabase } from '../support/database.ts';
import { runNetworks } from '../support/networks/network-commands.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';

const PACE_MS = 100;
const ZERO = `0x${'0'.repeat(40)}`;
const UNREACHABLE = 'http://127.0.0.1:1/secret-path';
const log = pino({ level: 'silent' });
const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-set-up-'));
const file = path.join(dir, 'networks.json');
const environment = {
  ...SECRETS_KEY,
  DATABASE_URL: await freshDatabase(),
  DATA_DIR: dir,
  NETWORKS_FILE: file,
};
const config = readConfig({ ...environment, SIGNER_PASSPHRASE: 'a passphrase for tests' });
const stellar = await startStellarLedger({ closeEveryMs: PACE_MS });
const evm = await startEvmChain({ chainId: 31_337, blockEveryMs: PACE_MS, finalityBlocks: 2 });
after(async () => {
  await Promise.all([stellar.close(), evm.close()]);
  rmSync(dir, { recursive: true });
});

const { addresses } = await makeSignerAdmin(config).createKey('treasury');
const issuer = Keypair.random();
stellar.ledger.createAccounts([issuer]);
const token = await evm.chain.deployToken({ decimals: 6 });
const row = {
  mode: 'test',
  key: 'treasury',
  low_water: { token: '0', native: '1' },
  confirmations: 1,
  final_after_ms: PACE_MS,
};
const rows = {
  Stellar: {
    ...{ ...row, name: 'Stellar', rpc: stellar.urls, token: issuer.publicKey(), decimals: 7 },
    passphrase: stellar.passphrase,
  },
  Polygon: {
    ...{ ...row, name: 'Polygon', rpc: evm.urls, token, decimals: 6, chain_id: 31_337 },
    ...{ disperse: ZERO, forwarder_factory: ZERO },
  },
};

function write(changes: { Stellar?: object; Polygon?: object } = {}): void {
  const networks = [
    { ...rows.Stellar, ...changes.Stellar },
    { ...rows.Polygon, ...changes.Polygon },
  ];
  writeFileSync(file, JSON.stringify({ networks }));
}

const run = (line: string, settings = config) => runNetworks(settings, line);

const start = async () => {
  const foundation = await openFoundation(config, log, { networks: 'open' });
  await foundation.close();
};

test('networks are set up only with the command line, and the service starts only after that', async () => {
  write();
  const noWallets = await run('check');
  assert.ok(noWallets.failed);
  assert.match(noWallets.text, /Stellar \(test\): not ready\n[\s\S]*G\w+ does not exist: send it some XLM/);
  assert.match(
    noWallets.text,
    /Polygon \(test\): not ready\n[\s\S]*not deployed yet.*networks set-up Polygon --mode test/,
  );
  assert.match(noWallets.text, /Not ready: Stellar \(test\), Polygon \(test\)\./);
  assert.match((await run('set-up Stellar --mode test')).text, /does not exist: send it some XLM/);

  stellar.ledger.execute(stellar.ledger.root, createAccount(addresses.stellar!));
  await evm.chain.transact(evm.chain.accounts[0]!, {
    ...{ to: addresses.evm as `0x${string}`, value: 10n ** 19n },
  });
  await assert.rejects(start(), /Stellar: .*no trustline|Polygon: its contracts are not deployed yet/);

  // The check needs no passphrase and no database.
  const watching = readConfig({ ...environment, DATABASE_URL: 'postgres://unreachable@127.0.0.1:1/none' });
  const planned = await run('set-up stellar --mode test', watching);
  assert.match(
    planned.text,
    /has [\d.]+ XLM free and must sign:\n- open a trustline.*costs up to 1\.0020000 XLM/,
  );
  assert.match(planned.text, /Nothing was signed\. To sign, repeat the command with --yes$/);

  const { stop } = makeSignerAdmin(config);
  await stop.stop('for this test');
  const stopped = await run('set-up Stellar --mode test --yes');
  await stop.resume();
  assert.ok(stopped.failed);
  assert.match(stopped.text, /Signing is stopped/);

  const lined = await run('set-up Stellar --mode test --yes');
  assert.match(
    lined.text,
    /Signed: open a trustline[\s\S]*\n {2}\w{64}\n[\s\S]*All transactions are final\.$/,
  );
  const deployed = await run('set-up Polygon --mode test --yes');
  assert.ok(!deployed.failed, deployed.text);
  const contracts = JSON.parse(`{${/for Polygon \(test\): (.*)$/m.exec(deployed.text)![1]}}`);
  assert.deepEqual(Object.keys(contracts), ['forwarder_factory', 'first_block', 'disperse']);
  write({ Polygon: contracts });
  const ready = await run('check', watching);
  assert.ok(!ready.failed, ready.text);
  assert.match(ready.text, new RegExp(`^Stellar \\(test\\): ok\\n +treasury +${addresses.stellar}\\n`));
  assert.match(
    ready.text,
    /Polygon \(test\): ok\n[\s\S]*for fees +9\.\d+ POL\n +provider +127\.0\.0\.1:\d+: ok/,
  );
  assert.match((await run('set-up Polygon --mode test')).text, /^0x\w+ has nothing left to sign\.$/);
  await assertBooked();
  await start();
  await start();
});

test('an unreachable provider, a low treasury and an unknown name are shown; the URL path of a provider is not shown', async () => {
  write({ Stellar: { rpc: [...stellar.urls, UNREACHABLE], low_water: { token: '5', native: '1' } } });
  const { failed, text } = await run('check --mode test Stellar');
  assert.ok(failed);
  assert.match(text, /provider +127\.0\.0\.1:1: Stellar: no provider/);
  assert.match(text, /wrong +below its low-water mark: send tokens to G/);
  assert.ok(!text.includes('secret-path') && !text.includes('Polygon'));
  assert.match((await run('check Mars')).text, /has no such network/);
  assert.match((await run('set-up Mars --mode live')).text, /no network of that name in live mode/);
  assert.match((await run('set-up --mode live')).text, /NAME is missing/);
  write({ Stellar: { key: 'another' } });
  assert.match((await run('check Stellar')).text, /there is no key "another" for it in .*signer keys/);
});

async function assertBooked(): Promise<void> {
  const foundation = await openFoundation(config, log);
  try {
    const costs = ['test/XLM@Stellar/network_costs', 'test/POL@Polygon/network_costs'];
    const balances = await foundation.store.balances(costs);
    const xlm = 200_000_000n - stellar.ledger.balanceOf(addresses.stellar!)!;
    const pol = 10n ** 19n - (await evm.chain.nativeBalanceOf(addresses.evm as `0x${string}`));
    assert.deepEqual([...costs.map((key) => balances.get(key))], [xlm, pol]);
    assert.ok(xlm === 200n && pol > 0n);
  } finally {
    await foundation.close();
  }
}

function createAccount(destination: string) {
  return [Operation.createAccount({ destination, startingBalance: '20' })];
}
