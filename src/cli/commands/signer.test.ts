// Tests the commands of the signer as an operator uses them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { makeKeyFile } from '../../adapters/signer/key-file.ts';
import { makeKeyStore } from '../../adapters/signer/key-store.ts';
import type { Config } from '../../config.ts';
import type { Terminal } from '../command.ts';
import { signerCommands } from './signer.ts';

const root = mkdtempSync(path.join(tmpdir(), 'sliproad-signer-cli-'));
after(() => rmSync(root, { recursive: true }));

const OLD = 'the old passphrase';
const NEW = 'the new passphrase';
let made = 0;

function open(
  given: { passphrase?: string; newPassphrase?: string; dataDir?: string; input?: Readable } = {},
) {
  const dataDir = given.dataDir ?? path.join(root, `data-${++made}`);
  const location = path.join(dataDir, 'signer-keys.json');
  const setting = (name: string, value: string | undefined) => ({
    ...{ name, file: null, text: value === undefined ? null : () => value },
  });
  const commands = signerCommands(
    ({ dataDir }) => ({
      ...makeKeyStore({
        ...{ dataDir, keyFile: makeKeyFile(location, { n: 16, r: 1, p: 1 }) },
        passphrase: setting('SIGNER_PASSPHRASE', given.passphrase),
        newPassphrase: setting('SIGNER_NEW_PASSPHRASE', given.newPassphrase),
      }),
      signsLive: async () => false,
    }),
    () => given.input ?? Readable.from([]),
  );
  const run = async (line: string): Promise<string> => {
    const words = line.split(' ');
    const command = commands.find(({ name }) => name.split(' ').every((word, n) => word === words[n]))!;
    const printed: string[] = [];
    const config = { dataDir } as Config;
    await command.run(
      { config, print: (text: string) => printed.push(text) } as unknown as Terminal,
      words.slice(2),
    );
    return printed.join('\n');
  };
  return { run, dataDir, location };
}

test('a key is created and listed, and every step prints the next one', async () => {
  const { run, location } = open({ passphrase: OLD });
  assert.match(await run('signer keys'), /no key file .*create-key NAME/);
  assert.match(await run('signer status'), /not stopped\.\nThere is no key file/);
  const created = await run('signer create-key treasury');
  assert.match(created, /^Created the key "treasury" in .*signer-keys\.json\n/);
  const wallets = /EVM +(0x[0-9a-fA-F]{40})\nSolana +(\w{32,44})\nStellar +(G\w{55})\n/
    .exec(created)!
    .slice(1);
  assert.match(created, /Back up .* passphrase in another place.*\n.*fund/);
  const listed = await run('signer keys');
  assert.match(listed, /^KEY +NETWORKS +WALLET\ntreasury +EVM/);
  for (const wallet of wallets) assert.ok(listed.includes(wallet));
  assert.match(await run('signer status'), /holds treasury\.\nThe passphrase opens the key file\./);
  await assert.rejects(run('signer create-key treasury'), { code: 'key_exists' });
  await assert.rejects(run('signer create-key'), /NAME is missing/);
  await assert.rejects(run('signer create-key No'), { code: 'bad_name' });
  assert.equal((JSON.parse(readFileSync(location, 'utf8')) as { keys: unknown[] }).keys.length, 1);
});

test('threat 92: a key is imported only from standard input and is never shown', async () => {
  const secret = randomBytes(32);
  const hex = secret.toString('hex');
  const input = () => Readable.from([hex.slice(0, 10), `${hex.slice(10)}\n`]);
  const first = open({ passphrase: OLD, input: input() });
  const imported = await first.run('signer import-key treasury');
  assert.match(imported, /Imported the key "treasury".*\nEVM +0x/);
  assert.match(imported, /the right wallets, and delete the file/);
  assert.ok(!imported.includes(hex) && !(await first.run('signer keys')).includes(hex));
  assert.ok(!readFileSync(first.location, 'utf8').includes(hex));

  const { run } = open({ passphrase: OLD });
  for (const line of [
    `signer import-key treasury ${hex}`,
    `signer import-key ${hex}`,
    `signer create-key a ${hex}`,
  ])
    await assert.rejects(run(line), (error: Error) => !`${error.stack}`.includes(hex));
  await assert.rejects(run('signer import-key treasury'), /on standard input is missing/);
  const typed = Object.assign(Readable.from([hex]), { isTTY: true });
  await assert.rejects(
    open({ passphrase: OLD, input: typed }).run('signer import-key a'),
    /import-key NAME < FILE/,
  );
  const endless = Readable.from(Array.from({ length: 50 }, () => 'a'.repeat(1_000)));
  await assert.rejects(open({ passphrase: OLD, input: endless }).run('signer import-key a'), /too long/);
});

test('a Stellar seed has no EVM wallet', async () => {
  const { Keypair } = await import('@stellar/stellar-sdk/base');
  const pair = Keypair.fromRawEd25519Seed(randomBytes(32));
  const { run } = open({ passphrase: OLD, input: Readable.from([`${pair.secret()}\n`]) });
  const imported = await run('signer import-key issuer');
  assert.ok(imported.includes(pair.publicKey()) && !imported.includes('EVM'));
});

test('after a change of the passphrase, the old passphrase no longer opens the key file', async () => {
  const { run, dataDir } = open({ passphrase: OLD, newPassphrase: NEW });
  await assert.rejects(run('signer change-passphrase'), /There is no key file/);
  await run('signer create-key treasury');
  const changed = await run('signer change-passphrase');
  assert.match(
    changed,
    /^1 key is encrypted with the new passphrase\.\n.*SIGNER_PASSPHRASE_FILE.*\n.*new backup/,
  );
  await assert.rejects(run('signer status'), { code: 'wrong_passphrase' });
  assert.match(await open({ passphrase: NEW, dataDir }).run('signer status'), /opens the key file/);
  await assert.rejects(
    open({ passphrase: NEW, dataDir }).run('signer change-passphrase'),
    /SIGNER_NEW_PASSPHRASE/,
  );
  await assert.rejects(open({ dataDir }).run('signer create-key b'), /SIGNER_PASSPHRASE_FILE is not set/);
  await assert.rejects(open({ dataDir, passphrase: 'short' }).run('signer create-key b'), /at least 12/);
  assert.match(await open({ dataDir }).run('signer keys'), /treasury/, 'wallets are shown without it');
});

test('threat 49: signing can be stopped and resumed without a database or a passphrase', async () => {
  const { run, dataDir } = open();
  await assert.rejects(run('signer stop'), /REASON is missing/);
  const stopped = await run('signer stop a laptop was stolen');
  assert.match(
    stopped,
    /^Signing is stopped\.\n.*stop-signing\nTo resume signing: bin\/sliproad signer resume$/,
  );
  const note = readFileSync(path.join(dataDir, 'stop-signing'), 'utf8');
  assert.match(note, /^\d{4}-\d\d-\d\dT\S+Z cli:\S+: a laptop was stolen\n$/);
  assert.match(await run('signer stop again'), /was already stopped: .*stolen/);
  assert.match(await run('signer status'), /Signing is stopped: .*stolen\nTo resume signing: .*resume/);
  assert.equal(await run('signer resume'), 'Signing is resumed.');
  assert.equal(await run('signer resume'), 'Signing was not stopped.');
  writeFileSync(path.join(dataDir, 'stop-signing'), '');
  assert.match(await run('signer status'), /stopped: no reason was given/);
  await assert.rejects(run('signer resume now'), /too many arguments/);
});
