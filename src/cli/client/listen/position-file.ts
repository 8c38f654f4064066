// Stores the position of `listen` in a file. After a restart, `listen` continues after the last event that reached the target.
// The file also lists events that finished before an earlier event did, so that they are not sent twice.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../terminal/command-error.ts';
import type { EventCursor } from '../follow.ts';

interface StoredPosition {
  /** All events up to the event with this id are finished. */
  readonly after: EventCursor;
  /** The ids of finished events that come after the event `after` in the event log. */
  readonly finished: readonly string[];
}

export interface ListenPosition {
  /** The position to continue from. Undefined: no position file exists yet. */
  readonly place: EventCursor | undefined;
  begin(place: EventCursor): void;
  /** Takes an event for forwarding. Returns false if the event reached the target in an earlier session. */
  take(eventId: string): boolean;
  finish(eventId: string): void;
}

export interface ListenIdentity {
  readonly baseUrl: string;
  readonly mode: string;
  /** The id of the business, or the id of its key if the business is unknown. */
  readonly owner: string;
  readonly target: string;
  readonly types: readonly string[] | undefined;
}

/** The path of the position file. Each combination of service, business, target and event types has its own file. */
export function positionFileOf(identity: ListenIdentity, sandboxDir: string | undefined): string {
  const { baseUrl, mode, owner, target, types } = identity;
  const name = createHash('sha256')
    .update(JSON.stringify([baseUrl, mode, owner, target, types ?? null]))
    .digest('hex')
    .slice(0, 16);
  const state = process.env.XDG_STATE_HOME || path.join(homedir(), '.local', 'state');
  return path.join(sandboxDir ?? path.join(state, 'sliproad'), 'listen', `${name}.json`);
}

export function openPosition(file: string): ListenPosition {
  const stored = readStoredPosition(file);
  let after: EventCursor = stored?.after ?? null;
  const finished = new Set(stored?.finished);
  const taken: string[] = [];
  const save = () => writeStoredPosition(file, { after, finished: [...finished] });
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

function readStoredPosition(file: string): StoredPosition | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`Could not read ${file}: ${(error as Error).message}`);
  }
  try {
    const { after, finished } = JSON.parse(text) as StoredPosition;
    if ((after === null || typeof after === 'string') && Array.isArray(finished)) return { after, finished };
  } catch {
    // The text is not JSON. The error after this block reports it.
  }
  throw new CommandError(
    `${file} is not a position file of listen. Delete it to start with the next event, or use --since EVENT.`,
  );
}

/** Replaces the position file atomically. If the process is killed, the file still has the previous position. */
function writeStoredPosition(file: string, stored: StoredPosition): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
