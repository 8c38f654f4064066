// How PostgreSQL's programs are started: plainly, as another user when we are root, or as that user with one
// file-access capability when it cannot enter the directories on the way. The rule: the least that works, tried out.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import type { Binaries } from './binaries.ts';
import { EmbeddedError } from './errors.ts';
import type { OsUser } from './os-user.ts';
import { isRoot } from './os-user.ts';

export interface Launcher {
  readonly user: OsUser;
  readonly how: 'plain' | 'as_user' | 'as_user_reading_anything' | 'as_user_with_file_override';
  /** Runs to the end and hands back the exit code (null: killed or not started) with all output. */
  run(program: string, args: readonly string[]): Promise<{ status: number | null; output: string }>;
  /** Starts in a session of its own, so that Ctrl-C in our terminal does not reach it. */
  spawnDetached(program: string, args: readonly string[], logFd: number): ChildProcess;
}

interface Prefix {
  readonly how: Launcher['how'];
  readonly command: readonly string[];
  readonly ids: { uid?: number; gid?: number };
}

// Nothing of our own environment: it may hold secrets, and PG* variables would change what the server does.
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
// The root directory, because the user we switch to may not be able to enter ours.
const options = { cwd: '/', env: environment };

// The shell runs as the new user, so the program is executed and the directory entered with its rights only.
const probeScript = '"$1" --version && cd "$2" && test -r "$3"';

export function chooseLauncher(user: OsUser, binaries: Binaries, dataDir: string): Launcher {
  if (!isRoot()) return launcher(user, { how: 'plain', command: [], ids: {} });
  const failures: string[] = [];
  for (const prefix of prefixes(user)) {
    const [file, ...args] = [...prefix.command, '/bin/sh', '-c', probeScript, 'sh'];
    const probe = spawnSync(file!, [...args, binaries.postgres, dataDir, binaries.catalogFile], {
      ...options,
      ...prefix.ids,
      encoding: 'utf8',
    });
    if (probe.status === 0) return launcher(user, prefix);
    failures.push(`${prefix.how}: ${(probe.error?.message ?? `${probe.stderr}`).trim() || 'refused'}`);
  }
  throw new EmbeddedError(
    'path_not_reachable',
    `PostgreSQL does not run as root, and the user ${user.name} cannot reach ${binaries.postgres} or ${dataDir}. ` +
      'Install setpriv (package util-linux), or move both below directories that user may enter (chmod o+x), ' +
      `or run Sliproad as an ordinary user, or set DATABASE_URL. Tried: ${failures.join('; ')}`,
  );
}

function prefixes(user: OsUser): Prefix[] {
  const withCapability = (how: Launcher['how'], capability: string): Prefix => ({
    how,
    ids: {},
    command: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--no-new-privs',
      // Without this bit access(2) ignores the capability, and PostgreSQL then does not find its own programs.
      '--securebits=+no_setuid_fixup',
      `--inh-caps=-all,+${capability}`,
      `--ambient-caps=-all,+${capability}`,
      `--bounding-set=-all,+${capability}`,
    ],
  });
  const asUser: Prefix = { how: 'as_user', command: [], ids: { uid: user.uid, gid: user.gid } };
  if (process.platform !== 'linux') return [asUser];
  return [
    asUser,
    withCapability('as_user_reading_anything', 'dac_read_search'),
    // Containers often lack the former, and a tree installed with umask 077 needs this one to be executed.
    withCapability('as_user_with_file_override', 'dac_override'),
  ];
}

function launcher(user: OsUser, prefix: Prefix): Launcher {
  const line = (program: string, args: readonly string[]): [string, string[]] => {
    const [file, ...rest] = [...prefix.command, program, ...args];
    return [file!, rest];
  };
  return {
    user,
    how: prefix.how,
    run: (program, args) =>
      new Promise((resolve) => {
        const child = spawn(...line(program, args), {
          ...options,
          ...prefix.ids,
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
    spawnDetached: (program, args, logFd) => {
      const child = spawn(...line(program, args), {
        ...options,
        ...prefix.ids,
        detached: true,
        stdio: ['ignore', logFd, logFd],
      });
      child.unref();
      return child;
    },
  };
}
