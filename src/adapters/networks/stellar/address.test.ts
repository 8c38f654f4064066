// Tests Stellar destinations. Accounts and muxed accounts are accepted. Contracts, secrets, issuers and our own wallets are
// refused, including their muxed forms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StrKey as PublicStrKey } from '@stellar/stellar-sdk/base';
import fc from 'fast-check';
import { makeStellarAddressCheck } from './address.ts';
import { StrKey } from './horizon/strkey.ts';

const key = (fill: number) => new Uint8Array(32).fill(fill);
const muxed = (account: Uint8Array, id: number) =>
  StrKey.encodeMed25519PublicKey(Uint8Array.of(...account, 0, 0, 0, 0, 0, 0, 0, id));
const ISSUER = 'GASBV6W7GGED66MXEVC7YZHTWWYMSVYEY35USF2HJZBLABLYIFQGXZY6';
const OWN = StrKey.encodeEd25519PublicKey(key(9));
const check = makeStellarAddressCheck({ network: 'Stellar', token: [ISSUER], own: [OWN] });

test('threat 38: accounts and muxed accounts are accepted, and a muxed account keeps its id', () => {
  const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
  const withId = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';
  assert.deepEqual(check(account), { ok: true, address: account });
  assert.deepEqual(check(withId), { ok: true, address: withId });
});

test('threat 36: a contract address is refused', () => {
  const result = check(StrKey.encodeContract(key(3)));
  assert.ok(!result.ok && result.code === 'wallet_forbidden' && /contract/.test(result.message));
});

test('an address with a wrong checksum, case, length or kind is refused', () => {
  const good = StrKey.encodeEd25519PublicKey(key(7));
  const broken = `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`;
  const others = [StrKey.encodePreAuthTx(key(1)), StrKey.encodeSha256Hash(key(1)), 'ade*example.org', ''];
  for (const text of [broken, good.toLowerCase(), `${good} `, good.slice(1), ...others]) {
    const result = check(text);
    assert.ok(!result.ok && result.code === 'wallet_invalid', text);
  }
  assert.match((check(broken) as { message: string }).message, /checksum/);
});

test('a secret seed is recognised, and the message never repeats it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const seed = StrKey.encodeEd25519SecretSeed(bytes);
      const result = check(seed);
      assert.ok(!result.ok && result.code === 'wallet_invalid');
      assert.match(result.message, /secret seed/);
      assert.ok(!result.message.includes(seed.slice(0, 8)) && !result.message.includes(seed.slice(-8)));
    }),
  );
});

test('threat 35: issuer, own wallet and zero account are refused, even as muxed accounts', () => {
  const zero = StrKey.encodeEd25519PublicKey(key(0));
  assert.match(zero, /^GA{52}WHF$/);
  const issuerKey = StrKey.decodeEd25519PublicKey(ISSUER);
  for (const text of [ISSUER, OWN, zero, muxed(issuerKey, 1), muxed(key(9), 2), muxed(key(0), 3)]) {
    const result = check(text);
    assert.ok(!result.ok && result.code === 'wallet_forbidden', text);
  }
});

test('the codec that is loaded by its file path is the same as the public codec of the SDK', () => {
  assert.equal(StrKey, PublicStrKey);
});
