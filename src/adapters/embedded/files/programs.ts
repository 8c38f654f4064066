// Copies PostgreSQL's programs for a user that cannot reach those that npm installed (below /root, or with umask 077). Root
// owns the copy and the directories above it. The copy is made in a temporary directory, which is then renamed.
import { createHash, randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { copyFile, forEachInParallel } from './copy-file.ts';
import { codeOf, EmbeddedError, messageOf } from './errors.ts';
import { syncDirectory } from './unfinished.ts';

/** PostgreSQL resolves the full path of its own program, so its user must be able to enter every directory in that path. */
const homes = ['/var/lib/sliproad-programs', '/tmp/sliproad-programs'];

export async function copyPrograms(
  binaries: Binaries,
  directories: readonly string[] = homes,
): Promise<Binaries> {
  const native = path.dirname(path.dirname(binaries.postgres));
  const failures: string[] = [];
  for (const home of directories) {
    try {
      return moveBinaries(binaries, native, await copyInto(home, native, binaries));
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  throw new EmbeddedError(
    'path_not_reachable',
    `PostgreSQL does not run as root, its programs in ${native} can only be reached by root, and there is no place ` +
      `for a copy: ${failures.join('; ')}. Move the installation into directories that every user may enter ` +
      '(chmod o+x), or run Sliproad as an ordinary user, or set DATABASE_URL.',
  );
}

const moveBinaries = (binaries: Binaries, from: string, to: string): Binaries => {
  const there = (file: string) => path.join(to, path.relative(from, file));
  return {
    ...binaries,
    initdb: there(binaries.initdb),
    postgres: there(binaries.postgres),
    catalogFile: there(binaries.catalogFile),
  };
};

async function copyInto(home: string, native: string, binaries: Binaries): Promise<string> {
  await mkdir(home).then(
    () => chmod(home, 0o755), // independent of the umask
    (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    },
  );
  await refuseUnlessOurs(home);
  const entries = await entriesOf(native);
  const target = path.join(
    home,
    `postgres-${binaries.version}-${await fingerprint(native, binaries, entries)}`,
  );
  if ((await lstat(target).catch(() => undefined)) !== undefined) {
    await refuseUnlessOurs(target);
    return target;
  }
  const partial = `${target}.partial-${randomBytes(6).toString('hex')}`;
  try {
    await copyTree(native, partial, entries);
    await rename(partial, target).catch((error: unknown) => {
      // Another process has already made the same copy.
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    });
    await syncDirectory(home);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return target;
}

/**
 * Only root may write to the directory, because PostgreSQL's user runs the programs in it. That user must be able to enter it.
 */
async function refuseUnlessOurs(directory: string): Promise<void> {
  const found = await lstat(directory);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o033) === 0o011) return;
  throw new Error(`${directory} is not a directory that only root can write to and every user may enter`);
}

const entriesOf = async (native: string): Promise<Dirent[]> =>
  (await readdir(native, { recursive: true, withFileTypes: true })).filter(
    ({ name }) => !name.endsWith('.a'),
  );

async function fingerprint(native: string, binaries: Binaries, entries: readonly Dirent[]): Promise<string> {
  const hash = createHash('sha256').update(await readFile(binaries.postgres));
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return `${path.relative(native, file)} ${(await lstat(file)).size}`;
    });
  return hash
    .update((await Promise.all(sizes)).sort().join('\n'))
    .digest('hex')
    .slice(0, 16);
}

async function copyTree(from: string, to: string, entries: readonly Dirent[]): Promise<void> {
  const place = (entry: Dirent) =>
    path.join(to, path.relative(from, path.join(entry.parentPath, entry.name)));
  const directories = [to, ...entries.filter((entry) => entry.isDirectory()).map(place)].sort();
  for (const directory of directories) {
    await mkdir(directory);
    await chmod(directory, 0o755);
  }
  await forEachInParallel(entries, async (entry) => {
    const source = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return symlink(await readlink(source), place(entry));
    if (!entry.isFile()) return;
    await copyFile(source, place(entry));
    await chmod(place(entry), ((await lstat(source)).mode & 0o100) === 0 ? 0o644 : 0o755);
  });
  for (const directory of directories) await syncDirectory(directory);
}
