// Stores the keys of an installation in one file: names and addresses in clear text, secrets encrypted with one passphrase.
// Keys are only added, never overwritten. A new file is opened once as a test before it replaces the old one.
import type { Scheme } from '../../ports/signer.ts';
import {
  authenticatedDataOf,
  KEY_NAME,
  type KeyAddresses,
  type KeyDocument,
  type KeyEntry,
  KeyFileError,
  type PublicKeyPart,
  readDocument,
  writeDocument,
} from './key-file-format.ts';
import { makeKeyMaterial } from './key-material.ts';
import {
  deriveSealingKey,
  newSalt,
  SCRYPT_COST,
  type ScryptCost,
  scryptProblem,
  sealSecret,
  unsealSecret,
} from './key-sealing.ts';
import { readPrivateFile, replacePrivateFile } from './private-file.ts';

export interface KeyFile {
  readonly location: string;
  /** The scrypt cost of new files, and the minimum cost of existing files. Only tests use a lower cost. */
  readonly cost: ScryptCost;
}

export interface OpenedKey extends PublicKeyPart {
  /** The caller must overwrite the secret after use. */
  readonly secret: Buffer;
}

export const makeKeyFile = (location: string, cost: ScryptCost = SCRYPT_COST): KeyFile => ({
  location,
  cost,
});

/** Returns the public parts of all keys, which need no passphrase. Returns undefined if there is no file yet. */
export async function listKeys(file: KeyFile): Promise<readonly PublicKeyPart[] | undefined> {
  const document = await readKeyDocumentIfPresent(file);
  return document?.keys.map(({ name, createdAt, schemes, addresses }) => ({
    ...{ name, createdAt, schemes, addresses },
  }));
}

export async function openKeys(file: KeyFile, passphrase: string): Promise<readonly OpenedKey[]> {
  const document = await readKeyDocument(file);
  return openEveryKey(file, document, await deriveSealingKey(passphrase, document.scrypt));
}

export interface NewSignerKey {
  readonly name: string;
  readonly secret: Uint8Array;
  readonly schemes: readonly Scheme[];
}

/** Adds a key, and creates the file if there is none. The passphrase must be the same as for the existing keys. */
export async function addKey(file: KeyFile, passphrase: string, given: NewSignerKey): Promise<PublicKeyPart> {
  const { name, schemes, secret } = given;
  if (!KEY_NAME.test(name)) {
    throw new KeyFileError('bad_name', 'A key’s name has small letters, digits and hyphens, 63 at most.');
  }
  const addresses = await addressesOf(secret, schemes);
  const added = { name, createdAt: new Date().toISOString(), schemes, addresses };
  return replacePrivateFile(file.location, async () => {
    const before = await readKeyDocumentIfPresent(file);
    refuseDuplicateKey(file, before, added);
    const scrypt = before?.scrypt ?? { ...costOf(file), salt: newSalt() };
    const key = await deriveSealingKey(passphrase, scrypt);
    if (before !== undefined) for (const each of openEveryKey(file, before, key)) each.secret.fill(0);
    const entry = { ...added, sealed: sealSecret(key, secret, authenticatedDataOf({ scrypt }, added)) };
    const text = writeCheckedText(file, { scrypt, keys: [...(before?.keys ?? []), entry] }, key);
    return { text, result: added };
  });
}

export async function changePassphrase(file: KeyFile, from: string, to: string): Promise<number> {
  // The file is read first, because a missing file cannot be locked.
  await readKeyDocument(file);
  return replacePrivateFile(file.location, async () => {
    const before = await readKeyDocument(file);
    const opened = openEveryKey(file, before, await deriveSealingKey(from, before.scrypt));
    const scrypt = { ...costOf(file), salt: newSalt() };
    const key = await deriveSealingKey(to, scrypt);
    const keys = opened.map(({ secret, ...known }): KeyEntry => {
      const sealed = sealSecret(key, secret, authenticatedDataOf({ scrypt }, known));
      secret.fill(0);
      return { ...known, sealed };
    });
    return { text: writeCheckedText(file, { scrypt, keys }, key), result: keys.length };
  });
}

async function readKeyDocument(file: KeyFile): Promise<KeyDocument> {
  const document = await readKeyDocumentIfPresent(file);
  if (document !== undefined) return document;
  throw new KeyFileError(
    'file_missing',
    `There is no key file ${file.location}. Create a key: bin/sliproad signer create-key NAME`,
  );
}

