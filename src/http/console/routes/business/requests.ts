// The request log of a business, for its members: a list of requests, and one request with its body. The service masks secrets
// before it stores a request.
import { Type } from 'typebox';
import { MAX_PAGE_SIZE } from '../../../../app/input/list-query.ts';
import {
  DEFAULT_REQUESTS_PAGE_SIZE,
  listRequests,
  readRequest,
  STATUS_CLASSES,
} from '../../../../app/requests/read-requests.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { RequestAnswer, renderListedRequest, renderRequest } from '../../../routes/requests.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';
import { runAsAgent } from './agent.ts';

const TAG = { tag: 'Requests' } as const;
const { request } = RequestAnswer.properties;
const { body: _body, body_truncated: _truncated, ...fields } = request.properties;
const loggedRequest = schemas.nameSchema('LoggedRequest', Type.Object(fields));

const filterTime = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const requestRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'transactions.read',
    {
      ...TAG,
      method: 'GET',
      path: '/requests/:mode',
      name: 'listRequests',
      summary: 'List requests of one mode that changed something or failed, newest first',
      query: Type.Object({
        status: Type.Optional(schemas.oneOf(STATUS_CLASSES)),
        path: Type.Optional(Type.String({ description: 'A part of the path, in upper or lower case.' })),
        from: filterTime('Only requests that arrived at or after this time.'),
        to: filterTime('Only requests that arrived at or before this time.'),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_REQUESTS_PAGE_SIZE }),
        ),
        cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
      }),
      answer: {
        requests: Type.Array(loggedRequest),
        next_cursor: schemas.nullable(
          Type.String({
            description:
              'With a filter, a page may have fewer requests than limit and still have a next page.',
          }),
        ),
      },
      refusals: ['filter_invalid', 'cursor_invalid', 'not_found'],
    },
    (call, deps) =>
      runAsAgent(
        call,
        (agent) => listRequests(deps, agent, call.query),
        ({ requests, nextCursor }) => ({
          requests: requests.map(renderListedRequest),
          next_cursor: nextCursor,
        }),
      ),
  ),
  businessRoute(
    'transactions.read',
    {
      ...TAG,
      method: 'GET',
      path: '/requests/:mode/:request_id',
      name: 'getRequest',
      summary: 'Read a request with its body',
      answer: { request: schemas.nameSchema('RequestDetail', request) },
      refusals: ['not_found'],
    },
    (call, { requestLog }) =>
      runAsAgent(
        call,
        (agent) => readRequest({ requestLog }, agent, call.params.request_id!),
        (found) => ({ request: renderRequest(found) }),
      ),
  ),
];
