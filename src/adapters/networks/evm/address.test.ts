// Tests EVM addresses. Only the 0x format is accepted, and it is stored with a checksum. A wrong checksum and unpayable
// destinations are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeEvmAddressCheck, toChecksumAddress } from './address.ts';

const TOKEN = '0xAb9aD9089f23e6779a8727900709427719f753e1';
const TREASURY = '0x52828daa48C1a9A06F37500882b42daf0bE04C3B';
const check = makeEvmAddressCheck({ network: 'Polygon', token: [TOKEN], own: [TREASURY.toLowerCase()] });
const codeOf = (text: string) => {
  const result = check(text);
  return result.ok ? 'ok' : result.code;
};
const anyAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => toChecksumAddress(`0x${Buffer.from(bytes).toString('hex')}`));

const VECTORS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

test('threat 33: addresses in upper case, in lower case and with a checksum are stored in one normal form', () => {
  for (const address of VECTORS) {
    const upper = `0x${address.slice(2).toUpperCase()}`;
    for (const text of [address, address.toLowerCase(), upper]) {
      assert.deepEqual(check(text), { ok: true, address });
    }
  }
});

test('threat 33: anything but 0x and 40 hexadecimal digits is refused', () => {
  const good = VECTORS[2]!;
  const bad = ['', '0x', good.slice(2), `0X${good.slice(2)}`, good.slice(0, -1), `${good}0`, ` ${good}`];
  for (const text of [...bad, `${good}\n`, `${good} `, `${good.slice(0, -1)}g`, `eth:${good}`, `0x${good}`]) {
    assert.equal(codeOf(text), 'wallet_invalid', JSON.stringify(text));
  }
});

test('threat 33: an address with one letter in the wrong case is refused because its checksum is wrong', () => {
  fc.assert(
    fc.property(anyAddress, fc.nat({ max: 39 }), (address, at) => {
      const letter = address[at + 2]!;
      const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const text = address.slice(0, at + 2) + flipped + address.slice(at + 3);
      const digits = text.slice(2);
      fc.pre(text !== address && digits !== digits.toLowerCase() && digits !== digits.toUpperCase());
      assert.equal(codeOf(text), 'wallet_invalid');
    }),
  );
});

test('threat 35: zero, burn, system, token and own addresses are refused in upper and in lower case', () => {
  const small = (digits: string) => `0x${digits.padStart(40, '0')}`;
  const forbidden = [small(''), small('dEaD'), small('dead'), small('1'), small('1010'), TOKEN, TREASURY];
  for (const text of [...forbidden, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE']) {
    assert.equal(codeOf(text), 'wallet_forbidden', text);
    assert.equal(codeOf(text.toLowerCase()), 'wallet_forbidden', text);
    assert.equal(codeOf(`0x${text.slice(2).toUpperCase()}`), 'wallet_forbidden', text);
  }
});

test('threat 35: the service refuses to start with a mistyped protected address, and the message does not repeat the address', () => {
  const start = () => makeEvmAddressCheck({ network: 'Polygon', token: [], own: ['0x1234'] });
  assert.throws(
    start,
    (error: Error) => /entry 1 of "own"/.test(error.message) && !/1234/.test(error.message),
  );
});
