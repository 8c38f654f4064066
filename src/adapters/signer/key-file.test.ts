// Tests the key file. Keys are read back unchanged, and only the right passphrase opens the file, which must be unchanged.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { addKey, changePassphrase, listKeys, makeKeyFile, openKeys } from './key-file.ts';
import { KeyFileError, type KeyFileErrorCode } from './key-file-format.ts';
import { SCRYPT_COST, scryptProblem } from './key-sealing.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-keys-'));
after(() => rmSync(directory, { recursive: true }));

const CHEAP = { n: 16, r: 1, p: 1 };
const PASSPHRASE = 'correct horse battery';
const BOTH = ['secp256k1', 'ed25519'] as const;
let made = 0;
const fresh = () => makeKeyFile(path.join(directory, `keys-${++made}.json`), CHEAP);

const refused =
  (code: KeyFileErrorCode, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof KeyFileError, inspect(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };

async function fileWith(...names: readonly string[]) {
  const file = fresh();
  const secrets = names.map(() => randomBytes(32));
  for (const [index, name] of names.entries())
    await addKey(file, PASSPHRASE, { name, secret: secrets[index]!, schemes: BOTH });
  return { file, secrets };
}

interface Body {
  version: unknown;
  sum?: string;
  scrypt: Record<string, unknown>;
  keys: Record<string, unknown>[];
}

/** Changes the file as an attacker who knows its format would, so the checksum matches. */
function forge(location: string, change: (body: Body) => void): void {
  const body = JSON.parse(readFileSync(location, 'utf8')) as Body;
  delete body.sum;
  change(body);
  const sum = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  writeFileSync(location, JSON.stringify({ ...body, sum }));
}

test('keys are read back unchanged, from a file that only its owner can read', async () => {
  const { file, secrets } = await fileWith('treasury', 'deposits');
  const opened = await openKeys(file, PASSPHRASE);
  assert.deepEqual(
    opened.map(({ name, secret }) => [name, secret.toString('hex')]),
    ['treasury', 'deposits'].map((name, index) => [name, secrets[index]!.toString('hex')]),
  );
  assert.equal(statSync(file.location).mode & 0o777, 0o600);
  assert.ok(!existsSync(`${file.location}.new`));
});

test('the addresses equal those of the networks’ own libraries', async () => {
  const file = fresh();
  // The secret is the first account of the well-known test mnemonic. The same bytes are the seed of the key on the other
  // network families.
  const secret = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex');
  const { addresses } = await addKey(file, PASSPHRASE, { name: 'known', secret, schemes: BOTH });
  assert.equal(addresses.evm, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  const [{ Keypair }, kit] = await Promise.all([import('@stellar/stellar-sdk/base'), import('@solana/kit')]);
  assert.equal(addresses.stellar, Keypair.fromRawEd25519Seed(secret).publicKey());
  const { address } = await kit.createKeyPairSignerFromPrivateKeyBytes(secret);
  assert.equal(addresses.solana, address);
  assert.deepEqual((await listKeys(file))![0]!.addresses, addresses);
});

test('threat 92: the file contains no secret in any encoding', async () => {
  const { file, secrets } = await fileWith('treasury');
  const text = readFileSync(file.location, 'utf8');
  for (const spelling of ['hex', 'base64', 'base64url', 'latin1'] as const)
    assert.ok(!text.includes(secrets[0]!.toString(spelling)));
  assert.ok(!text.includes(PASSPHRASE));
  assert.ok(!inspect(await listKeys(file), { depth: 9 }).includes('ciphertext'));
});

test('another passphrase does not open the file, and two Unicode forms of one letter are equal', async () => {
  const { file } = await fileWith('treasury');
  await assert.rejects(openKeys(file, `${PASSPHRASE} `), refused('wrong_passphrase', /SIGNER_PASSPHRASE/));
  const added = addKey(file, 'another passphrase', { name: 'b', secret: randomBytes(32), schemes: BOTH });
  await assert.rejects(added, refused('wrong_passphrase'));
  assert.equal((await listKeys(file))!.length, 1);
  await changePassphrase(file, PASSPHRASE, 'Ọ̀yọ́ caf\u00e9 long');
  assert.equal((await openKeys(file, 'Ọ̀yọ́ cafe\u0301 long')).length, 1);
});

test('threat 92: a file with any changed field does not open', async () => {
  const forgeries: Record<string, (body: Body) => void> = {
    salt: ({ scrypt }) => flip(scrypt, 'salt'),
    n: ({ scrypt }) => Object.assign(scrypt, { n: 32 }),
    r: ({ scrypt }) => Object.assign(scrypt, { r: 2 }),
    p: ({ scrypt }) => Object.assign(scrypt, { p: 2 }),
    name: ({ keys }) => Object.assign(keys[0]!, { name: 'other' }),
    time: ({ keys }) => Object.assign(keys[0]!, { created_at: '2020-01-01T00:00:00.000Z' }),
    schemes: ({ keys }) => Object.assign(keys[0]!, { schemes: ['ed25519'] }),
    evm: ({ keys }) => Object.assign(keys[0]!.addresses!, { evm: `0x${'11'.repeat(20)}` }),
    solana: ({ keys }) => Object.assign(keys[0]!.addresses!, { solana: '1'.repeat(32) }),
    stellar: ({ keys }) => Object.assign(keys[0]!.addresses!, { stellar: `G${'A'.repeat(55)}` }),
    nonce: ({ keys }) => flip(keys[0]!, 'nonce'),
    ciphertext: ({ keys }) => flip(keys[0]!, 'ciphertext'),
    tag: ({ keys }) => flip(keys[0]!, 'tag'),
  };
  for (const [what, change] of Object.entries(forgeries)) {
    const { file } = await fileWith('treasury');
    forge(file.location, change);
    await assert.rejects(
      openKeys(file, PASSPHRASE),
      refused('wrong_passphrase', /the file was changed/),
      what,
    );
  }
  const { file } = await fileWith('one', 'two');
  forge(file.location, ({ keys: [one, two] }) => {
    const { nonce, ciphertext, tag } = one!;
    Object.assign(two!, { nonce, ciphertext, tag });
  });
  await assert.rejects(openKeys(file, PASSPHRASE), refused('damaged', /not two in it/));
});

test('accidental damage and a wrong passphrase give different errors', async () => {
  const { file } = await fileWith('treasury');
  const whole = readFileSync(file.location);
  for (let place = 0; place < whole.length; place += 7) {
    const bytes = Buffer.from(whole);
    bytes[place]! ^= 1;
    writeFileSync(file.location, bytes);
    await assert.rejects(openKeys(file, PASSPHRASE), (error: KeyFileError) => {
      const expected = ['damaged', 'unsupported_version'];
      return expected.includes(error.code) || assert.fail(`${place}: ${error.message}`);
    });
  }
  for (const cut of [0, 1, whole.length >> 1, whole.length - 3]) {
    writeFileSync(file.location, whole.subarray(0, cut));
    await assert.rejects(openKeys(file, PASSPHRASE), refused('damaged', /backup/), `cut at ${cut}`);
  }
  for (const odd of ['null', '[]', '{}', '7']) {
    writeFileSync(file.location, odd);
    await assert.rejects(openKeys(file, PASSPHRASE), refused('damaged'));
  }
});

test('an invalid structure is reported as damage, and a newer format version as unsupported', async () => {
  const odd: ((body: Body) => void)[] = [
    (body) => Object.assign(body, { keys: [] }),
    (body) => Object.assign(body, { keys: [null] }),
    (body) => Object.assign(body, { keys: [body.keys[0], body.keys[0]] }),
    (body) => Object.assign(body, { scrypt: 7 }),
    ({ scrypt }) => Object.assign(scrypt, { n: '131072' }),
    ({ scrypt }) => Object.assign(scrypt, { salt: 'AAAA' }),
    ({ keys }) => Object.assign(keys[0]!, { name: '../x' }),
    ({ keys }) => Object.assign(keys[0]!, { schemes: ['rsa'] }),
    ({ keys }) => Object.assign(keys[0]!, { addresses: { evm: 7 } }),
    ({ keys }) => Object.assign(keys[0]!, { tag: 'AAAA' }),
    (body) => Object.assign(body, { version: 'two' }),
  ];
  for (const change of odd) {
    const { file } = await fileWith('treasury');
    forge(file.location, change);
    await assert.rejects(openKeys(file, PASSPHRASE), refused('damaged'), String(change));
  }
  const { file } = await fileWith('treasury');
  forge(file.location, (body) => Object.assign(body, { version: 2 }));
  await assert.rejects(openKeys(file, PASSPHRASE), refused('unsupported_version', /version 2/));
});

test('scrypt parameters that are too weak or need too much memory are refused', async () => {
  const strong = { n: 2 ** 17, r: 8, p: 1 };
  assert.deepEqual(SCRYPT_COST, strong);
  assert.equal(scryptProblem(strong, SCRYPT_COST), undefined);
  assert.equal(scryptProblem({ ...strong, n: 2 ** 19 }, SCRYPT_COST), undefined);
  assert.match(scryptProblem({ ...strong, n: 2 ** 16 }, SCRYPT_COST)!, /too weak/);
  assert.match(scryptProblem({ ...strong, r: 4 }, SCRYPT_COST)!, /too weak/);
  assert.match(scryptProblem({ ...strong, n: 2 ** 24 }, SCRYPT_COST)!, /too much/);
  assert.match(scryptProblem({ ...strong, r: 2 ** 20 }, SCRYPT_COST)!, /too much/);
  assert.match(scryptProblem({ ...strong, p: 1_000 }, SCRYPT_COST)!, /too much/);
  assert.match(scryptProblem({ ...strong, n: 131_073 }, SCRYPT_COST)!, /not valid for scrypt/);
  for (const n of [0, -1, 1.5, Number.NaN]) assert.match(scryptProblem({ ...strong, n }, CHEAP)!, /whole/);

  const { file } = await fileWith('treasury');
  await assert.rejects(
    openKeys(makeKeyFile(file.location), PASSPHRASE),
    refused('bad_parameters', /too weak/),
  );
  forge(file.location, ({ scrypt }) => Object.assign(scrypt, { n: 2 ** 30 }));
  await assert.rejects(openKeys(file, PASSPHRASE), refused('bad_parameters', /too much/));
});

test('threat 92: a file with the real scrypt cost opens, and the file contains that cost', async () => {
  const file = makeKeyFile(path.join(directory, 'real.json'));
  const secret = randomBytes(32);
  await addKey(file, PASSPHRASE, { name: 'treasury', secret, schemes: BOTH });
  assert.deepEqual((await openKeys(file, PASSPHRASE))[0]!.secret, secret);
  const { n, r, p } = (JSON.parse(readFileSync(file.location, 'utf8')) as Body).scrypt;
  assert.deepEqual({ n, r, p }, SCRYPT_COST);
});

test('threat 92: a file that others can read is refused', async () => {
  const { file } = await fileWith('treasury');
  for (const mode of [0o640, 0o604, 0o644, 0o620, 0o601]) {
    chmodSync(file.location, mode);
    await assert.rejects(openKeys(file, PASSPHRASE), refused('readable_by_others', /chmod 600/));
    await assert.rejects(listKeys(file), refused('readable_by_others'));
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(file.location, mode);
    assert.equal((await openKeys(file, PASSPHRASE)).length, 1);
  }
});

test('a key is never overwritten and never stored twice', async () => {
  const { file, secrets } = await fileWith('treasury');
  const before = readFileSync(file.location);
  const second = { name: 'treasury', secret: randomBytes(32), schemes: BOTH };
  await assert.rejects(addKey(file, PASSPHRASE, second), refused('key_exists', /another name/));
  const again = { name: 'again', secret: secrets[0]!, schemes: ['ed25519'] as const };
  await assert.rejects(addKey(file, PASSPHRASE, again), refused('key_exists', /as "treasury"/));
  for (const name of ['', 'A', 'a b', '../a', 'a'.repeat(64), '-a', 'constructor.'])
    await assert.rejects(addKey(file, PASSPHRASE, { ...second, name }), refused('bad_name'));
  assert.deepEqual(readFileSync(file.location), before);
  assert.ok(!existsSync(`${file.location}.new`), 'nothing is left behind');
});

test('of several changes at once, some are refused as busy, and no added key is lost', async () => {
  const { file } = await fileWith('treasury');
  const adding = Array.from({ length: 6 }, (_, n) =>
    addKey(file, PASSPHRASE, { name: `key-${n}`, secret: randomBytes(32), schemes: BOTH }),
  );
  const outcomes = await Promise.allSettled(adding);
  const added = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.name] : []));
  for (const each of outcomes) if (each.status === 'rejected') refused('busy', /\.new/)(each.reason);
  assert.ok(added.length >= 1);
  assert.deepEqual(
    (await openKeys(file, PASSPHRASE)).map(({ name }) => name).sort(),
    [...added, 'treasury'].sort(),
  );
});

