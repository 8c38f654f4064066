// The query parameters of the operator's lists: the mode, and the page. A page starts after the record with the given id.
import { Type } from 'typebox';
import { isMode, type Mode } from '../../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../../domain/values/result.ts';
import * as schemas from '../../../renderings/parts/schemas.ts';
import type { ConsoleRefusal } from '../refusals.ts';

type ConsoleListQuery = Readonly<Record<string, unknown>>;

export const modeField = {
  mode: Type.Optional({ ...schemas.mode, description: 'live or test (default: test).' }),
};

export function readMode({ mode = 'test' }: ConsoleListQuery): Result<Mode, ConsoleRefusal> {
  if (typeof mode === 'string' && isMode(mode)) return ok(mode);
  return fail({ code: 'filter_invalid', message: 'mode must be live or test.' });
}

const PAGE = { default: 50, max: 50 } as const;

export const idPageFields = {
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
  limit: Type.Optional(Type.String({ description: `1 to ${PAGE.max} (default: ${PAGE.default}).` })),
};

export function readIdPage(
  query: ConsoleListQuery,
): Result<{ readonly after: string | null; readonly limit: number }, ConsoleRefusal> {
  const { cursor, limit = String(PAGE.default) } = query;
  if (typeof limit !== 'string' || !/^[1-9]\d?$/.test(limit) || Number(limit) > PAGE.max)
    return fail({ code: 'filter_invalid', message: `limit must be 1 to ${PAGE.max}.` });
  if (cursor !== undefined && (typeof cursor !== 'string' || !/^[a-z]{3}_[0-9a-z]{1,60}$/.test(cursor)))
    return fail({ code: 'cursor_invalid', message: 'cursor must be a next_cursor from an earlier answer.' });
  return ok({ after: cursor ?? null, limit: Number(limit) });
}

/** The caller reads one more record than requested. The extra record only shows that there is a next page. */
export function cutIdPage<Each extends { readonly id: string }>(
  found: readonly Each[],
  limit: number,
): { readonly shown: readonly Each[]; readonly nextCursor: string | null } {
  const shown = found.slice(0, limit);
  return { shown, nextCursor: found.length > limit ? shown.at(-1)!.id : null };
}
