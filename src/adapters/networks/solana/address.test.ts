// Tests Solana destinations. A destination has 32 bytes in base 58, and is not a program, a mint or one of our wallets. The
// settings decide whether off-curve owners are accepted.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from '@solana/addresses';
import { makeSolanaAddressCheck } from './address.ts';

const MINT = '52GzcLDMfBveMRnWXKX7U3Pa5Lf7QLkWWvsJRDjWDBSk';
const base58 = (bytes: Uint8Array) => getAddressDecoder().decode(bytes) as string;
const OWN = base58(new Uint8Array(32).fill(9));
const rules = { network: 'Solana', token: [MINT], own: [OWN] };
const check = makeSolanaAddressCheck(rules);

function freshWallet(): string {
  const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return base58(Buffer.from(jwk.x ?? '', 'base64url'));
}

test('a valid wallet address is accepted unchanged', () => {
  const address = freshWallet();
  assert.deepEqual(check(address), { ok: true, address });
});

test('addresses with a wrong length or a wrong alphabet are refused', () => {
  const good = base58(new Uint8Array(32).fill(250));
  const long = '1'.repeat(33);
  for (const text of [
    '',
    '1'.repeat(31),
    long,
    `${good}1`,
    ` ${good}`,
    `${good}\n`,
    good.replace(/.$/, '0'),
  ]) {
    const result = check(text);
    assert.ok(!result.ok && result.code === 'wallet_invalid', JSON.stringify(text));
  }
});

test('threat 35: programs, the incinerator, the mint and own wallets are refused', () => {
  const programs = [
    '11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    '1nc1nerator11111111111111111111111111111111',
  ];
  for (const text of [...programs, MINT, OWN]) {
    const result = check(text);
    assert.ok(!result.ok && result.code === 'wallet_forbidden', text);
  }
});

test('threat 36: program-derived owners are accepted or refused according to the setting', async () => {
  const [derived] = await getProgramDerivedAddress({
    programAddress: address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
    seeds: [getAddressEncoder().encode(address(MINT))],
  });
  assert.ok(check(derived).ok);
  const strict = makeSolanaAddressCheck({ ...rules, offCurve: 'refuse' });
  const refused = strict(derived);
  assert.ok(!refused.ok && refused.code === 'wallet_forbidden' && /program/.test(refused.message));
  assert.ok(strict(freshWallet()).ok);
});
