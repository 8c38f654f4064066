// Plants a bug: this thread loads the service's own source files with the bug applied. No file on disk changes.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyBug } from './apply.ts';
import { loadPatched, type Patched } from './load-patched.ts';
import type { Bug } from './patch.ts';
import { ROOT, readSources, type Sources } from './sources.ts';

/** The caller must call this function before the thread loads any part of the service. */
export function plant(bug: Bug): void {
  loadPatched(patchedBy(bug));
}

let sources: Sources | undefined;

export function patchedBy(bug: Bug): Patched {
  sources ??= readSources();
  const texts = [...applyBug(bug, sources)];
  return new Map(texts.map(([file, text]) => [pathToFileURL(path.join(ROOT, file)).href, text]));
}
