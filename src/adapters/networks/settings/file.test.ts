// The networks file: what it says arrives exactly, what is missing or mistyped stops the start by name, and no message
// ever holds a piece of a provider's address.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { NETWORK_ROWS } from '../registry.ts';
import { NetworkSettingsError, parseNetworks, readNetworksFile } from './file.ts';
import { knownNetwork } from './known.ts';
import { NOT_DEPLOYED } from './settings.ts';

const EXAMPLE = path.join(import.meta.dirname, '../../../../networks.example.json');
const TOKEN = '0xAb9aD9089f23e6779a8727900709427719f753e1';
const ONES = `0x${'1'.repeat(40)}`;
const TWOS = `0x${'2'.repeat(40)}`;
const ISSUER = 'GASBV6W7GGED66MXEVC7YZHTWWYMSVYEY35USF2HJZBLABLYIFQGXZY6';
const MINT = '52GzcLDMfBveMRnWXKX7U3Pa5Lf7QLkWWvsJRDjWDBSk';
const RPC = ['https://one.example/SECRET-1?key=SECRET-2', 'https://user:SECRET-3@two.example/'];

type Row = Record<string, unknown>;

/** A live row of a known name, with nothing in it that may be left out. */
const POLYGON: Row = {
  name: 'Polygon',
  mode: 'live',
  rpc: RPC,
  key: 'treasury',
  low_water: { token: '5000000', native: '0.5' },
  signing: { per_transaction: '10000000', per_day: null },
  forwarder_factory: TWOS,
  first_block: 79_000_000,
  max_fee_per_gas_gwei: '500.5',
};
const SOLANA: Row = {
  name: 'Solana',
  mode: 'live',
  rpc: ['https://one.example/SECRET-1', 'https://two.example/?SECRET-2'],
  key: 'treasury',
  low_water: { token: '0.01', native: '2' },
  signing: { per_transaction: null, per_day: null },
  priority_fee: 50_000,
};
const STELLAR: Row = {
  name: 'Stellar',
  mode: 'live',
  rpc: ['https://one.example/SECRET-1', 'https://user:SECRET-2@two.example'],
  key: 'treasury',
  low_water: { token: '0.0000001', native: '50' },
  signing: { per_transaction: '1', per_day: '1' },
};
/** Another EVM network: every field there is. */
const BASE: Row = {
  ...POLYGON,
  name: 'Base',
  family: 'evm',
  asset: 'NGNC',
  token: TOKEN.toLowerCase(),
  decimals: 18,
  native: { asset: 'ETH', decimals: 18 },
  confirmations: 600,
  final_after_ms: 1_200_000,
  explorer_tx_url: 'https://basescan.org/tx/{hash}',
  agree_from: '0.000000000000000001',
  batch: 7,
  signing: {
    per_transaction: '2.5',
    per_day: '12345678901234567890',
    allow_list: [ONES, TOKEN.toLowerCase()],
  },
  chain_id: 8453,
  disperse: ONES,
  log_blocks: 1_000,
  stuck_after_ms: 30_000,
};
const TEST_POLYGON: Row = {
  name: 'polygon',
  mode: 'test',
  rpc: ['http://127.0.0.1:8545'],
  token: ONES,
  decimals: 6,
  key: 'local',
  confirmations: 3,
  final_after_ms: 3_000,
  chain_id: 31_337,
  forwarder_factory: TWOS,
};

const file = (rows: readonly unknown[], more: Row = {}) => JSON.stringify({ networks: rows, ...more });
const parseOne = (row: Row) => parseNetworks(file([row])).networks[0]!;
const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** What is said about it; never anything of a provider but what the file's owner may show around. */
function problemWith(text: string): string {
  try {
    parseNetworks(text);
  } catch (error) {
    assert.ok(error instanceof NetworkSettingsError, `${error}`);
    assert.doesNotMatch(error.message, /SECRET|two\.example|user:/);
    return error.message;
  }
  return assert.fail('it was taken');
}
const refused = (row: Row): string => problemWith(file([row]));

