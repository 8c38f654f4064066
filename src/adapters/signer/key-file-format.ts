// Writes and reads the text of the key file. It is JSON with the public part in clear text and a checksum of the whole file, so
// that accidental damage and a wrong passphrase give different errors. Every field is checked before it is used.
import { createHash } from 'node:crypto';
import type { Scheme } from '../../ports/signer.ts';
import type { AddressFamily } from '../networks/address-check.ts';
import {
  NONCE_BYTES,
  SALT_BYTES,
  type ScryptParameters,
  type SealedBytes,
  TAG_BYTES,
} from './key-sealing.ts';

/**
 * The error codes of the key file and its passphrase. A message says what to do and never contains a secret. Errors of
 * libraries are not passed on, because some of them repeat their input.
 */
export type KeyFileErrorCode =
  | 'file_missing'
  | 'file_unusable'
  | 'readable_by_others'
  | 'damaged'
  | 'unsupported_version'
  | 'bad_parameters'
  | 'passphrase_missing'
  | 'passphrase_too_short'
  | 'wrong_passphrase'
  | 'key_missing'
  | 'key_exists'
  | 'bad_name'
  | 'bad_secret'
  | 'busy';

export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  readonly code: KeyFileErrorCode;

  constructor(code: KeyFileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type KeyAddresses = { readonly [family in AddressFamily]?: string };

export interface PublicKeyPart {
  readonly name: string;
  readonly createdAt: string;
  readonly schemes: readonly Scheme[];
  readonly addresses: KeyAddresses;
}

export interface KeyEntry extends PublicKeyPart {
  readonly sealed: SealedBytes;
}

export interface KeyDocument {
  readonly scrypt: ScryptParameters;
  readonly keys: readonly KeyEntry[];
}

const FORMAT = 'sliproad keys';
const VERSION = 1;
const SECRET_BYTES = 32;
const SCHEMES: readonly Scheme[] = ['secp256k1', 'ed25519'];
const FAMILIES = ['evm', 'solana', 'stellar'] as const;

export const KEY_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function authenticatedDataOf({ scrypt }: Pick<KeyDocument, 'scrypt'>, key: PublicKeyPart): string {
  return JSON.stringify([FORMAT, VERSION, 'aes-256-gcm', scryptFields(scrypt), publicFields(key)]);
}

export function writeDocument(document: KeyDocument): string {
  const body = {
    format: FORMAT,
    version: VERSION,
    scrypt: scryptFields(document.scrypt),
    keys: document.keys.map((key) => ({
      ...publicFields(key),
      nonce: key.sealed.nonce.toString('base64'),
      ciphertext: key.sealed.ciphertext.toString('base64'),
      tag: key.sealed.tag.toString('base64'),
    })),
  };
  return `${JSON.stringify({ ...body, sum: sumOf(body) }, null, 2)}\n`;
}

export function readDocument(text: string, location: string): KeyDocument {
  const damaged = (what: string): never => {
    throw new KeyFileError(
      'damaged',
      `The key file ${location} is damaged: ${what}. Restore it from a backup.`,
    );
  };
  const whole = fieldsOf(parseJson(text));
  if (whole === undefined) return damaged('it is not JSON');
  const { sum, ...body } = whole;
  if (body.format !== FORMAT) return damaged('it is not a key file');
  if (!Number.isInteger(body.version)) return damaged('it has no version');
  if (body.version !== VERSION) {
    throw new KeyFileError(
      'unsupported_version',
      `The key file ${location} has version ${body.version}, and this release reads version ${VERSION}. Use the release that wrote it.`,
    );
  }
  if (sum !== sumOf(body)) return damaged('its checksum does not match');
  const scrypt = readScrypt(body.scrypt) ?? damaged('its scrypt parameters are not valid');
  if (!Array.isArray(body.keys) || body.keys.length === 0) return damaged('it lists no keys');
  const keys = body.keys.map((key, index) => readKey(key) ?? damaged(`key ${index + 1} is not valid`));
  if (new Set(keys.map(({ name }) => name)).size < keys.length) return damaged('two keys have the same name');
  return { scrypt, keys };
}

function readScrypt(value: unknown): ScryptParameters | undefined {
  const fields = fieldsOf(value);
  const salt = decodeBytes(fields?.salt, SALT_BYTES);
  if (fields === undefined || salt === undefined) return undefined;
  const { n, r, p } = fields;
  if (typeof n !== 'number' || typeof r !== 'number' || typeof p !== 'number') return undefined;
  return { n, r, p, salt };
}

function readKey(value: unknown): KeyEntry | undefined {
  const fields = fieldsOf(value);
  const addresses = fieldsOf(fields?.addresses);
  if (fields === undefined || addresses === undefined) return undefined;
  const { name, created_at: createdAt, schemes } = fields;
  const nonce = decodeBytes(fields.nonce, NONCE_BYTES);
  const ciphertext = decodeBytes(fields.ciphertext, SECRET_BYTES);
  const tag = decodeBytes(fields.tag, TAG_BYTES);
  if (nonce === undefined || ciphertext === undefined || tag === undefined) return undefined;
  if (typeof name !== 'string' || !KEY_NAME.test(name) || typeof createdAt !== 'string') return undefined;
  if (!Array.isArray(schemes) || schemes.length === 0) return undefined;
  if (!schemes.every((scheme) => SCHEMES.includes(scheme))) return undefined;
  const known = FAMILIES.filter((family) => addresses[family] !== undefined);
  if (!known.every((family) => typeof addresses[family] === 'string')) return undefined;
  return {
    ...{ name, createdAt, schemes },
    addresses: Object.fromEntries(known.map((family) => [family, addresses[family]])),
    sealed: { nonce, ciphertext, tag },
  };
}

const scryptFields = ({ n, r, p, salt }: ScryptParameters) => ({ n, r, p, salt: salt.toString('base64') });

/** The fields are always in the same order, because the secret is bound to them. */
function publicFields({ name, createdAt, schemes, addresses }: PublicKeyPart) {
  const { evm, solana, stellar } = addresses;
  return { name, created_at: createdAt, schemes, addresses: { evm, solana, stellar } };
}

const sumOf = (body: object): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}

function decodeBytes(value: unknown, length: number): Buffer | undefined {
  if (typeof value !== 'string') return undefined;
  const found = Buffer.from(value, 'base64');
  return found.length === length && found.toString('base64') === value ? found : undefined;
}
