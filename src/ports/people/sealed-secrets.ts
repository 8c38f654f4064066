// Sealed secrets as they lie in a table, to be sealed anew when the key changes.

export interface SealedSecret {
  /** The row, in the order of `after`. */
  readonly id: string;
  readonly sealed: string;
  /** What it was sealed for. */
  readonly purpose: string;
}

/** A table with sealed secrets. */
export interface SealedSecrets {
  readonly name: string;
  /** Whether the table grows with every transaction: a start does not open all of it, the doctor does. */
  readonly grows?: true;
  /** The next rows after that one, in a fixed order. */
  after(id: string, limit: number): Promise<readonly SealedSecret[]>;
  /** Replaces a sealed secret; false: the row is gone or holds another secret. */
  replace(secret: SealedSecret, sealed: string): Promise<boolean>;
}
