// Tests the fields that rows of all families share. A value with a wrong format stops the start, and the message names its
// field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ISSUER,
  MINT,
  ONES,
  POLYGON,
  parseOne,
  type Row,
  RPC,
  refused,
  SOLANA,
  STELLAR,
  TEST_POLYGON,
  TOKEN,
  TWOS,
  without,
} from '../../../../test/support/networks/network-rows.ts';
import { NOT_DEPLOYED } from './settings.ts';

test('threat 46: the hourly cap of one provider defaults to the amount from which two providers must agree', () => {
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
    /"one_provider_per_hour" must be null or left out while .*no second provider to ask/,
  );
  assert.match(
    refused({ ...POLYGON, one_provider_per_hour: 5 }),
    /"one_provider_per_hour" must be an amount in whole units and in quotes/,
  );
});

test('threat 49: a live network must name its signing limits', () => {
  assert.match(
    refused(without(POLYGON, 'signing')),
    /"signing\.per_transaction" is missing: .* or null for no limit/,
  );
  assert.match(
    refused({ ...POLYGON, signing: { per_transaction: null } }),
    /"signing\.per_day" is missing: .* or null for no limit/,
  );
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

test('amounts must be text in whole units, and are never rounded', () => {
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

test('threat 46: a live network with one provider must set "agree_from" to "never"', () => {
  const same = ['https://one.example/a', 'https://one.example/SECRET'];
  for (const rpc of [RPC.slice(0, 1), same]) {
    for (const agree_from of [undefined, '1000000', '0'])
      assert.match(
        refused({ ...POLYGON, rpc, agree_from }),
        /"agree_from" must be "never" while .*no second provider to ask/,
      );
    assert.equal(parseOne({ ...POLYGON, rpc, agree_from: 'never' }).settings.agreeFromMinor, null);
  }
  assert.equal(parseOne({ ...POLYGON, agree_from: '0' }).settings.agreeFromMinor, 0n);
  assert.match(refused({ ...POLYGON, agree_from: null }), /"agree_from" must be an amount/);
  assert.equal(parseOne(TEST_POLYGON).settings.agreeFromMinor, 1_000_000_000_000n);
});

test('provider URLs must be https, or on this machine', () => {
  const rpc = (row: Row, ...urls: readonly unknown[]) => refused({ ...row, rpc: urls });
  assert.match(rpc(POLYGON, RPC[0], 'http://two.example/SECRET'), /"rpc" entry 2 must be https/);
  assert.match(rpc(POLYGON, 'http://127.0.0.1.two.example/'), /"rpc" entry 1 must be https/);
  assert.match(rpc(POLYGON, 'ws://two.example/'), /"rpc" entry 1 must be https/);
  assert.match(rpc(POLYGON, 'two.example SECRET'), /"rpc" entry 1 is not a URL/);
  assert.match(rpc(POLYGON, RPC[0], RPC[0]), /"rpc" names the same provider twice/);
  assert.match(rpc(POLYGON), /"rpc" must be a list/);
  assert.match(refused(without(POLYGON, 'rpc')), /"rpc" is missing/);
  assert.match(rpc(SOLANA, 'https://user:SECRET@one.example'), /"rpc" entry 1 has a user name/);
  assert.match(rpc(STELLAR, 'https://one.example/?key=SECRET'), /"rpc" entry 1 has a query/);
  const local = ['http://127.0.0.1:8545', 'http://[::1]:8546', 'http://localhost'];
  assert.deepEqual(parseOne({ ...POLYGON, rpc: local }).settings.rpc, local);
  assert.deepEqual(parseOne({ ...TEST_POLYGON, rpc: ['http://node:1'] }).settings.rpc, ['http://node:1']);
});

test('addresses, names and enumerated values with a wrong format are refused', () => {
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
  assert.match(
    refused({ ...SOLANA, accept_powers: 'permanent_delegate' }),
    /"accept_powers" must be a list of names/,
  );
  for (const accept_powers of [[5], ['Permanent Delegate']])
    assert.match(refused({ ...SOLANA, accept_powers }), /"accept_powers" entry 1 must be a name/);
  assert.match(refused({ ...SOLANA, priority_fee_cap: 49_999 }), /"priority_fee_cap".*from 50000 to/);
  for (const valid_for_ms of [1_000, 600_000])
    assert.match(refused({ ...STELLAR, valid_for_ms }), /"valid_for_ms"/);
  assert.equal(parseOne({ ...POLYGON, explorer_tx_url: null }).settings.explorerTxUrl, null);
});
