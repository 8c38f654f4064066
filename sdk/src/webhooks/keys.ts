// The keys of webhooks in the Standard Webhooks scheme: `whsec_` (HMAC), `whpk_` and `whsk_` (ed25519), as base64.
import { invalidArgument } from '../errors.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Signer {
  /** Returns one entry of the header webhook-signature. */
  sign(content: Bytes): Promise<string>;
}

export interface Verifier {
  readonly version: 'v1' | 'v1a';
  /** The runtime compares the signatures in constant time. */
  verify(signature: Bytes, content: Bytes): Promise<boolean>;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;
const ED25519 = { name: 'Ed25519' } as const;
/** In PKCS #8, these bytes come before the 32 bytes of an ed25519 private key. */
const PKCS8_HEAD = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
const SHORTEST_SECRET_BYTES = 24;
const ED25519_BYTES = 32;

export async function verifierOf(secret: unknown): Promise<Verifier> {
  const { kind, bytes } = readSecret(secret, ['whsec_', 'whpk_']);
  if (kind === 'whsec_') {
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
    return {
      version: 'v1',
      verify: (signature, content) => crypto.subtle.verify(HMAC, key, signature, content),
    };
  }
  const key = await crypto.subtle.importKey('raw', bytes, ED25519, false, ['verify']);
  return {
    version: 'v1a',
    verify: (signature, content) => crypto.subtle.verify(ED25519, key, signature, content),
  };
}

export async function signerOf(secret: unknown): Promise<Signer> {
  const { kind, bytes } = readSecret(secret, ['whsec_', 'whsk_']);
  if (kind === 'whsec_') {
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']);
    return { sign: async (content) => `v1,${toBase64(await crypto.subtle.sign(HMAC, key, content))}` };
  }
  // Some keys contain the public half after the private half.
  const pkcs8 = new Uint8Array([...PKCS8_HEAD, ...bytes.subarray(0, ED25519_BYTES)]);
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, ED25519, false, ['sign']);
  return { sign: async (content) => `v1a,${toBase64(await crypto.subtle.sign(ED25519, key, content))}` };
}

function readSecret(
  secret: unknown,
  allowed: readonly string[],
): { readonly kind: string; readonly bytes: Bytes } {
  const kind = allowed.find((prefix) => typeof secret === 'string' && secret.startsWith(prefix));
  if (kind === undefined) {
    throw invalidArgument(
      'secret',
      `secret must begin with ${allowed.join(' or ')}: give it as the service showed it.`,
    );
  }
  const bytes = fromBase64((secret as string).slice(kind.length));
  if (bytes === undefined || !isLength(kind, bytes.length)) {
    throw invalidArgument(
      'secret',
      `The secret that begins with ${kind} is incomplete. Copy it again from the first to the last character.`,
    );
  }
  return { kind, bytes };
}

function isLength(kind: string, length: number): boolean {
  if (kind === 'whsec_') return length >= SHORTEST_SECRET_BYTES;
  return length === ED25519_BYTES || (kind === 'whsk_' && length === 2 * ED25519_BYTES);
}

export function fromBase64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** The content that is signed: id, time and body, separated by dots. */
export function signedContent(id: string, timestamp: string, payload: Uint8Array): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + payload.length);
  content.set(head);
  content.set(payload, head.length);
  return content;
}
