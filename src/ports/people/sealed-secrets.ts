// Encrypted secrets in a table, to be encrypted again when the key changes.

export interface SealedSecret {
  /** The id of the row, in the order of `after`. */
  readonly id: string;
  readonly sealed: string;
  /** The purpose that it was encrypted for. */
  readonly purpose: string;
}

/** A table with encrypted secrets. */
export interface SealedSecrets {
  readonly name: string;
  /** Whether the table grows with every transaction: a start does not decrypt all of it, but the doctor does. */
  readonly grows?: true;
  /** The next rows after that row, in a fixed order. */
  after(id: string, limit: number): Promise<readonly SealedSecret[]>;
  /** Replaces an encrypted secret; false: the row was deleted or has another secret. */
  replace(secret: SealedSecret, sealed: string): Promise<boolean>;
}
