// The file with the keys of the secret box: one line a key, the newest first, mode 0600. It is made at the first start on the
// embedded database; with a database of the operator's own it must be there, because every process needs the same one.
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeSecretBox, type SecretBox, type SecretsKey } from './secret-box.ts';

const KEY_BYTES = 32;
const LINE = /^([a-z0-9]{8}) ([A-Za-z0-9_-]{43})$/;

/** A failure whose message is written for the operator. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}

/** `make`: write a first key when there is no file. */
export async function openSecretBox(file: string, make: boolean): Promise<SecretBox> {
  return makeSecretBox((await readKeys(file)) ?? (make ? await makeFirst(file) : missing(file)));
}

/** Adds a key that seals from now on; the older ones still open what they sealed. Answers the new key's id. */
export async function addSecretsKey(file: string): Promise<string> {
  const keys = (await readKeys(file)) ?? missing(file);
  const key = newKey();
  await write(file, [key, ...keys], 'replace');
  return key.id;
}

/** Leaves only the newest key. The caller has sealed everything anew before. */
export async function dropOldSecretsKeys(file: string): Promise<void> {
  const [newest] = (await readKeys(file)) ?? missing(file);
  await write(file, [newest], 'replace');
}

function missing(file: string): never {
  throw new SecretsKeyError(
    `SECRETS_KEY_FILE: there is no file ${file}. Put the copy of the key file there that this database was used with. For a new database make one: bin/sliproad secrets make-key FILE`,
  );
}

async function readKeys(file: string): Promise<[SecretsKey, ...SecretsKey[]] | undefined> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new SecretsKeyError(`${file} can be read by others. Close it with: chmod 600 ${file}`);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof SecretsKeyError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new SecretsKeyError(`${file} cannot be read: ${code ?? (error as Error).message}.`);
  }
  const keys = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line, index) => readLine(line, file, index));
  const [newest, ...older] = keys;
  if (newest === undefined) throw new SecretsKeyError(`${file} has no key in it.`);
  return [newest, ...older];
}

function readLine(line: string, file: string, index: number): SecretsKey {
  const [, id, key] = LINE.exec(line.trim()) ?? [];
  if (id === undefined || key === undefined)
    throw new SecretsKeyError(`${file}: key ${index + 1} is not written as "ID KEY".`);
  return { id, bytes: Buffer.from(key, 'base64url') };
}

async function makeFirst(file: string): Promise<[SecretsKey]> {
  const key = newKey();
  // Two processes that start at once: the first to link its file wins, and the other reads it.
  if (await write(file, [key], 'only_if_missing')) return [key];
  const [found] = (await readKeys(file)) ?? missing(file);
  return [found];
}

function newKey(): SecretsKey {
  return { id: randomBytes(4).toString('hex'), bytes: randomBytes(KEY_BYTES) };
}

const HEAD = '# Keys of stored secrets, the newest first. Keep a copy apart from the database backups.\n';

async function write(
  file: string,
  keys: readonly SecretsKey[],
  how: 'replace' | 'only_if_missing',
): Promise<boolean> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(
      HEAD + keys.map(({ id, bytes }) => `${id} ${bytes.toString('base64url')}\n`).join(''),
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    if (how === 'replace') await rename(unfinished, file);
    else await link(unfinished, file);
    await syncDirectory(path.dirname(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}
