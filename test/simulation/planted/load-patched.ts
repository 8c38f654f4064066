// Replaces the text of some source files before this thread loads them; no file on disk changes. The runner starts one thread
// for each bug, and each import costs time, so this file imports no code that finds or applies bugs.
import { registerHooks } from 'node:module';

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
