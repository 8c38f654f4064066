// Encrypted secrets in a table; they are encrypted again when the key changes.

export interface SealedSecret {
  /** The id of the row, in the order that `after` uses. */
  readonly id: string;
  readonly sealed: string;
  /** The purpose for which it was encrypted. */
  readonly purpose: string;
}

/** A table with encrypted secrets. */
export interface SealedSecrets {
  readonly name: string;
  /** Whether the table grows with every transaction: the service does not decrypt all of it at start, but the doctor does. */
  readonly grows?: true;
  /** The next rows after the row with this id, in a fixed order. */
  after(id: string, limit: number): Promise<readonly SealedSecret[]>;
  /** Replaces an encrypted secret; false if the row was deleted or has another secret now. */
  replace(secret: SealedSecret, sealed: string): Promise<boolean>;
}
