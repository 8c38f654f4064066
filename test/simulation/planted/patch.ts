// Describes a planted bug by its function and a small change to a snippet of that function. The description contains no file
// path and no code format, so both may change without a change to the bug.

/**
 * A function, constant or class at the top of a file. If several files use the name, `beside` or `folder` says which one is
 * meant.
 */
export interface Spot {
  readonly in: string;
  readonly beside?: string;
  /** A part of the file's path, such as `evm` or `solana/pay`. */
  readonly folder?: string;
}

/** New code that replaces a snippet, or is added before or after it. The function must contain the snippet exactly once. */
export interface Change extends Spot {
  readonly find: string;
  readonly put: string;
  readonly where: 'instead' | 'before' | 'after';
}

/** A name that the file of the function does not import yet. The patch imports it from the file that exports it. */
export interface Import extends Spot {
  readonly name: string;
}

export type Patch = Change | Import;

export interface Bug {
  readonly name: string;
  readonly what: string;
  /** The maximum number of seeds for this bug. It is set if only few seeds show the bug; otherwise the usual number applies. */
  readonly seeds?: number;
  /**
   * The seed at which the search begins. It is set if a search from the first seed would take hours, because very few seeds
   * show the bug.
   */
  readonly from?: number;
  readonly patches: readonly Patch[];
}

export function within(name: string, only: Omit<Spot, 'in'> = {}) {
  const spot: Spot = { in: name, ...only };
  return {
    exchange: (find: string, put: string): Change => ({ ...spot, find, put, where: 'instead' }),
    /** This patch also removes the comma that the removed code would leave behind. */
    drop: (find: string): Change => ({ ...spot, find, put: '', where: 'instead' }),
    before: (find: string, put: string): Change => ({ ...spot, find, put, where: 'before' }),
    after: (find: string, put: string): Change => ({ ...spot, find, put, where: 'after' }),
    addImport: (imported: string): Import => ({ ...spot, name: imported }),
  };
}