async function readKeyDocumentIfPresent(file: KeyFile): Promise<KeyDocument | undefined> {
  const bytes = await readPrivateFile(file.location, 'The key file');
  if (bytes === undefined) return undefined;
  const document = readDocument(bytes.toString('utf8'), file.location);
  const problem = scryptProblem(document.scrypt, file.cost);
  if (problem === undefined) return document;
  throw new KeyFileError('bad_parameters', `The scrypt parameters of ${file.location} ${problem}.`);
}

function openEveryKey(file: KeyFile, document: KeyDocument, key: Buffer): readonly OpenedKey[] {
  const opened: OpenedKey[] = [];
  const closed: string[] = [];
  for (const { sealed, ...known } of document.keys) {
    const secret = unsealSecret(key, sealed, authenticatedDataOf(document, known));
    if (secret === undefined) closed.push(known.name);
    else opened.push({ ...known, secret });
  }
  if (closed.length === 0) return opened;
  for (const { secret } of opened) secret.fill(0);
  if (opened.length > 0) {
    throw new KeyFileError(
      'damaged',
      `The passphrase opens ${file.location} but not ${closed.join(', ')} in it: the file was changed. Restore it from a backup.`,
    );
  }
  throw new KeyFileError(
    'wrong_passphrase',
    `The passphrase does not open ${file.location}. Check SIGNER_PASSPHRASE; if it is the right one, the file was changed: restore it from a backup.`,
  );
}

/** Writes the text of the key file and, as a test, opens every key in it, as the next start does. */
function writeCheckedText(file: KeyFile, document: KeyDocument, key: Buffer): string {
  const text = writeDocument(document);
  for (const { secret } of openEveryKey(file, readDocument(text, file.location), key)) secret.fill(0);
  return text;
}

function refuseDuplicateKey(file: KeyFile, before: KeyDocument | undefined, added: PublicKeyPart): void {
  for (const { name, addresses } of before?.keys ?? []) {
    if (name === added.name) {
      throw new KeyFileError(
        'key_exists',
        `${file.location} has a key "${name}" already. Keys are never overwritten: take another name.`,
      );
    }
    const { evm, solana } = added.addresses;
    if (
      (evm !== undefined && addresses.evm === evm) ||
      (solana !== undefined && addresses.solana === solana)
    ) {
      throw new KeyFileError('key_exists', `${file.location} has this key already, as "${name}".`);
    }
  }
}

function costOf({ cost: { n, r, p } }: KeyFile): ScryptCost {
  return { n, r, p };
}

// Computes the addresses of a key on each family of networks, so that people can identify the wallet.

/** The order of the group. A secp256k1 key must be greater than zero and less than this number. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

async function addressesOf(secret: Uint8Array, schemes: readonly Scheme[]): Promise<KeyAddresses> {
  const material = makeKeyMaterial(secret);
  const evm = schemes.includes('secp256k1') ? await evmAddress(secret, material) : undefined;
  if (!schemes.includes('ed25519')) return { ...(evm !== undefined && { evm }) };
  const publicKey = Buffer.from(await material.publicKey('ed25519'));
  const [{ getAddressDecoder }, { StrKey }] = await Promise.all([
    import('@solana/addresses'),
    import('../networks/stellar/horizon/strkey.ts'),
  ]);
  return {
    ...(evm !== undefined && { evm }),
    solana: getAddressDecoder().decode(publicKey),
    stellar: StrKey.encodeEd25519PublicKey(publicKey),
  };
}

async function evmAddress(secret: Uint8Array, material: ReturnType<typeof makeKeyMaterial>): Promise<string> {
  // This is checked here, because the library's own error contains the secret number.
  const number = BigInt(`0x${Buffer.from(secret).toString('hex')}`);
  if (number === 0n || number >= SECP256K1_ORDER) {
    throw new KeyFileError('bad_secret', 'These 32 bytes are not a secp256k1 key.');
  }
  const publicKey = Buffer.from(await material.publicKey('secp256k1'));
  const { publicKeyToAddress } = await import('viem/accounts');
  return publicKeyToAddress(`0x${publicKey.toString('hex')}`);
}
