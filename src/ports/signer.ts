// What the service needs from the signer, which holds the keys: a local file, a KMS or a custody service. A request describes the
// effect of the bytes, so that limits are checked before anything is signed. The keys never leave the signer.

export type Scheme = 'secp256k1' | 'ed25519';

export interface SigningRequest {
  /** The network of the payment; each network has separate limits. */
  readonly network: string;
  /** The key's name. */
  readonly key: string;
  /** The name of a key derived from this key; null for the key itself. */
  readonly derived: string | null;
  readonly scheme: Scheme;
  /** The bytes to sign: for secp256k1 the 32-byte digest, for ed25519 the message itself. */
  readonly message: Uint8Array;
  /** The payments to other parties, in the token's minor units. Empty for a transaction without payments. */
  readonly spends: readonly { readonly to: string; readonly amountMinor: bigint }[];
}

export type SigningRefusal =
  | 'stopped'
  | 'over_cap_per_transaction'
  | 'over_cap_per_day'
  | 'not_on_allow_list'
  | 'unavailable';

/** The signer refuses to sign. Nothing was signed. */
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
  /** The public key of an ed25519 key that is derived under a name; no request to a service is needed. */
  derivedPublicKey(key: string, name: string): Uint8Array;
  /** secp256k1: r, s and the recovery bit, 65 bytes, s in the lower half; ed25519: 64 bytes. */
  sign(request: SigningRequest): Promise<Uint8Array>;
}
