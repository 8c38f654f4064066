// How a planted bug is described: its function, and a small change to a snippet of that function. The description contains
// neither the path of the file nor the format of the code, so both may change without a change to the bug.

/** The function, constant or class at the top of a file. Its name must be unique; `beside` or `folder` can make it unique. */
export interface Spot {
  readonly in: string;
  /** Another name that is declared at the top of the same file. */
  readonly beside?: string;
  /** Folders of the path, such as `evm` or `solana/pay`. */
  readonly folder?: string;
}

/** New code that replaces a snippet, or is added before or after it. The function must contain the snippet exactly once. */
export interface Change extends Spot {
  readonly find: string;
  readonly put: string;
  readonly where: 'instead' | 'before' | 'after';
}

/** A name that the file of the function does not import yet; it is imported from the file that exports it. */
export interface Import extends Spot {
  readonly name: string;
}

export type Patch = Change | Import;

export interface Bug {
  readonly name: string;
  /** The bug in one sentence. */
  readonly what: string;
  /** The maximum number of seeds to run, for a bug that few seeds show; if missing, the usual number. */
  readonly seeds?: number;
  /** The seed at which the search begins, for a bug that so few seeds show that a search from the first seed would take hours. */
  readonly from?: number;
  readonly patches: readonly Patch[];
}

export function within(name: string, only: Omit<Spot, 'in'> = {}) {
  const spot: Spot = { in: name, ...only };
  return {
    exchange: (find: string, put: string): Change => ({ ...spot, find, put, where: 'instead' }),
    /** Also removes the comma that would be left over. */
    drop: (find: string): Change => ({ ...spot, find, put: '', where: 'instead' }),
    before: (find: string, put: string): Change => ({ ...spot, find, put, where: 'before' }),
    after: (find: string, put: string): Change => ({ ...spot, find, put, where: 'after' }),
    addImport: (imported: string): Import => ({ ...spot, name: imported }),
  };
}