test('a known live network needs only what nobody else can know', () => {
  const { settings, limits } = parseOne(POLYGON);
  assert.deepEqual(settings, {
    ...{
      name: 'Polygon',
      mode: 'live',
      family: 'evm',
      rpc: RPC,
      assetCode: 'NGNC',
      token: TOKEN,
      decimals: 6,
    },
    native: { asset: 'POL', decimals: 18 },
    ...{ key: 'treasury', confirmations: 16, finalAfterMs: 5_000 },
    explorerTxUrl: 'https://polygonscan.com/tx/{hash}',
    agreeFromMinor: 1_000_000_000_000n,
    marks: { tokenMinor: 5_000_000_000_000n, nativeMinor: 500_000_000_000_000_000n },
    ...{ batch: 50, chainId: 137, disperse: null, forwarderFactory: TWOS, firstBlock: 79_000_000n },
    ...{ logBlocks: 500, stuckAfterMs: 60_000, maxFeePerGas: 500_500_000_000n },
  });
  assert.deepEqual(limits, { perTransactionMinor: 10_000_000_000_000n, perDayMinor: null, allowList: null });
});

test('Solana and Stellar bring their own', () => {
  const solana = parseOne(SOLANA).settings;
  assert.ok(solana.family === 'solana');
  assert.deepEqual(
    [solana.token, solana.decimals, solana.native.asset, solana.confirmations, solana.marks.tokenMinor],
    [MINT, 2, 'SOL', 32, 1n],
  );
  assert.deepEqual([solana.offCurve, solana.priorityFee], ['accept', 50_000n]);
  assert.deepEqual([solana.priorityFeeCap, solana.acceptPowers], [1_000_000n, []]);
  const dear = { ...SOLANA, priority_fee: 200_000, accept_powers: ['transfer_hook'] };
  assert.partialDeepStrictEqual(parseOne(dear).settings, {
    priorityFeeCap: 2_000_000n,
    acceptPowers: ['transfer_hook'],
  });
  const stellar = parseOne(STELLAR).settings;
  assert.ok(stellar.family === 'stellar');
  assert.deepEqual([stellar.token, stellar.decimals, stellar.marks.tokenMinor], [ISSUER, 7, 1n]);
  assert.deepEqual(
    [stellar.passphrase, stellar.validForMs, stellar.feePerOperation, stellar.withoutTrustline],
    ['Public Global Stellar Network ; September 2015', 90_000, 10_000n, 'wait'],
  );
  assert.deepEqual([stellar.maxFeePerOperation, stellar.issuerControl], [1_000_000n, 'accept']);
  assert.throws(
    () => parseOne({ ...STELLAR, max_fee_per_operation: 9_999 }),
    /"max_fee_per_operation" must not be below "fee_per_operation"/,
  );
  const costly = parseOne({ ...STELLAR, fee_per_operation: 2_000_000, issuer_control: 'refuse' }).settings;
  assert.ok(costly.family === 'stellar');
  assert.deepEqual([costly.maxFeePerOperation, costly.issuerControl], [2_000_000n, 'refuse']);
  const other = { valid_for_ms: 60_000, fee_per_operation: 200, without_trustline: 'claimable_balance' };
  const changed = parseOne({ ...STELLAR, ...other }).settings;
  assert.ok(changed.family === 'stellar');
  assert.deepEqual(
    [changed.validForMs, changed.feePerOperation, changed.withoutTrustline],
    [60_000, 200n, 'claimable_balance'],
  );
});

test('another EVM network is a row, exact to the last digit', () => {
  const { settings, limits } = parseOne(BASE);
  assert.ok(settings.family === 'evm');
  assert.deepEqual(
    [settings.name, settings.token, settings.agreeFromMinor, settings.chainId, settings.disperse],
    ['Base', TOKEN, 1n, 8453, ONES],
  );
  assert.equal(settings.native.asset, 'ETH');
  assert.deepEqual(limits, {
    perTransactionMinor: 2_500_000_000_000_000_000n,
    perDayMinor: 12_345_678_901_234_567_890_000_000_000_000_000_000n,
    allowList: [ONES, TOKEN],
  });
  const needed = ['family', 'token', 'decimals', 'native', 'confirmations', 'final_after_ms'];
  for (const name of [...needed, 'explorer_tx_url', 'chain_id', 'first_block', 'max_fee_per_gas_gwei']) {
    const said = refused(without(BASE, name));
    assert.match(
      said,
      new RegExp(`^Base \\(live\\): "${name === 'native' ? 'native.asset' : name}" is missing`),
    );
  }
});

