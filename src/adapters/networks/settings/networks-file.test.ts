// Tests the networks file as a whole. A field with a mistyped name, a repeated network or broken JSON stops the start. Messages
// never contain any part of a provider's URL.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import {
  BASE,
  EXAMPLE,
  file,
  POLYGON,
  problemWith,
  type Row,
  refused,
  SOLANA,
  STELLAR,
  TEST_POLYGON,
  without,
} from '../../../../test/support/networks/network-rows.ts';
import { afterFile } from '../../../../test/support/sharing/file-group.ts';
import { SettingsError } from '../../settings-problems.ts';
import { NETWORK_ROWS } from '../registry.ts';
import { findKnownNetwork } from './known-network.ts';
import { parseNetworks, readNetworksFile } from './networks-file.ts';

test('every known network has defaults, and the example file can be read', () => {
  for (const { name } of NETWORK_ROWS) assert.equal(findKnownNetwork(name.toUpperCase())?.name, name);
  const { networks } = parseNetworks(readFileSync(EXAMPLE, 'utf8'));
  assert.deepEqual(
    networks.map(({ settings }) => settings.name).toSorted(),
    [...NETWORK_ROWS.map(({ name }) => name), 'Ethereum'].toSorted(),
  );
});

test('threat 49: a field with a mistyped or repeated name is refused at every level of the file', () => {
  const signing = { per_transaction: '1', per_day: '1', per_dya: '1' };
  assert.match(
    refused({ ...POLYGON, signing }),
    /^Polygon \(live\): "signing\.per_dya" is not a known field/,
  );
  assert.match(refused({ ...POLYGON, max_fee_per_gas: '1' }), /"max_fee_per_gas" is not a known field/);
  assert.match(refused({ ...POLYGON, valid_for_ms: 60_000 }), /"valid_for_ms" is not a known field/);
  assert.match(problemWith(file([], { facuet: null })), /^The whole file: "facuet" is not a known field/);
  assert.match(
    refused({ ...POLYGON, 'https://x/SECRET': 1 }),
    /^Polygon \(live\): it has a field whose name cannot be shown: it is not a known field/,
  );
  const twice = file([POLYGON]).replace('"per_day":null', '"per_day":"5",\n"per_\\u0064ay":null');
  assert.match(problemWith(twice), /^The field on line 2 repeats an earlier one\. Remove one of the two\.$/);
  assert.match(problemWith('{"networks": [], "__proto__": {}}'), /"__proto__" is not a known field/);
});

test('threat 43: two networks must not use the same wallet on the same chain', () => {
  const pair = (a: Row, b: Row) => problemWith(file([a, b]));
  assert.match(
    pair(POLYGON, { ...POLYGON, name: 'POLYGON', key: 'other' }),
    /^Polygon \(live\) is listed twice\. Remove one of the two\.$/,
  );
  const twin = { ...BASE, chain_id: 137 };
  assert.match(
    pair(POLYGON, twin),
    /^Base \(live\) and Polygon \(live\) have the same "key" on the same chain/,
  );
  const both = parseNetworks(file([POLYGON, { ...twin, key: 'other' }, TEST_POLYGON, SOLANA, STELLAR]));
  assert.equal(both.networks.length, 5);
});

test('a faucet must be on this machine, and an instance must be a name', () => {
  const faucet = 'http://127.0.0.1:8080/tokens';
  assert.deepEqual(parseNetworks(file([], { faucet, instance: 'run-7' })), {
    networks: [],
    faucet,
    instance: 'run-7',
  });
  assert.deepEqual(parseNetworks(file([], { faucet: null })), { networks: [], faucet: null, instance: null });
  for (const elsewhere of ['https://two.example/SECRET', 'file://localhost/etc/passwd', 7])
    assert.match(problemWith(file([], { faucet: elsewhere })), /"faucet" must be a URL on this machine/);
  assert.match(problemWith(file([], { instance: 'a b' })), /"instance" must be a name/);
});

test('errors name the file, and broken JSON is reported only by its line and column', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-networks-'));
  afterFile(() => rmSync(directory, { recursive: true }));
  const location = path.join(directory, 'networks.json');
  const messageFor = async (content: string | Uint8Array) => {
    writeFileSync(location, content);
    const error: unknown = await readNetworksFile(location).then(
      () => assert.fail('it was taken'),
      (e) => e,
    );
    assert.ok(error instanceof SettingsError, `${error}`);
    assert.ok(error.message.startsWith(`The networks file ${location}: `), error.message);
    assert.doesNotMatch(error.message, /SECRET/);
    return error.message;
  };
  assert.match(
    await messageFor(file([without(POLYGON, 'key')])),
    /: Polygon \(live\): "key" is missing: it must be the name of a key/,
  );
  assert.match(
    await messageFor(file([{ ...POLYGON, name: undefined }])),
    /: Network 1: "name" is missing: it must be a name such as Polygon\.$/m,
  );
  assert.match(
    await messageFor('{"networks": [{"rpc": "SECRET" "x"}]}'),
    /: The file is not valid JSON \(line 1 column \d+\)\.$/,
  );
  for (const content of ['SECRET', '', '["SECRET",]', 'null', '[]', '{}', '{"networks": {}}'])
    await messageFor(content);
  assert.match(await messageFor(new Uint8Array([0x7b, 0xff])), /not text in UTF-8/);
  await assert.rejects(
    readNetworksFile(`${location}.none`),
    /networks\.json\.none: It cannot be read \(ENOENT\)/,
  );
  writeFileSync(location, `\uFEFF${file([POLYGON])}`);
  assert.equal((await readNetworksFile(location)).networks.length, 1);
});
