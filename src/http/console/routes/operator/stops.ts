// The stops for operators: paused movements, halted assets and frozen businesses. One person can start a stop immediately.
import { Type } from 'typebox';
import { readStopHistory } from '../../../../app/back-office/read-stop-history.ts';
import { ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { settingOutcomeAnswer } from '../../../../renderings/proposals.ts';
import {
  freezeShape,
  haltShape,
  movementsAnswer,
  renderFreeze,
  renderHalt,
  renderMovementsPause,
  renderStopEvent,
  stopEventShape,
} from '../../../../renderings/stops.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { pageFields, readPageQuery } from './page-query.ts';
import { answerSettingChange } from './settings.ts';

const GET = { method: 'GET', tag: 'Stops' } as const;
export const stopRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...GET,
      path: '/movements',
      name: 'getMovements',
      summary: 'Read whether money movements are paused, when, by whom and why',
      answer: movementsAnswer,
    },
    async (_call, { backOffice }) => {
      const paused = await backOffice.movementsPaused();
      return ok(renderMovementsPause(paused, await backOffice.lastPause()));
    },
  ),
  operatorRoute(
    'money.stop',
    'nothing',
    {
      tag: 'Stops',
      method: 'POST',
      path: '/movements/pause',
      name: 'pauseMovements',
      summary: 'Pause all money movements immediately; one person is enough',
      body: Type.Object({ reason: fields.reason }),
      answer: settingOutcomeAnswer,
      refusals: ['invalid', 'not_possible', 'busy'],
    },
    ({ actor, body: { reason } }, deps) =>
      answerSettingChange(deps, { setting: 'movements_paused', reason }, actor),
  ),
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...GET,
      path: '/halts',
      name: 'listHalts',
      summary: 'List the assets whose sends are halted, and why',
      answer: { halts: Type.Array(haltShape) },
    },
    async (_call, { ledgerAudit, networks }) => {
      const halts = await ledgerAudit.listHalts();
      return ok({
        halts: halts.map((each) => renderHalt(each, networks)),
      });
    },
  ),
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/freezes',
      name: 'listFreezes',
      summary: 'List the frozen businesses',
      answer: { freezes: Type.Array(freezeShape) },
    },
    async (_call, { backOffice }) => {
      const freezes = await backOffice.listFreezes();
      return ok({
        freezes: freezes.map(renderFreeze),
      });
    },
  ),
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/stops/history',
      name: 'listStopHistory',
      summary: 'List all stops and resumes with person, time and reason, newest first',
      query: Type.Object(pageFields),
      answer: {
        events: Type.Array(stopEventShape),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['filter_invalid', 'cursor_invalid'],
    },
    async ({ query }, deps) => {
      const page = readPageQuery(query);
      if (!page.ok) return page;
      const { before, limit } = page.value;
      const { events, nextNo } = await readStopHistory(deps, before === null ? null : Number(before), limit);
      return ok({
        events: events.map((event) => renderStopEvent(event, deps.networks)),
        next_cursor: nextNo === null ? null : String(nextNo),
      });
    },
  ),
];
