// The search: an operator searches all records, and a member searches only the records of their own business.
import { Type } from 'typebox';
import { searchBusinessTransactions, searchRecords } from '../../../../app/operations/search-records.ts';
import { operatorRoleMay } from '../../../../domain/people/roles.ts';
import { ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime } from '../../../../renderings/parts/values.ts';
import { readSubjectContext } from '../../../../renderings/review.ts';
import { modeField, readMode } from '../../operations/queries.ts';
import { hit, renderHits, transactionHit } from '../../operations/render-hits.ts';
import { businessRoute, type ConsoleRoute, operatorRoute } from '../../route.ts';

const GET = { method: 'GET' } as const;
const query = Type.Object({
  q: Type.Optional(
    Type.String({
      description:
        'An id, reference, account number, hash, wallet, name or amount. Without it the result is empty.',
    }),
  ),
  ...modeField,
});
const answer = {
  hits: Type.Array(hit),
  back_to: schemas.nullable({
    ...schemas.time,
    description:
      'Only records since this time were searched for names, amounts, account numbers and wallets; null: all records.',
  }),
};
const NOTHING = { hits: [], back_to: null };

/** Each kind of record was searched only back to its own time. The later of these times holds for all results. */
function nearestBound(...bounds: readonly (number | null)[]): string | null {
  const known = bounds.filter((bound) => bound !== null);
  return known.length === 0 ? null : isoTime(Math.max(...known));
}

export const searchRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      tag: 'Operator',
      path: '/search',
      name: 'search',
      summary: 'Search records of all businesses in one mode, at most ten of each kind, newest first',
      query,
      answer,
      refusals: ['filter_invalid'],
    },
    async ({ query: { q, ...rest }, signedIn }, deps) => {
      const mode = readMode(rest);
      if (!mode.ok) return mode;
      if (q === undefined || q === '') return ok(NOTHING);
      const withPeople = operatorRoleMay(signedIn.person.operatorRole!, 'people.read');
      const found = await searchRecords(deps, { mode: mode.value, text: String(q), withPeople });
      if (!found.ok) return found;
      const { transactions, credits } = found.value;
      const context = await readSubjectContext(
        deps,
        transactions.found.map(({ businessId }) => businessId),
      );
      const back_to = nearestBound(transactions.backToMs, credits.backToMs);
      return ok({ hits: renderHits(found.value, context), back_to });
    },
  ),
  businessRoute(
    'transactions.read',
    {
      ...GET,
      tag: 'Business',
      path: '/search',
      name: 'searchBusiness',
      summary: 'Search the transactions of the business in one mode, at most ten, newest first',
      query,
      answer,
      refusals: ['filter_invalid'],
    },
    async ({ query: { q, ...rest }, businessId }, deps) => {
      const mode = readMode(rest);
      if (!mode.ok) return mode;
      if (q === undefined || q === '') return ok(NOTHING);
      const searched = await searchBusinessTransactions(deps, {
        mode: mode.value,
        businessId,
        text: String(q),
      });
      if (!searched.ok) return searched;
      const { found, backToMs } = searched.value;
      return ok({ hits: found.map((each) => transactionHit(each, null)), back_to: nearestBound(backToMs) });
    },
  ),
];
