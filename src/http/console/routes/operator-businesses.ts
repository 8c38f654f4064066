// Businesses as the operator sees them. Every read of a business's data is in the audit log before it is shown (threat 85).
import { Type } from 'typebox';
import { listTransactions } from '../../../app/intake/read-transactions.ts';
import { listMembers } from '../../../app/membership/members.ts';
import { isMode } from '../../../domain/values/mode.ts';
import { fail, ok } from '../../../domain/values/result.ts';
import { renderTransaction } from '../../routes/render-transaction.ts';
import { listDocs } from '../../routes/transaction-docs.ts';
import { NO_SUCH_BUSINESS, NO_SUCH_RECORD } from '../refusals.ts';
import { renderKey, renderMember } from '../render.ts';
import { type ConsoleRoute, operatorRoute } from '../route.ts';
import * as schemas from '../schemas.ts';

const GET = { method: 'GET', tag: 'Operator' } as const;
const business = Type.Object({
  business_id: Type.String(),
  name: Type.String(),
  link_tag: Type.String(),
  sandbox: Type.Boolean(),
});

export const operatorBusinessRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/businesses',
      name: 'listBusinesses',
      summary: 'List the businesses',
      answer: { businesses: Type.Array(business) },
    },
    async (_call, { backOffice }) => {
      const businesses = await backOffice.listBusinesses();
      return ok({
        businesses: businesses.map(({ id, name, linkTag, sandbox }) => ({
          ...{ business_id: id, name, link_tag: linkTag, sandbox },
        })),
      });
    },
  ),
  operatorRoute(
    'businesses.read',
    'business',
    {
      ...GET,
      path: '/businesses/:business_id',
      name: 'getBusinessAsOperator',
      summary: 'Read a business with its members and keys',
      answer: {
        business,
        members: Type.Array(schemas.member),
        keys: Type.Array(schemas.key),
      },
      refusals: ['not_found'],
    },
    async ({ params, actor }, { backOffice, people }) => {
      const found = (await backOffice.listBusinesses()).find(({ id }) => id === params.business_id);
      if (found === undefined) return fail(NO_SUCH_BUSINESS);
      const members = await listMembers(people, found.id, actor);
      if (!members.ok) return members;
      const keys = await backOffice.listKeys(found.id);
      const { id, name, linkTag, sandbox } = found;
      return ok({
        business: { business_id: id, name, link_tag: linkTag, sandbox },
        members: members.value.map(renderMember),
        keys: keys.map(renderKey),
      });
    },
  ),
  operatorRoute(
    'businesses.read',
    'business',
    {
      ...GET,
      path: '/businesses/:business_id/transactions/:mode',
      name: 'listTransactionsAsOperator',
      summary: 'List the transactions of a business in one mode, the newest first',
      query: listDocs.querystring,
      answer: {
        transactions: Type.Array(Type.Ref('Transaction')),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['filter_invalid', 'cursor_invalid', 'reference_invalid', 'not_found'],
    },
    async ({ params, query }, { store, networks }) => {
      const { business_id: id = '', mode = '' } = params;
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const listed = await listTransactions(store, { key: { business: { id }, mode } }, query);
      if (!listed.ok) return listed;
      const { transactions, nextCursor } = listed.value;
      const rendered = transactions.map((each) => renderTransaction(each, networks));
      return ok({ transactions: rendered, next_cursor: nextCursor });
    },
  ),
];
