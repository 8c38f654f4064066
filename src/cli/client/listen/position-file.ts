// How far `listen` has come, in a file: a restart goes on after the last event that reached the target. Events that were
// finished before an earlier one of another transaction are remembered beside it, so that they are not sent twice.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../terminal/failure.ts';
import type { Place } from '../follow.ts';

interface Stored {
  /** Every event up to it is finished. */
  readonly after: Place;
  /** Finished, and after `after`. */
  readonly finished: readonly string[];
}

export interface Position {
  /** Where to read on; undefined: there is no file yet. */
  readonly place: Place | undefined;
  begin(place: Place): void;
  /** False: it reached the target in an earlier session. */
  take(eventId: string): boolean;
  finish(eventId: string): void;
}

export interface ListenIdentity {
  readonly baseUrl: string;
  readonly mode: string;
  /** The business, or its key where the business is not known. */
  readonly owner: string;
  readonly target: string;
  readonly types: readonly string[] | undefined;
}

/** One file for each service, business, target and choice of events. */
export function positionFileOf(identity: ListenIdentity, sandboxDir: string | undefined): string {
  const { baseUrl, mode, owner, target, types } = identity;
  const name = createHash('sha256')
    .update(JSON.stringify([baseUrl, mode, owner, target, types ?? null]))
    .digest('hex')
    .slice(0, 16);
  const state = process.env.XDG_STATE_HOME || path.join(homedir(), '.local', 'state');
  return path.join(sandboxDir ?? path.join(state, 'sliproad'), 'listen', `${name}.json`);
}

export function openPosition(file: string): Position {
  const stored = read(file);
  let after: Place = stored?.after ?? null;
  const finished = new Set(stored?.finished);
  /** Taken, in the order of the log. */
  const taken: string[] = [];
  const save = () => write(file, { after, finished: [...finished] });
  return {
    place: stored?.after,
    begin: (place) => {
      after = place;
      save();
    },
    take: (eventId) => {
      taken.push(eventId);
      if (!finished.has(eventId)) return true;
      advance();
      return false;
    },
    finish: (eventId) => {
      finished.add(eventId);
      advance();
      save();
    },
  };

  function advance(): void {
    while (taken.length > 0 && finished.has(taken[0]!)) {
      after = taken.shift()!;
      finished.delete(after);
    }
  }
}

function read(file: string): Stored | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { after, finished } = JSON.parse(text) as Stored;
    if ((after === null || typeof after === 'string') && Array.isArray(finished)) return { after, finished };
  } catch {
    // Answered below.
  }
  throw new CommandError(
    `${file} does not hold a position of listen. Delete it to begin with the next event, or give --since EVENT.`,
  );
}

/** Whole or not at all: a process that is killed leaves the position before. */
function write(file: string, stored: Stored): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
