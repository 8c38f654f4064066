// The encrypted secrets in a table. They are encrypted again when the key changes.

export interface SealedSecret {
  /** The id of the row. `after` returns rows in the order of these ids. */
  readonly id: string;
  readonly sealed: string;
  readonly purpose: string;
}

export interface SealedSecrets {
  readonly name: string;
  /**
   * Whether the table grows with every transaction. At the start, the service skips such a table when it checks whether it can
   * decrypt the stored secrets; the doctor checks the table.
   */
  readonly grows?: true;
  /** Returns the next rows after the row with this id, in a fixed order. */
  after(id: string, limit: number): Promise<readonly SealedSecret[]>;
  /** Replaces an encrypted secret. The result is false if the row was deleted or has another secret now. */
  replace(secret: SealedSecret, sealed: string): Promise<boolean>;
}
