// What the service needs from the signer. The signer holds the keys in a local file, a KMS or a custody service, and the keys
// never leave it. A request describes the effect of the bytes, so that the signer checks its caps before it signs.

export type Scheme = 'secp256k1' | 'ed25519';

export interface SigningRequest {
  /** The network of the payment. Each network has separate caps. */
  readonly network: string;
  readonly key: string;
  /** The name of a key that is derived from this key; null for the key itself. */
  readonly derived: string | null;
  readonly scheme: Scheme;
  /** The bytes to sign. For secp256k1 these are the 32-byte digest, for ed25519 the message itself. */
  readonly message: Uint8Array;
  /** The payments to other parties, in the token's minor units. The list is empty for a transaction without payments. */
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
  /** Returns 65 uncompressed bytes for secp256k1, and 32 bytes for ed25519. */
  publicKey(key: string, scheme: Scheme): Promise<Uint8Array>;
  /** Returns the public key of an ed25519 key that is derived under a name. This needs no request to another system. */
  derivedPublicKey(key: string, name: string): Uint8Array;
  /**
   * Signs the bytes. A secp256k1 signature has 65 bytes: r, s in the lower half, and the recovery bit. An ed25519 signature has
   * 64 bytes.
   */
  sign(request: SigningRequest): Promise<Uint8Array>;
}
