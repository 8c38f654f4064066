// How PostgreSQL's programs are started: directly, or as a different user when the process runs as root. The programs never
// have a capability. If that user cannot reach the data directory, the process enters it before it switches to that user.
// Programs that the user cannot reach are copied.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Binaries } from '../files/binaries.ts';
import { EmbeddedError } from '../files/errors.ts';
import { isRoot, type OsUser } from '../files/os-user.ts';
import { copyPrograms } from '../files/programs.ts';

export interface Launcher {
  readonly user: OsUser;
  /**
   * With `as_user_from_inside`, the user cannot reach the data by its path, so the programs are started inside the directory.
   */
  readonly how: 'plain' | 'as_user' | 'as_user_from_inside';
  readonly binaries: Binaries;
  /** The name that a program gets for a directory when it is started inside that directory. */
  nameOf(directory: string): string;
  /**
   * Runs a program in the directory until it ends. Returns all output and the exit code. A null code means that the program was
   * killed or could not start.
   */
  run(
    program: string,
    args: readonly string[],
    directory: string,
  ): Promise<{ status: number | null; output: string }>;
  /** Starts a program in a separate session, so that Ctrl-C in the terminal does not reach it. */
  spawnDetached(program: string, args: readonly string[], directory: string, logFd: number): ChildProcess;
}

interface LaunchPrefix {
  readonly command: readonly string[];
  readonly ids: { uid?: number; gid?: number };
}

/** The working directory of a process. The kernel follows this link without checking the directories above it. */
const ownDirectory = '/proc/self/cwd';

// The environment of this process is not passed on. It may contain secrets, and PG* variables would change what the server
// does.
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

// The shell runs as the new user, so these checks use only the rights of that user.
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
    `PostgreSQL does not run as root, and the user ${user.name} cannot use ${what}. Move it into directories that ` +
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
  // A change of the user removes the current capabilities. Only setpriv also removes the ones that a process could get later.
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
  // With `as_user_from_inside`, the directory is entered while the process is still root. Otherwise the root directory is used,
  // because that user may not be allowed to enter the current one.
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
