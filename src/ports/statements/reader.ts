// Reads a statement file as a stream, whatever its format. No call throws because of what a file holds, except UnreadableStatement.
import type { Listing, StatementItem } from '../../domain/statements/row.ts';

export const STATEMENT_FORMATS = ['csv', 'html', 'mt940', 'camt.053', 'camt.054', 'ofx'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** The file as a whole cannot be read. The message says why and what to do. */
export class UnreadableStatement extends Error {
  override readonly name = 'UnreadableStatement';
}

export interface OpenedStatement {
  readonly format: StatementFormat;
  /** The column profile; the other formats have one profile each, with the name of the format. */
  readonly profile: string;
  readonly listing: Listing;
  /** In the order of the file, in small groups. */
  readonly items: AsyncIterable<readonly StatementItem[]>;
}

export interface ProfileSummary {
  readonly name: string;
  readonly title: string;
  /** The header names that it looks for, one for each column that it reads. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly isOwn: boolean;
}

export interface StatementReaders {
  /** `profile`: null: chosen by the header of the file. Throws UnreadableStatement. */
  open(bytes: AsyncIterable<Uint8Array>, profile: string | null): Promise<OpenedStatement>;
  profiles(): readonly ProfileSummary[];
}
