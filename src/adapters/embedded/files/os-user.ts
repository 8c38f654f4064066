// Decides which operating system user runs PostgreSQL, which refuses to run as root. The current owner of the cluster or of
// DATA_DIR stays the owner, even after a command that was run with sudo.
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import os from 'node:os';
import { EmbeddedError } from './errors.ts';

export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** True means that other programs run as this user too, so the name of the user proves nothing. */
  readonly shared: boolean;
}

const candidates = ['postgres', 'nobody', 'daemon'];
const sharedNames = new Set(['nobody', 'daemon']);

export const isRoot = (): boolean => process.getuid?.() === 0;

export function currentUser(): OsUser {
  try {
    const { username, uid, gid } = os.userInfo();
    return { name: username, uid, gid, shared: sharedNames.has(username) };
  } catch (error) {
    throw new EmbeddedError(
      'os_user_missing',
      `User id ${process.getuid?.()} has no entry in the user database, and PostgreSQL needs a name for it. ` +
        'Run as a user that exists, or set DATABASE_URL.',
      error,
    );
  }
}

/**
 * The user that runs PostgreSQL. If the process runs as root, it is the first owner of `ownedPaths` other than root. Missing
 * paths are skipped.
 */
export function postgresUser(ownedPaths: readonly string[]): OsUser {
  if (!isRoot()) return currentUser();
  for (const ownedPath of ownedPaths) {
    const uid = lstatSync(ownedPath, { throwIfNoEntry: false })?.uid;
    const owner = uid === undefined || uid === 0 ? undefined : lookUp(String(uid));
    if (owner !== undefined) return owner;
  }
  for (const name of candidates) {
    const user = lookUp(name);
    if (user !== undefined && user.uid !== 0) return user;
  }
  throw new EmbeddedError(
    'os_user_missing',
    `PostgreSQL does not run as root, and none of the users ${candidates.join(', ')} exists to run it instead. ` +
      'Create one (useradd --system postgres), run Sliproad as an ordinary user, or set DATABASE_URL.',
  );
}

/** Uses id(1), so that users from a directory service are also found. */
function lookUp(nameOrUid: string): OsUser | undefined {
  const ask = (flag: string) =>
    execFileSync('id', [flag, nameOrUid], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const name = ask('-un');
    return { name, uid: Number(ask('-u')), gid: Number(ask('-g')), shared: sharedNames.has(name) };
  } catch {
    return undefined;
  }
}
