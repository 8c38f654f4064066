// How a mistake is written down: the function it is made in, and a small change to a snippet of that function. Neither the
// path of the file nor the format of the code is part of it, so both may change without touching the mistake.

/** The function, constant or class at the top of a file. Its name must be unique, or be made so by `beside` or `folder`. */
export interface Spot {
  readonly in: string;
  /** Another name that is declared at the top of the same file. */
  readonly beside?: string;
  /** Folders of the path, such as `evm` or `solana/pay`. */
  readonly folder?: string;
}

/** Code in place of a snippet, before it or behind it. The snippet must stand in the function exactly once. */
export interface Change extends Spot {
  readonly find: string;
  readonly put: string;
  readonly where: 'instead' | 'before' | 'after';
}

/** A name that the file of the function does not import yet, from whichever file exports it. */
export interface Import extends Spot {
  readonly name: string;
}

export type Patch = Change | Import;

export interface Bug {
  readonly name: string;
  /** The mistake in a sentence. */
  readonly what: string;
  /** How many seeds it takes at most, when it shows in few of them; left out: as many as are run for each. */
  readonly seeds?: number;
  /** Where the search begins, when so few seeds show it that a search from the first one would take hours. */
  readonly from?: number;
  readonly patches: readonly Patch[];
}

export function within(name: string, only: Omit<Spot, 'in'> = {}) {
  const spot: Spot = { in: name, ...only };
  return {
    exchange: (find: string, put: string): Change => ({ ...spot, find, put, where: 'instead' }),
    /** Also takes the comma away that would be left over. */
    drop: (find: string): Change => ({ ...spot, find, put: '', where: 'instead' }),
    before: (find: string, put: string): Change => ({ ...spot, find, put, where: 'before' }),
    after: (find: string, put: string): Change => ({ ...spot, find, put, where: 'after' }),
    addImport: (imported: string): Import => ({ ...spot, name: imported }),
  };
}
