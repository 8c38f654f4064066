// The manifest of a backup: format, PostgreSQL version, and the size and hash of every file. It is written last and fully
// checked when it is read. Therefore an incomplete or changed backup is never taken for a complete one.
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileMark } from '../files/copy-file.ts';
import { codeOf, EmbeddedError, messageOf } from '../files/errors.ts';

export const manifestName = 'manifest.json';
const formatName = 'sliproad-embedded-backup';
const formatVersion = 1;

export interface ManifestFile extends FileMark {
  readonly path: string;
}

export interface Manifest {
  readonly format: typeof formatName;
  readonly format_version: typeof formatVersion;
  readonly postgres_major: number;
  readonly server_version: string;
  readonly created_at: string;
  readonly directories: readonly string[];
  readonly files: readonly ManifestFile[];
}

/** A backup without these files is invalid, whatever its manifest contains. */
const indispensableFiles = ['PG_VERSION', 'backup_label', 'global/pg_control'];

export function composeManifest(
  facts: Pick<Manifest, 'postgres_major' | 'server_version' | 'created_at' | 'directories'>,
  files: readonly ManifestFile[],
): string {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const manifest: Manifest = { format: formatName, format_version: formatVersion, ...facts, files: sorted };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

export async function readManifest(sourceDir: string): Promise<Manifest> {
  const file = path.join(sourceDir, manifestName);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    throw new EmbeddedError(
      'manifest_missing',
      `${sourceDir} is not a finished backup: it has no ${manifestName}. Choose another one.`,
      error,
    );
  }
  const problem = (what: string, cause?: unknown) =>
    new EmbeddedError('manifest_invalid', `${file} cannot be used: ${what}. Choose another backup.`, cause);
  let found: Partial<Record<keyof Manifest, unknown>>;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw problem(`it is not valid JSON (${messageOf(error)})`, error);
  }
  if (typeof found !== 'object' || found === null || found.format !== formatName) {
    throw problem('it does not describe a backup of this database');
  }
  if (found.format_version !== formatVersion) {
    throw problem(
      `its format version is ${String(found.format_version)}; this release reads ${formatVersion}`,
    );
  }
  if (!isComplete(found)) throw problem('entries are missing or malformed');
  const listed = new Set(found.files.map((entry) => entry.path));
  if (listed.size !== found.files.length) throw problem('it lists a file twice');
  const missing = indispensableFiles.find((name) => !listed.has(name));
  if (missing !== undefined) throw problem(`it does not list ${missing}`);
  return found;
}

function isComplete(found: Partial<Record<keyof Manifest, unknown>>): found is Manifest {
  return (
    Number.isSafeInteger(found.postgres_major) &&
    typeof found.server_version === 'string' &&
    typeof found.created_at === 'string' &&
    Array.isArray(found.directories) &&
    found.directories.every(isInside) &&
    Array.isArray(found.files) &&
    found.files.every(isFileEntry)
  );
}

function isFileEntry(entry: unknown): entry is ManifestFile {
  if (typeof entry !== 'object' || entry === null) return false;
  const { path: name, size, sha256 } = entry as Partial<Record<keyof ManifestFile, unknown>>;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return false;
  return isInside(name) && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
}

/** Whether a path stays inside its directory. A manifest may come from an untrusted source. */
function isInside(name: unknown): name is string {
  if (typeof name !== 'string' || name === '' || name.includes('\0')) return false;
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** A quick check before the copy, so that a missing or short file is reported before gigabytes are copied. */
export async function checkSizes(sourceDir: string, manifest: Manifest): Promise<void> {
  for (const { path: name, size } of manifest.files) {
    const found = await lstat(path.join(sourceDir, name)).catch(() => undefined);
    if (found === undefined) throw damagedBackupError(sourceDir, name, 'is missing');
    if (!found.isFile()) throw damagedBackupError(sourceDir, name, 'is not a file');
    if (found.size !== size)
      throw damagedBackupError(sourceDir, name, `has ${found.size} bytes; the manifest says ${size}`);
  }
}

export const damagedBackupError = (sourceDir: string, name: string, what: string): EmbeddedError =>
  new EmbeddedError(
    'file_damaged',
    `The backup in ${sourceDir} is damaged: ${name} ${what}. Nothing was restored; choose another backup.`,
  );
