// Plants a mistake: this thread loads the product's own sources with the mistake applied, and no file on disk changes.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyBug } from './apply.ts';
import type { Bug } from './patch.ts';
import { ROOT, readSources } from './sources.ts';

/** Before anything of the product is loaded in this thread. */
export function plant(bug: Bug): void {
  const patched = new Map(
    [...applyBug(bug, readSources())].map(([file, text]) => [
      pathToFileURL(path.join(ROOT, file)).href,
      text,
    ]),
  );
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const source = patched.get(url);
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}
