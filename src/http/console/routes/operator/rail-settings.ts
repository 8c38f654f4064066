// The changes that operators make to rails: routes, caps and pauses. One person can pause a rail immediately. In live mode
// every other change needs a second person (domain/people/people-needed.ts).
import { type Static, type TObject, Type } from 'typebox';
import type { RouteInput, SettingRequest } from '../../../../domain/back-office/setting.ts';
import type { OperatorPermission } from '../../../../domain/people/roles.ts';
import { isMode, type Mode } from '../../../../domain/values/mode.ts';
import { fail } from '../../../../domain/values/result.ts';
import { settingOutcomeAnswer } from '../../../../renderings/proposals.ts';
import * as fields from '../../fields.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute, type SignedInCall } from '../../route.ts';
import { nairaField, parseNaira } from './decisions.ts';
import { parsePathNumber } from './page-query.ts';
import { answerSettingChange } from './settings.ts';

/** The largest route number that the integer column of the database can store. */
const MAX_ROUTE = 2_147_483_647n;

const ReasonBody = Type.Object({ reason: fields.reason });
const CapBody = Type.Object({
  per_day: Type.Optional({ ...nairaField, description: 'in naira as a text; left out: no cap.' }),
});
const bound = Type.Optional(nairaField);
const RouteBody = Type.Object({
  rail: Type.String({ minLength: 1, maxLength: 60, description: 'the rail.' }),
  priority: Type.Integer({
    minimum: 1,
    maximum: 999,
    description: '1 to 999; of the routes that fit, the lowest wins.',
  }),
  weight: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: '0 to 1000: its share of payouts; 0: only a reserve.',
  }),
  min_amount: bound,
  max_amount: bound,
  banks: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 140 }), {
      ...{ minItems: 1, maxItems: 200 },
      description: 'codes or names of banks; left out: every bank.',
    }),
  ),
  cost: bound,
  enabled: Type.Boolean({ description: 'true or false.' }),
});

interface RailSettingDocs<Body extends TObject> {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly body?: Body;
}

/** `requestOf` returns undefined if the path names something that does not exist. */
function railSettingRoute<Body extends TObject = TObject>(
  docs: RailSettingDocs<Body>,
  requestOf: (mode: Mode, call: SignedInCall<Static<Body>>) => SettingRequest | undefined,
  permission: OperatorPermission = 'settings.propose',
): ConsoleRoute {
  const refusals = ['not_found', 'invalid', 'not_possible', 'busy'] as const;
  return operatorRoute(
    permission,
    'nothing',
    { ...docs, path: docs.path, tag: 'Rails', answer: settingOutcomeAnswer, refusals },
    async (call: SignedInCall<Static<Body>>, deps) => {
      const { mode = '' } = call.params;
      const request = isMode(mode) ? requestOf(mode, call) : undefined;
      return request === undefined ? fail(NO_SUCH_RECORD) : answerSettingChange(deps, request, call.actor);
    },
  );
}

function givenRouteOf(body: Static<typeof RouteBody>, id: number | null): RouteInput {
  const minor = (text: string | undefined) => (text === undefined ? null : parseNaira(text));
  const { rail, priority, weight, enabled, banks: bankCodes = null } = body;
  return {
    ...{ id, rail, priority, weight, enabled, bankCodes },
    ...{ minMinor: minor(body.min_amount), maxMinor: minor(body.max_amount), costMinor: minor(body.cost) },
  };
}

function routeIdIn({ route_id: text }: Readonly<Record<string, string>>): number | undefined {
  const id = parsePathNumber(text);
  return id === undefined || id > MAX_ROUTE ? undefined : Number(id);
}

const pauseRoutes = [
  railSettingRoute(
    {
      method: 'POST',
      path: '/rails/:mode/:rail/pause',
      name: 'pauseRail',
      summary: 'Pause a rail immediately; it gets no new payouts. One person is enough',
      body: ReasonBody,
    },
    (mode, { params, body: { reason } }) => ({ setting: 'rail_paused', mode, rail: params.rail!, reason }),
    'money.stop',
  ),
  railSettingRoute(
    {
      method: 'POST',
      path: '/rails/:mode/:rail/resume',
      name: 'resumeRail',
      summary: 'Resume a paused rail; in live mode another person must approve',
      body: ReasonBody,
    },
    (mode, { params, body: { reason } }) => ({ setting: 'rail_resumed', mode, rail: params.rail!, reason }),
  ),
  railSettingRoute(
    {
      method: 'POST',
      path: '/rails/:mode/:rail/trust',
      name: 'trustRail',
      summary:
        'Trust the refusals of a rail again after it paid a payout that it had refused; in live mode another person must approve',
      body: ReasonBody,
    },
    (mode, { params, body: { reason } }) => ({ setting: 'rail_trusted', mode, rail: params.rail!, reason }),
  ),
  railSettingRoute(
    {
      method: 'PUT',
      path: '/rails/:mode/:rail/cap',
      name: 'setRailCap',
      summary: 'Set or remove the daily cap on new payouts of a rail (Lagos time)',
      body: CapBody,
    },
    (mode, { params, body: { per_day: perDay } }) => ({
      ...{ setting: 'rail_cap_set', mode, rail: params.rail! },
      perDayMinor: perDay === undefined ? null : parseNaira(perDay),
    }),
  ),
];

const routingRoutes = [
  railSettingRoute(
    {
      method: 'POST',
      path: '/rail-routes/:mode',
      name: 'addRoute',
      summary: 'Add a row to the routing table',
      body: RouteBody,
    },
    (mode, { body }) => ({ setting: 'rail_route_set', mode, route: givenRouteOf(body, null) }),
  ),
  railSettingRoute(
    {
      method: 'PUT',
      path: '/rail-routes/:mode/:route_id',
      name: 'changeRoute',
      summary: 'Replace a row of the routing table',
      body: RouteBody,
    },
    (mode, { params, body }) => {
      const id = routeIdIn(params);
      return id === undefined
        ? undefined
        : { setting: 'rail_route_set', mode, route: givenRouteOf(body, id) };
    },
  ),
  railSettingRoute(
    {
      method: 'DELETE',
      path: '/rail-routes/:mode/:route_id',
      name: 'removeRoute',
      summary:
        'Remove a row of the routing table; without rows, all rails are used in the order of configuration',
    },
    (mode, { params }) => {
      const routeId = routeIdIn(params);
      return routeId === undefined ? undefined : { setting: 'rail_route_removed', mode, routeId };
    },
  ),
];

export const railSettingRoutes: readonly ConsoleRoute[] = [...pauseRoutes, ...routingRoutes];