test('a test network of a known name shares its family and coin, and nothing that leads to the main one', () => {
  const { settings, limits } = parseOne(TEST_POLYGON);
  assert.ok(settings.family === 'evm');
  assert.deepEqual([settings.name, settings.native.asset, settings.explorerTxUrl], ['Polygon', 'POL', null]);
  assert.deepEqual(settings.marks, { tokenMinor: 0n, nativeMinor: 0n });
  assert.deepEqual(limits, { perTransactionMinor: null, perDayMinor: null, allowList: null });
  for (const name of ['token', 'decimals', 'confirmations', 'chain_id'])
    assert.match(
      refused(without(TEST_POLYGON, name)),
      new RegExp(`^Polygon \\(test\\): "${name}" is missing`),
    );
  assert.match(
    refused({ ...TEST_POLYGON, chain_id: 137 }),
    /"chain_id" is that of a main network, in test mode/,
  );
  const { passphrase } = knownNetwork('Stellar')!;
  const stellar = {
    ...STELLAR,
    mode: 'test',
    token: ISSUER,
    decimals: 7,
    confirmations: 1,
    final_after_ms: 5_000,
  };
  assert.match(refused({ ...stellar, passphrase }), /"passphrase" is that of the main network/);
  assert.match(refused(stellar), /"passphrase" is missing/);
});

test('every network the product knows has its defaults, and the example can be read', () => {
  for (const { name } of NETWORK_ROWS) assert.equal(knownNetwork(name.toUpperCase())?.name, name);
  const { networks } = parseNetworks(readFileSync(EXAMPLE, 'utf8'));
  assert.deepEqual(
    networks.map(({ settings }) => settings.name).toSorted(),
    [...NETWORK_ROWS.map(({ name }) => name), 'Ethereum'].toSorted(),
  );
});

test('threat 46: one provider alone vouches in an hour for as much as two have to say at once, unless it is said', () => {
  const capOf = (changes: Row) => parseOne({ ...POLYGON, ...changes }).oneProviderPerHourMinor;
  assert.equal(capOf({}), 1_000_000_000_000n);
  assert.equal(capOf({ agree_from: '5' }), 5_000_000n);
  assert.equal(capOf({ agree_from: '5', one_provider_per_hour: '0.5' }), 500_000n);
  assert.equal(capOf({ one_provider_per_hour: '0' }), 0n);
  assert.equal(capOf({ agree_from: 'never', one_provider_per_hour: '7' }), 7_000_000n);
  for (const changes of [{ one_provider_per_hour: null }, { agree_from: 'never' }])
    assert.equal(capOf(changes), null);
  const rpc = ['https://one.example/a', 'https://one.example/b'];
  assert.equal(capOf({ rpc, agree_from: 'never' }), null);
  assert.match(
    refused({ ...POLYGON, rpc, agree_from: 'never', one_provider_per_hour: '1' }),
    /"one_provider_per_hour" must be null or left out while .*no other one to ask/,
  );
  assert.match(
    refused({ ...POLYGON, one_provider_per_hour: 5 }),
    /"one_provider_per_hour" must be an amount in whole units and in quotes/,
  );
});

test('threat 49: a mistyped limit is refused by its name, wherever it stands', () => {
  const signing = { per_transaction: '1', per_day: '1', per_dya: '1' };
  assert.match(refused({ ...POLYGON, signing }), /^Polygon \(live\): "signing\.per_dya" is not known here/);
  assert.match(refused({ ...POLYGON, max_fee_per_gas: '1' }), /"max_fee_per_gas" is not known here/);
  assert.match(refused({ ...POLYGON, valid_for_ms: 60_000 }), /"valid_for_ms" is not known here/);
  assert.match(problemWith(file([], { facuet: null })), /^The whole file: "facuet" is not known here/);
  assert.match(refused({ ...POLYGON, 'https://x/SECRET': 1 }), /a field with a strange name is not known/);
  const twice = file([POLYGON]).replace('"per_day":null', '"per_day":"5",\n"per_\\u0064ay":null');
  assert.match(problemWith(twice), /^The field on line 2 stands there for the second time\.$/);
  assert.match(problemWith('{"networks": [], "__proto__": {}}'), /"__proto__" is not known here/);
});

