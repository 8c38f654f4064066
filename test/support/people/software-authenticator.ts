// A passkey authenticator in software, according to the W3C WebAuthn specification: a P-256 key, attestation "none", the flags
// for user presence and user verification, and a counter. Tests can make it lie.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { PasskeyAnswer } from '../../../src/ports/people/credentials.ts';

export interface AuthenticatorOptions {
  readonly origin: string;
  /** Whether the authenticator verified the person by PIN, finger or face. */
  readonly userVerified?: boolean;
  /** Whether the authenticator has a counter. Keys that are stored in a cloud have none. */
  readonly counts?: boolean;
}

export interface SoftwareAuthenticator {
  readonly credentialId: string;
  /** Answers `navigator.credentials.create`. */
  register(options: object): PasskeyAnswer;
  /** Answers `navigator.credentials.get`. */
  answer(options: object, lies?: Lies): PasskeyAnswer;
}

export interface Lies {
  readonly userVerified?: boolean;
  readonly origin?: string;
  readonly signCount?: number;
}

interface Asked {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

export function makeSoftwareAuthenticator({
  origin,
  userVerified = true,
  counts = true,
}: AuthenticatorOptions): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let signCount = 0;
  const flagsOf = (verified: boolean) => USER_PRESENT | (verified ? USER_VERIFIED : 0);
  const answerOf = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  return {
    credentialId: id,
    register: (options) => {
      const { challenge, rp } = options as Asked;
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey(publicKey.export({ format: 'jwk' })),
      ]);
      const authData = Buffer.concat([
        authenticatorData(rp!.id, flagsOf(userVerified) | ATTESTED, signCount),
        attested,
      ]);
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ]);
      return answerOf({
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      });
    },
    answer: (options, lies = {}) => {
      const { challenge, rpId } = options as Asked;
      if (counts) signCount += 1;
      const authData = authenticatorData(
        rpId!,
        flagsOf(lies.userVerified ?? userVerified),
        lies.signCount ?? signCount,
      );
      const client = clientData('webauthn.get', challenge, lies.origin ?? origin);
      const signed = Buffer.concat([authData, sha256(client)]);
      return answerOf({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
      });
    },
  };
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** Writes the hash of the host, the flags and the counter (WebAuthn 6.1). */
function authenticatorData(host: string, flags: number, signCount: number): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(signCount);
  return Buffer.concat([sha256(Buffer.from(host)), Buffer.from([flags]), counter]);
}

/** Writes key type EC2, algorithm ES256, curve P-256, and the point (RFC 9053). */
function coseKey({ x, y }: { readonly x?: string; readonly y?: string }): Buffer {
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x!, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y!, 'base64url'))],
  ]);
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
