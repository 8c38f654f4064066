// The file with the session tokens of signed-in people. Each user of the operating system has one file with mode 0600. The file
// has one entry per installation, so that a token is never sent to another database.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Config } from '../config.ts';
import { CommandError } from './terminal/command-error.ts';

export interface SavedSession {
  readonly token: string;
  /**
   * Identifies this device. Failed sign-ins on other devices with the same e-mail address do not lock this device out
   * (app/people/lock-out.ts).
   */
  readonly device: string;
}

type SavedSessions = Readonly<Record<string, SavedSession>>;
type SessionConfig = Pick<Config, 'cliSessionFile' | 'dataDir' | 'databaseUrl'>;

export function readSession(config: SessionConfig): SavedSession | undefined {
  const { token, device } = readSavedSessions(sessionFileOf(config))[installationOf(config)] ?? {};
  return typeof token === 'string' && typeof device === 'string' ? { token, device } : undefined;
}

export function writeSession(config: SessionConfig, session: SavedSession | undefined): void {
  const file = sessionFileOf(config);
  const { [installationOf(config)]: _replaced, ...others } = readSavedSessions(file);
  const sessions = session === undefined ? others : { ...others, [installationOf(config)]: session };
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600); // the umask limits the mode above, and for an existing file the mode is not used
  renameSync(unfinished, file);
}

export function sessionFileOf({ cliSessionFile }: Pick<Config, 'cliSessionFile'>): string {
  const base = process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config');
  return cliSessionFile ?? path.join(base, 'sliproad', 'sessions.json');
}

function installationOf({ databaseUrl, dataDir }: SessionConfig): string {
  return createHash('sha256')
    .update(databaseUrl ?? path.resolve(dataDir))
    .digest('hex')
    .slice(0, 16);
}

function readSavedSessions(file: string): SavedSessions {
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new CommandError(`${file} can be read by others. To protect it: chmod 600 ${file}`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as SavedSessions)
      : {};
  } catch {
    return {}; // a truncated file means that the person is signed out
  }
}