test('threat 49: a live network says what may be signed for it', () => {
  assert.match(refused(without(POLYGON, 'signing')), /"signing\.per_transaction" is missing; null where/);
  assert.match(refused({ ...POLYGON, signing: { per_transaction: null } }), /"signing\.per_day" is missing/);
  const limited = (per_transaction: unknown, per_day: unknown, allow_list: unknown = null) =>
    refused({ ...POLYGON, signing: { per_transaction, per_day, allow_list } });
  assert.match(limited('0', null), /"signing\.per_transaction" must be above zero/);
  assert.match(limited('2', '1.5'), /"signing\.per_day" is below "signing\.per_transaction"/);
  assert.match(limited(null, null, []), /"signing\.allow_list" must be a list/);
  assert.match(
    limited(null, null, [ONES, ISSUER]),
    /"signing\.allow_list" entry 2 must be an address on Polygon/,
  );
  assert.match(refused({ ...POLYGON, signing: [] }), /"signing" must be an object/);
  assert.match(refused(without(POLYGON, 'low_water')), /"low_water\.token" is missing/);
});

test('amounts are text, in whole units, and never rounded', () => {
  for (const per_day of [1_000_000, '1e6', '1,000', ' 1', '-1', '01', '1.', '.5', '', true, '9'.repeat(21)])
    assert.match(
      refused({ ...POLYGON, signing: { per_transaction: null, per_day } }),
      /"signing\.per_day" must be an amount/,
    );
  const tooFine = { token: '0.0000001', native: '1' };
  assert.match(refused({ ...POLYGON, low_water: tooFine }), /"low_water\.token" has more than 6 digits/);
  for (const max_fee_per_gas_gwei of ['0', '500000000000'])
    assert.match(
      refused({ ...POLYGON, max_fee_per_gas_gwei }),
      /must be above 0 and at most 1000000: it is in gwei/,
    );
  for (const batch of [0, 101, 1.5, '50', null])
    assert.match(refused({ ...POLYGON, batch }), /"batch" must be a whole/);
});

test('threat 46: a live network with one provider says that it believes it', () => {
  const same = ['https://one.example/a', 'https://one.example/SECRET'];
  for (const rpc of [RPC.slice(0, 1), same]) {
    for (const agree_from of [undefined, '1000000', '0'])
      assert.match(
        refused({ ...POLYGON, rpc, agree_from }),
        /"agree_from" must be "never" while .*nobody else to ask/,
      );
    assert.equal(parseOne({ ...POLYGON, rpc, agree_from: 'never' }).settings.agreeFromMinor, null);
  }
  assert.equal(parseOne({ ...POLYGON, agree_from: '0' }).settings.agreeFromMinor, 0n);
  assert.match(refused({ ...POLYGON, agree_from: null }), /"agree_from" must be an amount/);
  assert.equal(parseOne(TEST_POLYGON).settings.agreeFromMinor, 1_000_000_000_000n);
});

test('providers are asked over https, or on this machine', () => {
  const rpc = (row: Row, ...urls: readonly unknown[]) => refused({ ...row, rpc: urls });
  assert.match(rpc(POLYGON, RPC[0], 'http://two.example/SECRET'), /"rpc" entry 2 must be https/);
  assert.match(rpc(POLYGON, 'http://127.0.0.1.two.example/'), /"rpc" entry 1 must be https/);
  assert.match(rpc(POLYGON, 'ws://two.example/'), /"rpc" entry 1 must be https/);
  assert.match(rpc(POLYGON, 'two.example SECRET'), /"rpc" entry 1 is no URL/);
  assert.match(rpc(POLYGON, RPC[0], RPC[0]), /"rpc" names the same provider twice/);
  assert.match(rpc(POLYGON), /"rpc" must be a list/);
  assert.match(refused(without(POLYGON, 'rpc')), /"rpc" is missing/);
  assert.match(rpc(SOLANA, 'https://user:SECRET@one.example'), /"rpc" entry 1 has a user name/);
  assert.match(rpc(STELLAR, 'https://one.example/?key=SECRET'), /"rpc" entry 1 has a query/);
  const local = ['http://127.0.0.1:8545', 'http://[::1]:8546', 'http://localhost'];
  assert.deepEqual(parseOne({ ...POLYGON, rpc: local }).settings.rpc, local);
  assert.deepEqual(parseOne({ ...TEST_POLYGON, rpc: ['http://node:1'] }).settings.rpc, ['http://node:1']);
});

