// Reads and replaces files that contain secrets. These files are read only if no other user can read them. They are replaced
// atomically, so that a crash leaves either the old file or the new one. Only one change can run at a time, because the
// temporary file is also the lock.
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { KeyFileError } from './key-file-format.ts';

export async function readPrivateFile(location: string, what: string): Promise<Buffer | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(location, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new KeyFileError('file_unusable', `${what} ${location} cannot be read: ${codeOf(error)}.`);
  }
  try {
    // The permissions are checked after the file is opened, so that the checked file is also the file that is read.
    const { mode } = await handle.stat();
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new KeyFileError(
        'readable_by_others',
        `${what} ${location} can be read by others (mode ${(mode & 0o777).toString(8)}). ` +
          `Run: chmod 600 ${location} — and consider who may have read it.`,
      );
    }
    return await handle.readFile();
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    throw new KeyFileError('file_unusable', `${what} ${location} cannot be read: ${codeOf(error)}.`);
  } finally {
    await handle.close();
  }
}

/** Replaces the file with the result of `make`. During this call, no other process can change the file. */
export async function replacePrivateFile<T>(
  location: string,
  make: () => Promise<{ readonly text: string; readonly result: T }>,
): Promise<T> {
  const unfinished = `${location}.new`;
  const handle = await open(unfinished, 'wx', 0o600).catch((error: unknown): never => {
    if (codeOf(error) === 'EEXIST') {
      throw new KeyFileError(
        'busy',
        `Another command is changing ${location}, or one was interrupted. If none is running, remove ${unfinished} and try again: the file itself is whole.`,
      );
    }
    throw new KeyFileError('file_unusable', `${unfinished} cannot be written: ${codeOf(error)}.`);
  });
  try {
    const { text, result } = await make();
    // The umask of the process may have reduced the permissions with which the file was created.
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
    await rename(unfinished, location);
    // From here on, another process may use the name of the temporary file.
    await syncDirectory(path.dirname(location));
    return result;
  } catch (error) {
    if (await isStillSameFile(handle, unfinished)) await rm(unfinished, { force: true });
    if (codeOf(error) === undefined || error instanceof KeyFileError) throw error;
    throw new KeyFileError('file_unusable', `${location} cannot be written: ${codeOf(error)}.`);
  } finally {
    await handle.close();
  }
}

async function isStillSameFile(handle: FileHandle, location: string): Promise<boolean> {
  const [open, named] = await Promise.all([handle.stat(), stat(location).catch(() => undefined)]);
  return named !== undefined && open.ino === named.ino && open.dev === named.dev;
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Where the passphrase of the key file comes from: the environment, or better a separate file that only its owner can read. */
export interface PassphraseSetting {
  /** The name of the setting, SIGNER_PASSPHRASE. The setting for the file has the suffix _FILE. */
  readonly name: string;
  /** The passphrase as a function, so that printed settings do not contain it. Null if it is not set. */
  readonly text: (() => string) | null;
  readonly file: string | null;
}

const SHORTEST = 12;

export async function readPassphrase({ name, text, file }: PassphraseSetting): Promise<string> {
  if (text !== null && file !== null) {
    throw new KeyFileError('passphrase_missing', `Set ${name} or ${name}_FILE, not both.`);
  }
  if (file !== null) return requireLongEnough(`the file of ${name}_FILE`, await passphraseIn(name, file));
  if (text !== null) return requireLongEnough(name, text());
  throw new KeyFileError('passphrase_missing', `${name}_FILE is not set, and neither is ${name}.`);
}

async function passphraseIn(name: string, file: string): Promise<string> {
  const bytes = await readPrivateFile(file, `The file of ${name}_FILE,`);
  if (bytes === undefined) {
    throw new KeyFileError('passphrase_missing', `The file of ${name}_FILE, ${file}, does not exist.`);
  }
  // Editors and echo add a line break, which is not part of the passphrase.
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}

function requireLongEnough(where: string, passphrase: string): string {
  if ([...passphrase].length >= SHORTEST) return passphrase;
  throw new KeyFileError(
    'passphrase_too_short',
    `The passphrase in ${where} must have at least ${SHORTEST} characters.`,
  );
}
