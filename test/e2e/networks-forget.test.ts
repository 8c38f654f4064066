// Tests that a database is bound to the key and the token of each treasury. With another key or token the service refuses to
// start, until an operator pauses money movements and runs `networks forget`.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Asset, Keypair } from '@stellar/stellar-sdk';
import pino from 'pino';
import { startStellarLedger } from '../../local-networks/stellar/server.ts';
import { changeSetting } from '../../src/app/back-office/change-setting.ts';
import { readConfig } from '../../src/config.ts';
import { makeSignerAdmin } from '../../src/wire/admin/signer-admin.ts';
import { type DescribedFoundation, openFoundation } from '../../src/wire/foundation.ts';
import { freshDatabase } from '../support/database.ts';
import { runNetworks } from '../support/networks/network-commands.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';

const PACE_MS = 50;
const log = pino({ level: 'silent' });
const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-forget-'));
const file = path.join(dir, 'networks.json');
const stellar = await startStellarLedger({ closeEveryMs: PACE_MS });
after(async () => {
  await stellar.close();
  rmSync(dir, { recursive: true });
});
const configFor = (databaseUrl: string) =>
  readConfig({
    ...{ ...SECRETS_KEY, DATABASE_URL: databaseUrl, DATA_DIR: dir, NETWORKS_FILE: file },
    SIGNER_PASSPHRASE: 'a passphrase for tests',
  });
const config = configFor(await freshDatabase());
const issuer = Keypair.random();
stellar.ledger.createAccounts([issuer]);
const run = (line: string, settings = config) => runNetworks(settings, line);
const start = async (settings = config) =>
  (await openFoundation(settings, log, { networks: 'open' })).close();

function write(key: string): void {
  const row = {
    ...{ name: 'Stellar', mode: 'test', key, rpc: stellar.urls, token: issuer.publicKey(), decimals: 7 },
    ...{ passphrase: stellar.passphrase, low_water: { token: '0', native: '1' } },
    ...{ confirmations: 1, final_after_ms: PACE_MS },
  };
  writeFileSync(file, JSON.stringify({ networks: [row] }));
}

const pause = (foundation: DescribedFoundation) =>
  changeSetting(foundation, { setting: 'movements_paused', reason: '' }, { actor: 'os:test' });

async function readyKey(name: string): Promise<string> {
  const wallet = Keypair.random();
  stellar.ledger.createAccounts([wallet]);
  stellar.ledger.trust([wallet], new Asset('NGNC', issuer.publicKey()));
  await makeSignerAdmin(config).importKey(name, wallet.secret());
  write(name);
  return wallet.publicKey();
}

test('threat 49: another key with the same database is detected, and the network continues only after the command networks forget', async () => {
  const first = await readyKey('first');
  await start();
  const second = await readyKey('second');
  const refused = new RegExp(
    `used with another Stellar in test mode \\(\\w+ ${first}; now \\w+ ${second}\\)` +
      '.* has changed, .*networks forget Stellar --mode test$',
  );
  await assert.rejects(start(), refused);

  const foundation = await openFoundation(config, log);
  const { database, close } = foundation;
  try {
    await database.query({
      text: `insert into movements (id, kind, mode, network, asset, amount_minor, naira_minor, state, version, due_at,
          created_at, updated_at)
        values ('mov_1', 'send', 'test', 'Stellar', 'NGNC@Stellar', 1, 1, 'unknown', 1, now(), now(), now())`,
    });
    const busy = await run('forget stellar --mode test --yes');
    assert.ok(busy.failed);
    assert.match(
      busy.text,
      /^Stellar \(test\) is bound to: G\w+ G\w+\nStill bound, because:\n- Move.*\(1 unknown\).*\n- .*: bin\/sliproad movements pause$/,
    );
    await database.query({ text: `update movements set state = 'done', due_at = null` });
    await pause(foundation);
    const looked = await run('forget Stellar --mode test');
    assert.match(looked.text, /is bound to: .*\nNothing prevents the unbinding\. .*with --yes/);
    assert.equal((await run('forget Stellar --mode test')).text, looked.text);
    assert.match((await run('forget Stellar --mode test --yes')).text, /\nUnbound\./);
    assert.match((await run('forget Stellar --mode test --yes')).text, /is not bound/);
    await start();
    const { rows } = await database.query<{ actor: string; detail: object }>({
      text: `select actor, detail from audit_log where action = 'network_forgotten'`,
    });
    const identity = `${issuer.publicKey()} ${first}`;
    assert.deepEqual(rows, [{ actor: 'os:test', detail: { mode: 'test', network: 'Stellar', identity } }]);
  } finally {
    await close();
  }
  assert.match((await run('forget Mars --mode test')).text, /no network of that name in test mode/);
});

test('replacing a simulated network by a real one requires a new database', async () => {
  const other = configFor(await freshDatabase());
  await start({ ...other, networksFile: null });
  await assert.rejects(
    start(other),
    /\(simulated; now .*DATA_DIR=data-2 npm start \(set SIGNER_KEY_FILE .*\)$/,
  );
  const foundation = await openFoundation(other, log);
  await pause(foundation);
  await foundation.close();
  for (const flag of ['--yes', '--yes', '']) {
    const { failed, text } = await run(`forget Stellar --mode test ${flag}`.trim(), other);
    assert.ok(failed);
    assert.match(text, /bound to: simulated\nStill bound, because:\n.*use a new database/);
  }
});