test('after an interrupted change the file still opens, and the error says which file to remove', async () => {
  const { file } = await fileWith('treasury');
  writeFileSync(`${file.location}.new`, '{"half');
  const given = { name: 'b', secret: randomBytes(32), schemes: BOTH };
  await assert.rejects(addKey(file, PASSPHRASE, given), refused('busy', /remove .*\.new/));
  assert.equal((await openKeys(file, PASSPHRASE)).length, 1);
  rmSync(`${file.location}.new`);
  await addKey(file, PASSPHRASE, given);
});

test('after a passphrase change, only the new passphrase opens all keys, with a new salt and new nonces', async () => {
  const { file, secrets } = await fileWith('treasury', 'deposits');
  const before = JSON.parse(readFileSync(file.location, 'utf8')) as Body;
  await assert.rejects(
    changePassphrase(file, 'not this one!', 'a new passphrase'),
    refused('wrong_passphrase'),
  );
  assert.equal(await changePassphrase(file, PASSPHRASE, 'a new passphrase'), 2);
  await assert.rejects(openKeys(file, PASSPHRASE), refused('wrong_passphrase'));
  const opened = await openKeys(file, 'a new passphrase');
  assert.deepEqual(
    opened.map(({ secret }) => secret.toString('hex')),
    secrets.map((secret) => secret.toString('hex')),
  );
  const now = JSON.parse(readFileSync(file.location, 'utf8')) as Body;
  assert.notEqual(now.scrypt.salt, before.scrypt.salt);
  assert.notEqual(now.keys[0]!.nonce, before.keys[0]!.nonce);
  const missing = fresh();
  await assert.rejects(changePassphrase(missing, PASSPHRASE, 'x'), refused('file_missing', /create-key/));
  assert.ok(!readdirSync(directory).some((name) => name.endsWith('.new')));
});

function flip(fields: Record<string, unknown>, name: string): void {
  const bytes = Buffer.from(fields[name] as string, 'base64');
  bytes[0]! ^= 1;
  fields[name] = bytes.toString('base64');
}
