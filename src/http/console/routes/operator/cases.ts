// Cases for the operator: what happened, the amount and the business. A proposal that names the case closes it
// (review-body.ts).
import { Type } from 'typebox';
import { readCaseGroup } from '../../../../app/review/plan-case-group.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import {
  caseAnswer,
  caseGroupShape,
  caseGroupSumAnswer,
  caseShape,
  readCase,
  renderCase,
  renderCaseGroup,
  renderCaseGroupSum,
} from '../../../../renderings/cases.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { CASE_STATES } from '../../../../renderings/subjects.ts';
import { cutIdPage, idPageFields, readIdPage } from '../../operations/queries.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { readModeFilter } from './reviews.ts';

const GET = { method: 'GET', tag: 'Stops' } as const;
const text = schemas.nullable(Type.String());

export const caseRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/cases',
      name: 'listCases',
      summary: 'List the recovery cases, newest first; open cases by default, closed cases with state closed',
      query: Type.Object({
        mode: Type.Optional(schemas.mode),
        state: Type.Optional(schemas.oneOf(CASE_STATES, { default: 'open' })),
        file: Type.Optional(
          Type.String({
            description:
              'The id of a statement file: only the cases about its rows; loose: only the cases outside of such groups.',
          }),
        ),
        ...idPageFields,
      }),
      answer: { cases: Type.Array(caseShape), next_cursor: text },
      refusals: ['filter_invalid', 'cursor_invalid'],
    },
    async ({ query }, { operations }) => {
      const mode = readModeFilter(query);
      if (!mode.ok) return mode;
      const state = CASE_STATES.find((each) => each === (query.state ?? 'open'));
      if (state === undefined)
        return fail({ code: 'filter_invalid', message: `state must be one of ${CASE_STATES.join(', ')}.` });
      const page = readIdPage(query);
      if (!page.ok) return page;
      const { after, limit } = page.value;
      const ofFile = typeof query.file === 'string' ? query.file : null;
      const filter = { mode: mode.value ?? null, open: state === 'open', after, limit: limit + 1, ofFile };
      const { shown, nextCursor } = cutIdPage(await operations.listCases(filter), limit);
      return ok({ cases: shown.map(renderCase), next_cursor: nextCursor });
    },
  ),
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/case-groups',
      name: 'listCaseGroups',
      summary: 'List the statement files with several open cases, each with their number and total',
      query: Type.Object({ mode: Type.Optional(schemas.mode) }),
      answer: { groups: Type.Array(caseGroupShape) },
      refusals: ['filter_invalid'],
    },
    async ({ query }, { operations }) => {
      const mode = readModeFilter(query);
      if (!mode.ok) return mode;
      const groups = await operations.listCaseGroups(mode.value ?? null);
      return ok({ groups: groups.map(renderCaseGroup) });
    },
  ),
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/case-groups/:file_id',
      name: 'getCaseGroup',
      summary: 'Read the number, the total and the digest of the open cases about one statement file',
      answer: caseGroupSumAnswer,
      refusals: ['not_found'],
    },
    async ({ params }, deps) => {
      const found = await readCaseGroup(deps, params.file_id!);
      return found === undefined ? fail(NO_SUCH_RECORD) : ok(renderCaseGroupSum(found));
    },
  ),
  operatorRoute(
    'operations.read',
    'record',
    {
      ...GET,
      path: '/cases/:record_id',
      name: 'getCase',
      summary: 'Read a case with its subject; a closed case also with the postings that closed it',
      answer: caseAnswer,
      refusals: ['not_found'],
    },
    async ({ params }, deps) => {
      const found = await readCase(deps, params.record_id!);
      return found === undefined ? fail(NO_SUCH_RECORD) : ok(found);
    },
  ),
];