test('addresses, names and words have a form', () => {
  const secret = `0x${'ab'.repeat(32)}`;
  assert.match(refused({ ...POLYGON, token: secret }), /"decimals" is missing/);
  for (const [field, value] of [
    ['token', secret],
    ['token', `${TOKEN.slice(0, -1)}E1`],
    ['token', TOKEN.replace('Ab', 'aB')],
    ['token', MINT],
    ['token', 5],
    ['disperse', `0x${'0'.repeat(39)}1`],
    ['token', NOT_DEPLOYED],
    ['forwarder_factory', ISSUER],
    ['key', secret.slice(2)],
    ['key', 'Treasury'],
    ['name', 'Poly/gon'],
    ['name', 7],
    ['mode', 'Live'],
    ['family', 'bitcoin'],
    ['family', 'solana'],
    ['asset', 'NGNC@Polygon'],
    ['explorer_tx_url', 'https://two.example/SECRET'],
    ['explorer_tx_url', 'http://two.example/{hash}'],
    ['native', { asset: 'POL' }],
    ['disperse', TWOS],
  ] as const) {
    const said = refused({ ...POLYGON, decimals: 6, [field]: value });
    assert.match(
      said,
      new RegExp(`"${field === 'disperse' && value === TWOS ? 'forwarder_factory' : field}[".]`),
    );
    assert.ok(!said.includes(secret.slice(2)), said);
  }
  const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
  assert.match(
    refused({ ...STELLAR, token: muxed, decimals: 7 }),
    /"token" must be an address on Stellar \(an account/,
  );
  for (const accept_powers of ['permanent_delegate', [5], ['Permanent Delegate']])
    assert.match(refused({ ...SOLANA, accept_powers }), /"accept_powers" must be a list of names/);
  assert.match(refused({ ...SOLANA, priority_fee_cap: 49_999 }), /"priority_fee_cap".*from 50000 to/);
  for (const valid_for_ms of [1_000, 600_000])
    assert.match(refused({ ...STELLAR, valid_for_ms }), /"valid_for_ms"/);
  assert.equal(parseOne({ ...POLYGON, explorer_tx_url: null }).settings.explorerTxUrl, null);
});

test('contracts that are not deployed yet stand as the zero address: the chain is asked before anything starts', () => {
  const row = { ...POLYGON, disperse: NOT_DEPLOYED, forwarder_factory: NOT_DEPLOYED };
  const { settings } = parseOne(row);
  assert.ok(settings.family === 'evm');
  assert.deepEqual([settings.disperse, settings.forwarderFactory], [NOT_DEPLOYED, NOT_DEPLOYED]);
});

test('threat 43: one wallet on one chain belongs to one network', () => {
  const pair = (a: Row, b: Row) => problemWith(file([a, b]));
  assert.match(
    pair(POLYGON, { ...POLYGON, name: 'POLYGON', key: 'other' }),
    /^Polygon \(live\) is there twice\.$/,
  );
  const twin = { ...BASE, chain_id: 137 };
  assert.match(
    pair(POLYGON, twin),
    /^Base \(live\) and Polygon \(live\) have the same "key" on the same chain/,
  );
  const both = parseNetworks(file([POLYGON, { ...twin, key: 'other' }, TEST_POLYGON, SOLANA, STELLAR]));
  assert.equal(both.networks.length, 5);
});

test('only local networks have a faucet and an instance', () => {
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

test('the file is named, and what is no JSON is told by its place alone', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-networks-'));
  after(() => rmSync(directory, { recursive: true }));
  const location = path.join(directory, 'networks.json');
  const told = async (content: string | Uint8Array) => {
    writeFileSync(location, content);
    const error: unknown = await readNetworksFile(location).then(
      () => assert.fail('it was taken'),
      (e) => e,
    );
    assert.ok(error instanceof NetworkSettingsError, `${error}`);
    assert.ok(error.message.startsWith(`The networks file ${location}: `), error.message);
    assert.doesNotMatch(error.message, /SECRET/);
    return error.message;
  };
  assert.match(await told(file([without(POLYGON, 'key')])), /: Polygon \(live\): "key" is missing\.$/);
  assert.match(await told(file([{ ...POLYGON, name: undefined }])), /: Network 1: "name" is missing\.$/);
  assert.match(
    await told('{"networks": [{"rpc": "SECRET" "x"}]}'),
    /: It is not JSON \(line 1 column \d+\)\.$/,
  );
  for (const content of ['SECRET', '', '["SECRET",]', 'null', '[]', '{}', '{"networks": {}}'])
    await told(content);
  assert.match(await told(new Uint8Array([0x7b, 0xff])), /not text in UTF-8/);
  await assert.rejects(
    readNetworksFile(`${location}.none`),
    /networks\.json\.none: it cannot be read \(ENOENT\)/,
  );
  writeFileSync(location, `\uFEFF${file([POLYGON])}`);
  assert.equal((await readNetworksFile(location)).networks.length, 1);
});
