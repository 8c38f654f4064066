// The package as it is published: packed, and installed from the tarball into an empty project.
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterFile } from '../../../test/support/sharing/file-group.ts';

const sdkDir = path.dirname(path.dirname(import.meta.dirname));
export const repository = path.dirname(sdkDir);
const run = promisify(execFile);

export interface Project {
  readonly dir: string;
  readonly files: readonly string[];
  write(name: string, text: string): string;
}

/** Packs a copy, so that two test files do not build into the same folder. */
export async function installPacked(): Promise<Project> {
  const root = mkdtempSync(path.join(tmpdir(), 'sliproad-sdk-'));
  afterFile(() => rmSync(root, { recursive: true, force: true }));
  const source = path.join(root, 'sdk');
  for (const name of ['package.json', 'README.md', 'LICENSE', 'tsconfig.json', 'src']) {
    cpSync(path.join(sdkDir, name), path.join(source, name), { recursive: true });
  }
  symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  const env = { ...process.env, npm_config_loglevel: 'error' };
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', root], { cwd: source, env });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  if (existsSync(path.join(source, 'dist'))) throw new Error('npm pack leaves the built files behind');
  // The project is outside the repository, because the repository's node_modules contains all packages.
  const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-sdk-project-'));
  afterFile(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    path.join(dir, 'package.json'),
    JSON.stringify({ name: 'shop', type: 'module', private: true }),
  );
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(root, filename)], {
    cwd: dir,
    env,
  });
  const write = (name: string, text: string) => {
    writeFileSync(path.join(dir, name), text);
    return path.join(dir, name);
  };
  return { dir, files: files.map((file) => file.path), write };
}

export function nodesOfThisMachine(): readonly { readonly bin: string; readonly version: string }[] {
  const found = new Map<string, string>([[process.version, process.execPath]]);
  for (const bin of onPath('node')) {
    const version = execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim();
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20 && !found.has(version)) found.set(version, bin);
  }
  return [...found].map(([version, bin]) => ({ bin, version }));
}

export function onPath(name: string): readonly string[] {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((dir) => dir !== '' && existsSync(dir) && readdirSync(dir).includes(name))
    .map((dir) => path.join(dir, name));
}
