// What the service needs of whatever holds the keys: a local file, a KMS or a custody service. A request says what the bytes
// do, so that limits are checked before anything is signed; keys themselves never leave the signer.

export type Scheme = 'secp256k1' | 'ed25519';

export interface SigningRequest {
  /** The network it is for: limits are kept for each. */
  readonly network: string;
  /** The key's name. */
  readonly key: string;
  /** A key derived from it under this name; null: the key itself. */
  readonly derived: string | null;
  readonly scheme: Scheme;
  /** The bytes to sign: for secp256k1 the 32-byte digest, for ed25519 the message itself. */
  readonly message: Uint8Array;
  /** What it pays to others, in the token's minor units. Empty for a transaction that pays nothing. */
  readonly spends: readonly { readonly to: string; readonly amountMinor: bigint }[];
}

export type SigningRefusal =
  | 'stopped'
  | 'over_cap_per_transaction'
  | 'over_cap_per_day'
  | 'not_on_allow_list'
  | 'unavailable';

/** The signer will not sign this. Nothing was signed. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused';
  readonly code: SigningRefusal;

  constructor(code: SigningRefusal, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export interface Signer {
  /** secp256k1: 65 bytes, uncompressed; ed25519: 32 bytes. */
  publicKey(key: string, scheme: Scheme): Promise<Uint8Array>;
  /** The public part of an ed25519 key derived under a name, without a request to a service. */
  derivedPublicKey(key: string, name: string): Uint8Array;
  /** secp256k1: r, s and the recovery bit, 65 bytes, s in the lower half; ed25519: 64 bytes. */
  sign(request: SigningRequest): Promise<Uint8Array>;
}
