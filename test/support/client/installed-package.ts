// The tarball of `npm pack`, as npm installs it: it is unpacked under node_modules, together with only the packages that its
// package.json depends on. These packages are links to those of the repository, because a real install needs the registry and
// takes minutes.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** Returns the path of the command. */
export async function installPackage(directory: string): Promise<string> {
  // The test itself runs inside npm, whose settings must not reach this npm.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const packing = ['pack', '--json', '--pack-destination', directory];
  const { stdout } = await run('npm', packing, { cwd: REPOSITORY, env });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  const modules = path.join(directory, 'node_modules');
  const home = path.join(modules, 'sliproad');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  mkdirSync(home);
  await run('tar', ['-xzf', path.join(directory, filename), '-C', home, '--strip-components=1']);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(home, 'package.json'), 'utf8'),
  ) as Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    // An optional package for another platform becomes a dangling link, as if it were not installed.
    symlinkSync(path.join(REPOSITORY, 'node_modules', name), path.join(modules, name));
  }
  const command = path.join(modules, '.bin', 'sliproad');
  symlinkSync('../sliproad/bin/sliproad', command);
  return command;
}
