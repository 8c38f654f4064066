// The format of Monnify's responses, its list pages, and its time formats.
import { lagosTime } from '../books/identifiers.ts';
import type { BankRequest, LocalBankAnswer } from '../http/server.ts';

export const monnifySuccess = (responseBody: unknown): LocalBankAnswer => ({
  status: 200,
  body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
});

export const monnifyFailure = (
  status: number,
  responseCode: string,
  responseMessage: string,
): LocalBankAnswer => ({
  status,
  body: { requestSuccessful: false, responseMessage, responseCode },
});

/** 2022-11-03T14:13:38.140+0000 */
export const monnifyIsoTime = (at: number): string => new Date(at).toISOString().replace('Z', '+0000');
export const monnifyLagosTime = (at: number): string =>
  lagosTime(at).toISOString().replace('T', ' ').replace('Z', '');

const USUAL_SIZE = 10;

/** The newest row comes first. Pages are numbered from 0. */
export function monnifyPage<Row>(
  { query }: BankRequest,
  rows: readonly Row[],
  { names, show }: { readonly names: readonly [page: string, size: string]; show(row: Row): unknown },
): LocalBankAnswer {
  const [page, size] = [countOf(query.get(names[0])) ?? 0, countOf(query.get(names[1])) || USUAL_SIZE];
  const content = rows
    .toReversed()
    .slice(page * size, (page + 1) * size)
    .map(show);
  const totalPages = Math.ceil(rows.length / size);
  const sort = { sorted: true, unsorted: false, empty: false };
  return monnifySuccess({
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
