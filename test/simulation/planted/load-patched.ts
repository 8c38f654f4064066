// Replaces the text of some files in this thread before they are loaded; no file on disk changes. This file imports none of the
// code that finds and applies bugs, because one thread is started for each bug and each import costs time.
import { registerHooks } from 'node:module';

/** The text of each file that a bug changes, by the URL of the file. */
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
