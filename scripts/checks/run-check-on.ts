// Creates a repository with a few files in a temporary directory, for the tests of the checks.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function runCheckOn(
  files: Readonly<Record<string, string>>,
  find: (root: string) => readonly string[],
): readonly string[] {
  const root = writeScratch(files);
  try {
    return find(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

export async function findAsyncIn(
  files: Readonly<Record<string, string>>,
  find: (root: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const root = writeScratch(files);
  try {
    return await find(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function writeScratch(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'sliproad-checks-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}
