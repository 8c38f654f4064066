// Paging like Horizon: a page does not include its cursor, the order may be reversed, and a page has at most 200 records. Links
// point to the next and the previous page.
import { badRequestProblem, ProblemError } from '../problems.ts';
import type { HorizonJson } from './format.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;

export interface PageQuery {
  readonly cursor: string;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

export function readPageQuery(query: URLSearchParams): PageQuery {
  const order = query.get('order') || 'asc';
  if (order !== 'asc' && order !== 'desc') {
    throw new ProblemError(badRequestProblem('order', 'order: invalid value'));
  }
  const limitText = query.get('limit') || String(DEFAULT_LIMIT);
  const limit = Number(limitText);
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > MAX_LIMIT) {
    throw new ProblemError(badRequestProblem('limit', 'limit: must be between 1 and 200'));
  }
  return { cursor: query.get('cursor') ?? '', limit, order };
}

export interface PageListing<T> {
  readonly items: readonly T[];
  readonly length?: number;
  readonly compare: (item: T, cursor: string) => number;
  readonly wanted?: (item: T) => boolean;
}

/** How many of the ascending items come before the first item for which `isAfter` is true. */
export function countBefore<T>(items: readonly T[], isAfter: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function pickPage<T>(listing: PageListing<T>, { cursor, limit, order }: PageQuery): T[] {
  const { items, compare, wanted } = listing;
  const length = listing.length ?? items.length;
  const picked: T[] = [];
  const take = (item: T) => {
    if (wanted === undefined || wanted(item)) picked.push(item);
  };
  if (order === 'asc') {
    const now = cursor === 'now' ? length : 0;
    const from =
      cursor === '' || cursor === 'now' ? now : countBefore(items, (item) => compare(item, cursor) > 0);
    for (let at = from; at < length && picked.length < limit; at++) take(items[at]!);
  } else {
    const open = cursor === '' || cursor === 'now';
    const until = open ? length : countBefore(items, (item) => compare(item, cursor) >= 0);
    for (let at = Math.min(until, length) - 1; at >= 0 && picked.length < limit; at--) take(items[at]!);
  }
  return picked;
}

/** Used for lists by position, where the cursor must be a number. */
export function comparePosition<T extends { readonly toid: bigint }>(item: T, cursor: string): number {
  if (!/^\d{1,19}$/.test(cursor))
    throw new ProblemError(badRequestProblem('cursor', 'cursor: invalid value'));
  const position = BigInt(cursor);
  return item.toid < position ? -1 : item.toid > position ? 1 : 0;
}

export function pageRecord(
  base: string,
  url: URL,
  query: PageQuery,
  records: readonly HorizonJson[],
): HorizonJson {
  const link = (cursor: string, order: string) => {
    const to = new URL(url);
    to.searchParams.set('cursor', cursor);
    to.searchParams.set('limit', String(query.limit));
    to.searchParams.set('order', order);
    return { href: `${base}${to.pathname}${to.search}` };
  };
  const token = (record: HorizonJson | undefined) =>
    (record?.paging_token as string | undefined) ?? query.cursor;
  const turned = query.order === 'asc' ? 'desc' : 'asc';
  return {
    _links: {
      self: link(query.cursor, query.order),
      next: link(token(records.at(-1)), query.order),
      prev: link(token(records[0]), turned),
    },
    _embedded: { records },
  };
}
