// Plants a mistake: this thread loads the product's own sources with one piece of text exchanged, and nothing on disk
// changes. A mistake whose text is no longer there cannot be planted, and says so.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Patch {
  /** From the root of the repository. */
  readonly file: string;
  /** Must be there exactly once. */
  readonly find: string;
  readonly replace: string;
}

export interface Bug {
  readonly name: string;
  /** The mistake in a sentence. */
  readonly what: string;
  /** How many seeds it takes at most, when it shows in few of them; left out: as many as are run for each. */
  readonly seeds?: number;
  readonly patches: readonly Patch[];
}

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Before anything of the product is loaded in this thread. */
export function plant(bug: Bug): void {
  const patched = new Map<string, string>();
  for (const { file, find, replace } of bug.patches) {
    const url = pathToFileURL(path.join(ROOT, file)).href;
    const source = patched.get(url) ?? readFileSync(path.join(ROOT, file), 'utf8');
    const pieces = source.split(find);
    if (pieces.length !== 2)
      throw new Error(`${bug.name} cannot be planted: its text is ${pieces.length - 1} times in ${file}`);
    patched.set(url, pieces.join(replace));
  }
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const source = patched.get(url);
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}
