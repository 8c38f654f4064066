// The passphrase of the key file: from the environment, or better from a file of its own that only its owner can read.
import { KeyFileError } from './key-file-error.ts';
import { readPrivateFile } from './private-file.ts';

export interface PassphraseSetting {
  /** SIGNER_PASSPHRASE; the file's setting has _FILE after it. */
  readonly name: string;
  /** A function, so that settings can be printed without it; null when not set. */
  readonly text: (() => string) | null;
  readonly file: string | null;
}

const SHORTEST = 12;

export async function readPassphrase({ name, text, file }: PassphraseSetting): Promise<string> {
  if (text !== null && file !== null) {
    throw new KeyFileError('passphrase_missing', `Set ${name} or ${name}_FILE, not both.`);
  }
  if (file !== null) return longEnough(`the file of ${name}_FILE`, await passphraseIn(name, file));
  if (text !== null) return longEnough(name, text());
  throw new KeyFileError('passphrase_missing', `${name}_FILE is not set, and neither is ${name}.`);
}

async function passphraseIn(name: string, file: string): Promise<string> {
  const bytes = await readPrivateFile(file, `The file of ${name}_FILE,`);
  if (bytes === undefined) {
    throw new KeyFileError('passphrase_missing', `The file of ${name}_FILE, ${file}, does not exist.`);
  }
  // Editors and echo add a line end, which is not part of the passphrase.
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}

function longEnough(where: string, passphrase: string): string {
  if ([...passphrase].length >= SHORTEST) return passphrase;
  throw new KeyFileError(
    'passphrase_too_short',
    `The passphrase in ${where} must have at least ${SHORTEST} characters.`,
  );
}
