// The paths that the set-up reads and writes. Plain JavaScript for Node 20, like all of this folder except build-service.mjs,
// because it runs before the pinned runtime is installed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
export const packages = path.join(root, 'node_modules');

/** The oldest Node version that runs the TypeScript of this repository. */
const RUNS_FROM = 24;

/** The pinned Node. If no package has one for the platform, it is the Node that runs this, if it is new enough. */
export function runtime() {
  const pinned = path.join(packages, '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  return majorOf(process.versions.node) >= RUNS_FROM ? process.execPath : undefined;
}

export function majorOf(version) {
  return Number(version.split('.')[0]);
}

export function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
