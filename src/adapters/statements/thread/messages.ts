// The messages between the service and the thread that reads one statement file. Both sides wait for each other, so that neither
// holds more than a few pieces of the file in memory.
import type { StatementItem } from '../../../domain/statements/row.ts';
import type { OpenedStatement } from '../../../ports/statements.ts';
import type { ProfileChoice } from '../csv/reader.ts';

/** The values that a thread gets at its start. */
export type ThreadTask = ProfileChoice;

export type MessageToThread =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The file has no more bytes. */
  | { readonly kind: 'end' }
  /** The service has taken a group of items, so the thread may send one more. */
  | { readonly kind: 'taken' };

export type MessageFromThread =
  /** The thread needs the next piece of the file. */
  | { readonly kind: 'more' }
  | ({ readonly kind: 'opened' } & Omit<OpenedStatement, 'items'>)
  | { readonly kind: 'items'; readonly items: readonly StatementItem[] }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly message: string };

/** The number of groups that the thread may send before the service takes one. */
export const GROUPS_AHEAD = 4;
