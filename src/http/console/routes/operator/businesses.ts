// Businesses for the operator. Every read of a business's data is written to the audit log before the data is shown (threat 85).
import { Type } from 'typebox';
import { readWithDetails } from '../../../../app/intake/read-details.ts';
import { listTransactions } from '../../../../app/intake/read-transactions.ts';
import { listMembers } from '../../../../app/membership/members.ts';
import { readBusinessTerms } from '../../../../app/operations/read-business-terms.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import {
  operatorBusiness,
  renderBusiness,
  renderWallet,
  VOLUME_MS,
} from '../../../../renderings/businesses.ts';
import { keyShape, renderKey } from '../../../../renderings/keys.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { memberShape, renderMember } from '../../../../renderings/people.ts';
import { renderDetailedTransaction } from '../../../routes/render-transaction.ts';
import { listTransactionsDocs } from '../../../routes/transaction-docs.ts';
import * as fields from '../../fields.ts';
import { cutIdPage, idPageFields, modeField, readIdPage, readMode } from '../../operations/queries.ts';
import { NO_SUCH_BUSINESS, NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

const GET = { method: 'GET', tag: 'Operator' } as const;

export const operatorBusinessRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/businesses',
      name: 'listBusinesses',
      summary: 'List the businesses, newest first, each with its volume of 30 days and its current terms',
      query: Type.Object({ ...modeField, ...idPageFields }),
      answer: { businesses: Type.Array(operatorBusiness), next_cursor: schemas.nullable(Type.String()) },
      refusals: ['filter_invalid', 'cursor_invalid'],
    },
    async ({ query }, deps) => {
      const mode = readMode(query);
      if (!mode.ok) return mode;
      const page = readIdPage(query);
      if (!page.ok) return page;
      const { after, limit } = page.value;
      const sinceMs = deps.clock.now() - VOLUME_MS;
      const filter = { mode: mode.value, sinceMs, after, limit: limit + 1 };
      const { shown, nextCursor } = cutIdPage(await deps.operations.listBusinesses(filter), limit);
      const termsOf = await readBusinessTerms(deps, mode.value);
      return ok({
        businesses: shown.map((row) => renderBusiness(row, termsOf(row.id))),
        next_cursor: nextCursor,
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
      summary: 'Read a business with its members and keys, and its current terms in one mode',
      query: Type.Object(modeField),
      answer: {
        business: operatorBusiness,
        default_wallet: schemas.nullable(schemas.wallet),
        members: Type.Array(memberShape),
        keys: Type.Array(keyShape),
      },
      refusals: ['not_found', 'filter_invalid'],
    },
    async ({ params, query, actor }, deps) => {
      const mode = readMode(query);
      if (!mode.ok) return mode;
      const { operations, backOffice, people, clock } = deps;
      const sinceMs = clock.now() - VOLUME_MS;
      const found = await operations.findBusiness(params.business_id!, mode.value, sinceMs);
      if (found === undefined) return fail(NO_SUCH_BUSINESS);
      const members = await listMembers(people, found.id, actor);
      if (!members.ok) return members;
      const wallet = await backOffice.defaultWallet(found.id, mode.value);
      const termsOf = await readBusinessTerms(deps, mode.value);
      return ok({
        business: renderBusiness(found, termsOf(found.id)),
        default_wallet: wallet && renderWallet(wallet),
        members: members.value.map(renderMember),
        keys: (await backOffice.listKeys(found.id)).map(renderKey),
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
      summary: 'List the transactions of a business in one mode, newest first',
      query: listTransactionsDocs.querystring,
      answer: {
        transactions: Type.Array(fields.transaction),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['filter_invalid', 'cursor_invalid', 'reference_invalid', 'not_found'],
    },
    async ({ params, query }, deps) => {
      const { business_id: id = '', mode = '' } = params;
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const listed = await listTransactions(deps.store, { key: { business: { id }, mode } }, query);
      if (!listed.ok) return listed;
      const { transactions, nextCursor } = listed.value;
      const detailed = await readWithDetails(deps, transactions);
      const rendered = detailed.map((each) => renderDetailedTransaction(each, deps.networks));
      return ok({ transactions: rendered, next_cursor: nextCursor });
    },
  ),
];
