// Monnify's envelope, its page of a list, and how it writes times.
import { lagos } from '../books/identifiers.ts';
import type { Answer, BankRequest } from '../http/server.ts';

export const success = (responseBody: unknown): Answer => ({
  status: 200,
  body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
});

export const failure = (status: number, responseCode: string, responseMessage: string): Answer => ({
  status,
  body: { requestSuccessful: false, responseMessage, responseCode },
});

/** 2022-11-03T14:13:38.140+0000 */
export const isoOf = (at: number): string => new Date(at).toISOString().replace('Z', '+0000');
/** 2021-11-17 11:28:42.615, in Lagos */
export const lagosText = (at: number): string => lagos(at).toISOString().replace('T', ' ').replace('Z', '');

const USUAL_SIZE = 10;

/** The newest first; pages count from 0. */
export function pageOf<Row>(
  { query }: BankRequest,
  rows: readonly Row[],
  { names, show }: { readonly names: readonly [page: string, size: string]; show(row: Row): unknown },
): Answer {
  const [page, size] = [countOf(query.get(names[0])) ?? 0, countOf(query.get(names[1])) || USUAL_SIZE];
  const content = rows
    .toReversed()
    .slice(page * size, (page + 1) * size)
    .map(show);
  const totalPages = Math.ceil(rows.length / size);
  const sort = { sorted: true, unsorted: false, empty: false };
  return success({
    content,
    pageable: { sort, pageSize: size, pageNumber: page, offset: page * size, paged: true, unpaged: false },
    totalElements: rows.length,
    totalPages,
    last: page + 1 >= totalPages,
    sort,
    first: page === 0,
    numberOfElements: content.length,
    size,
    number: page,
    empty: content.length === 0,
  });
}

function countOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
