// What stands still: paused movements, halted assets, frozen businesses, open cases. Stopping takes one person, at once.
import { Type } from 'typebox';
import { ok } from '../../../domain/values/result.ts';
import { renderRecord } from '../render.ts';
import { type ConsoleRoute, operatorRoute } from '../route.ts';
import * as schemas from '../schemas.ts';
import { change, settingAnswer } from './settings.ts';

const GET = { method: 'GET', tag: 'Stops' } as const;

export const stopRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...GET,
      path: '/movements',
      name: 'getMovements',
      summary: 'Read whether money movements are paused, since when, by whom and why',
      answer: { paused: Type.Boolean(), last: schemas.nullable(schemas.record) },
    },
    async (_call, { backOffice }) => {
      const [paused, last] = [await backOffice.movementsPaused(), await backOffice.lastPause()];
      return ok({ paused, last: last === undefined ? null : renderRecord(last) });
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
      summary: 'Pause all money movements at once: one person is enough',
      body: Type.Object({ reason: schemas.reason }),
      answer: settingAnswer,
      refusals: ['invalid', 'not_possible', 'busy'],
    },
    ({ actor, body: { reason } }, deps) => change(deps, { setting: 'movements_paused', reason }, actor),
  ),
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...GET,
      path: '/halts',
      name: 'listHalts',
      summary: 'List the assets that are not sent, and why',
      answer: { halts: Type.Array(schemas.record) },
    },
    async (_call, { ledgerAudit }) => {
      const halts = await ledgerAudit.listHalts();
      return ok({ halts: halts.map((each) => renderRecord(each)) });
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
      answer: { freezes: Type.Array(schemas.record) },
    },
    async (_call, { backOffice }) => {
      const freezes = await backOffice.listFreezes();
      return ok({ freezes: freezes.map((each) => renderRecord(each)) });
    },
  ),
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/cases',
      name: 'listCases',
      summary: 'List the open recovery cases',
      answer: { cases: Type.Array(schemas.record) },
    },
    async (_call, { backOffice }) => {
      const cases = await backOffice.listOpenCases();
      return ok({ cases: cases.map((each) => renderRecord(each)) });
    },
  ),
];
