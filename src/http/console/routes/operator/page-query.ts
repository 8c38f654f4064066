// The query parameters for a page of an operator's list: a numeric cursor and a limit.
import { Type } from 'typebox';
import { fail, ok, type Result } from '../../../../domain/values/result.ts';
import type { ConsoleRefusal } from '../../refusals.ts';

const PAGE = { default: 50, max: 200 } as const;

export const pageFields = {
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
  limit: Type.Optional(Type.String({ description: `1 to ${PAGE.max} (default: ${PAGE.default}).` })),
};

export interface OperatorPageQuery {
  /** Null for the first page. */
  readonly before: bigint | null;
  readonly limit: number;
}

const LIMIT = /^[1-9]\d{0,2}$/;
/** A number of this form fits into a bigint of the database. */
const NUMBER = /^[1-9]\d{0,17}$/;

export function readPageQuery(
  query: Readonly<Record<string, unknown>>,
): Result<OperatorPageQuery, ConsoleRefusal> {
  const { cursor, limit = String(PAGE.default) } = query;
  if (typeof limit !== 'string' || !LIMIT.test(limit) || Number(limit) > PAGE.max)
    return fail({ code: 'filter_invalid', message: `limit must be 1 to ${PAGE.max}.` });
  if (cursor !== undefined && (typeof cursor !== 'string' || !NUMBER.test(cursor)))
    return fail({ code: 'cursor_invalid', message: 'cursor must be a next_cursor from an earlier answer.' });
  return ok({ before: cursor === undefined ? null : BigInt(cursor), limit: Number(limit) });
}

/** Reads a number from a path; undefined if it cannot be the number of a record. */
export function parsePathNumber(text: string | undefined): bigint | undefined {
  return text !== undefined && NUMBER.test(text) ? BigInt(text) : undefined;
}
