// The one failure every use of the database can meet.

/** The database did not answer, or its answer was lost. Nothing may be assumed about what it did. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** False only when it is certain that nothing was sent. */
  readonly mayHaveActed: boolean;

  constructor(message: string, options: { cause?: unknown; mayHaveActed: boolean }) {
    super(message, { cause: options.cause });
    this.mayHaveActed = options.mayHaveActed;
  }
}
