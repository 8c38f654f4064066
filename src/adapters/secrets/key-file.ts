// Stores the keys that encrypt secrets, in a file with mode 0600. It has one line with the fingerprint key, which never
// changes, and one line per encryption key, the newest first. With the embedded database, the first start creates the file.
// With the operator's own database, the file must already exist, because every process needs the same file.
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SecretBox } from '../../ports/people/credentials.ts';
import { makeSecretBox, type SecretsKey, type SecretsKeys } from './secret-box.ts';

const KEY_BYTES = 32;
const LINE = /^([a-z0-9]{8}|fingerprint) ([A-Za-z0-9_-]{43})$/;

export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}

/**
 * With `make`, a first key is written if there is no file. The secret box follows changes of the file: while the service runs,
 * an operator may add a key and encrypt all secrets again. No secret is encrypted with a key that the file no longer contains.
 */
export async function openSecretBox(file: string, make: boolean): Promise<SecretBox> {
  if (make && readKeys(file) === undefined) await writeKeys(file, newKeys(), 'only_if_missing');
  const read = () => ({ version: versionOf(file), box: makeSecretBox(readKeys(file) ?? throwMissing(file)) });
  let opened = read();
  const current = (): SecretBox => {
    if (versionOf(file) !== opened.version) opened = read();
    return opened.box;
  };
  /** If the key file is missing or damaged, stored secrets are decrypted with the keys that were read before. */
  const readable = (): SecretBox => {
    try {
      return current();
    } catch {
      return opened.box;
    }
  };
  return {
    seal: (secret, purpose) => current().seal(secret, purpose),
    unseal: (sealed, purpose) => readable().unseal(sealed, purpose),
    isOld: (sealed) => current().isOld(sealed),
    fingerprint: (secret) => readable().fingerprint(secret),
  };
}

/** Adds a key that encrypts all new secrets. The older keys can still decrypt old secrets. Returns the new key's id. */
export async function addSecretsKey(file: string): Promise<string> {
  const known = readKeys(file) ?? throwMissing(file);
  const key = newKey();
  await writeKeys(file, { ...known, keys: [key, ...known.keys] }, 'replace');
  return key.id;
}

/**
 * Removes all keys except the newest. Before this call, the caller must have encrypted all secrets again with the newest key.
 */
export async function dropOldSecretsKeys(file: string): Promise<void> {
  const known = readKeys(file) ?? throwMissing(file);
  await writeKeys(file, { ...known, keys: [known.keys[0]] }, 'replace');
}

/** Returns a value that changes whenever the file is replaced or written. */
function versionOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

function throwMissing(file: string): never {
  throw new SecretsKeyError(
    `SECRETS_KEY_FILE: there is no file ${file}. Restore the key file that was used with this database. For a new database, create one: bin/sliproad secrets make-key FILE`,
  );
}

function readKeys(file: string): SecretsKeys | undefined {
  let text: string;
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new SecretsKeyError(`${file} can be read by others. Close it with: chmod 600 ${file}`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof SecretsKeyError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new SecretsKeyError(`${file} cannot be read: ${code ?? (error as Error).message}.`);
  }
  const lines = text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => readLine(line, file, number));
  const fingerprint = lines.find(({ id }) => id === 'fingerprint');
  const [newest, ...older] = lines.filter(({ id }) => id !== 'fingerprint');
  if (newest === undefined || fingerprint === undefined)
    throw new SecretsKeyError(
      `${file} needs a line "fingerprint KEY" and a line "ID KEY". Restore it from a copy: a new file does not open the stored secrets.`,
    );
  return { keys: [newest, ...older], fingerprintKey: fingerprint.bytes };
}

function readLine(line: string, file: string, number: number): SecretsKey {
  const [, id, key] = LINE.exec(line) ?? [];
  if (id === undefined || key === undefined)
    throw new SecretsKeyError(`${file}: line ${number} is not written as "ID KEY".`);
  return { id, bytes: Buffer.from(key, 'base64url') };
}

function newKeys(): SecretsKeys {
  return { keys: [newKey()], fingerprintKey: randomBytes(KEY_BYTES) };
}

function newKey(): SecretsKey {
  return { id: randomBytes(4).toString('hex'), bytes: randomBytes(KEY_BYTES) };
}

const HEAD = '# Keys of stored secrets, the newest first. Keep a copy apart from the database backups.\n';
const lineOf = (id: string, bytes: Buffer): string => `${id} ${bytes.toString('base64url')}\n`;

async function writeKeys(
  file: string,
  { keys, fingerprintKey }: SecretsKeys,
  how: 'replace' | 'only_if_missing',
): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    const lines = keys.map(({ id, bytes }) => lineOf(id, bytes));
    await handle.writeFile(HEAD + lineOf('fingerprint', fingerprintKey) + lines.join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    if (how === 'replace') await rename(unfinished, file);
    else await link(unfinished, file);
    await syncDirectory(path.dirname(file));
  } catch (error) {
    // Another process started at the same time and created the file first, so this process uses that file.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}
