// Plants a bug: this thread loads the product's own sources with the bug applied, and no file on disk changes.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyBug } from './apply.ts';
import { loadPatched, type Patched } from './load-patched.ts';
import type { Bug } from './patch.ts';
import { ROOT, readSources, type Sources } from './sources.ts';

/** Call this before any part of the product is loaded in this thread. */
export function plant(bug: Bug): void {
  loadPatched(patchedBy(bug));
}

let sources: Sources | undefined;

/** The files that the bug changes, for a thread to load. The sources are read once for all bugs. */
export function patchedBy(bug: Bug): Patched {
  sources ??= readSources();
  const texts = [...applyBug(bug, sources)];
  return new Map(texts.map(([file, text]) => [pathToFileURL(path.join(ROOT, file)).href, text]));
}
