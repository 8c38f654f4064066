// How PostgreSQL's programs are started: plainly, or as another user when we are root. The rule: they never have a
// capability. A directory that user has no way to is entered before we become it, and programs it cannot reach are copied.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import type { Binaries } from '../files/binaries.ts';
import { EmbeddedError } from '../files/errors.ts';
import type { OsUser } from '../files/os-user.ts';
import { isRoot } from '../files/os-user.ts';
import { copyPrograms } from '../files/programs.ts';

export interface Launcher {
  readonly user: OsUser;
  /** From inside: that user cannot reach the data by its path, so its programs are started in the directory. */
  readonly how: 'plain' | 'as_user' | 'as_user_from_inside';
  /** Those that were found, or a copy of them that the user can run. */
  readonly binaries: Binaries;
  /** What to call a directory on the command line of a program that is started in it. */
  nameOf(directory: string): string;
  /** Runs in the directory to the end, and hands back the exit code (null: killed or not started) with all output. */
  run(
    program: string,
    args: readonly string[],
    directory: string,
  ): Promise<{ status: number | null; output: string }>;
  /** Starts in a session of its own, so that Ctrl-C in our terminal does not reach it. */
  spawnDetached(program: string, args: readonly string[], directory: string, logFd: number): ChildProcess;
}

interface LaunchPrefix {
  readonly command: readonly string[];
  readonly ids: { uid?: number; gid?: number };
}

/** The directory a process is in, whatever lies above it: the kernel follows this link without walking the path. */
const ownDirectory = '/proc/self/cwd';

// Nothing of our own environment: it may hold secrets, and PG* variables would change what the server does.
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

// The shell runs as the new user, so everything is tried with its rights only.
const runsPrograms = '"$1" --version && test -r "$2"';
const entersByPath = 'cd "$1"';
const entersFromInside = `cd ${ownDirectory}`;

export async function chooseLauncher(
  user: OsUser,
  binaries: Binaries,
  dataDir: string,
  copy: (binaries: Binaries) => Promise<Binaries> = copyPrograms,
): Promise<Launcher> {
  if (!isRoot()) return makeLauncher(user, binaries, { command: [], ids: {} }, 'plain');
  const failures: string[] = [];
  const found =
    findRunningPrefix(user, binaries, failures) ?? findRunningPrefix(user, await copy(binaries), failures);
  if (found === undefined) throw unreachableError(user, binaries.postgres, failures);
  const tries = (script: string, ...args: string[]) => tryScript(found.prefix, script, args, failures);
  if (tries(entersByPath, dataDir)) return makeLauncher(user, found.binaries, found.prefix, 'as_user');
  if (process.platform === 'linux' && tries(entersFromInside))
    return makeLauncher(user, found.binaries, found.prefix, 'as_user_from_inside');
  throw unreachableError(user, dataDir, failures);
}

const unreachableError = (user: OsUser, what: string, failures: readonly string[]): EmbeddedError =>
  new EmbeddedError(
    'path_not_reachable',
    `PostgreSQL does not run as root, and the user ${user.name} cannot use ${what}. Move it below directories that ` +
      'user may enter (chmod o+x), or run Sliproad as an ordinary user, or set DATABASE_URL. ' +
      `Tried: ${failures.join('; ')}`,
  );

function findRunningPrefix(
  user: OsUser,
  binaries: Binaries,
  failures: string[],
): { readonly prefix: LaunchPrefix; readonly binaries: Binaries } | undefined {
  const prefix = launchPrefixes(user).find((each) =>
    tryScript(each, runsPrograms, [binaries.postgres, binaries.catalogFile], failures),
  );
  return prefix && { prefix, binaries };
}

function tryScript(
  prefix: LaunchPrefix,
  script: string,
  scriptArgs: readonly string[],
  failures: string[],
): boolean {
  const [file, ...args] = [...prefix.command, '/bin/sh', '-c', script, 'sh', ...scriptArgs];
  const options = { cwd: '/', env: environment, encoding: 'utf8' as const, ...prefix.ids };
  const { status, error, stderr } = spawnSync(file!, args, options);
  if (status === 0) return true;
  failures.push(`${file}: ${(error?.message ?? stderr).trim() || 'refused'}`);
  return false;
}

function launchPrefixes(user: OsUser): LaunchPrefix[] {
  // Becoming another user takes away what it may do now; only setpriv also takes away what it could ever get.
  const forGood: LaunchPrefix = {
    ids: {},
    command: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--no-new-privs',
      '--inh-caps=-all',
      '--ambient-caps=-all',
      '--bounding-set=-all',
    ],
  };
  const asUser: LaunchPrefix = { command: [], ids: { uid: user.uid, gid: user.gid } };
  return process.platform === 'linux' ? [forGood, asUser] : [asUser];
}

function makeLauncher(
  user: OsUser,
  binaries: Binaries,
  prefix: LaunchPrefix,
  how: Launcher['how'],
): Launcher {
  const inside = how === 'as_user_from_inside';
  const line = (program: string, args: readonly string[]): [string, string[]] => {
    const [file, ...rest] = [...prefix.command, program, ...args];
    return [file!, rest];
  };
  // The directory is entered while we are still root. Otherwise the root directory: ours may be closed to that user.
  const options = (directory: string) => ({
    cwd: inside ? directory : '/',
    env: environment,
    ...prefix.ids,
  });
  return {
    user,
    how,
    binaries,
    nameOf: (directory) => (inside ? ownDirectory : directory),
    run: (program, args, directory) =>
      new Promise((resolve) => {
        const child = spawn(...line(program, args), {
          ...options(directory),
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let output = '';
        const collect = (chunk: Buffer) => {
          output += chunk.toString('utf8');
        };
        child.stdout.on('data', collect);
        child.stderr.on('data', collect);
        child.on('error', (error) => resolve({ status: null, output: `${output}${error.message}` }));
        child.on('close', (status) => resolve({ status, output }));
      }),
    spawnDetached: (program, args, directory, logFd) => {
      const child = spawn(...line(program, args), {
        ...options(directory),
        detached: true,
        stdio: ['ignore', logFd, logFd],
      });
      child.unref();
      return child;
    },
  };
}
