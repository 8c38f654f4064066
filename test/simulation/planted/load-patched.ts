// Loads other text in place of some files, in this thread and before they are loaded; no file on disk changes. It imports
// nothing of the code that finds and applies mistakes, because a thread is started for each mistake and pays for its imports.
import { registerHooks } from 'node:module';

/** The text of each file that a mistake changes, by the URL of the file. */
export type Patched = ReadonlyMap<string, string>;

export function loadPatched(patched: Patched): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const source = patched.get(url);
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}
