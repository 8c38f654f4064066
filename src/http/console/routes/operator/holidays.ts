// The public holidays in Nigeria that reconciliation uses: the list, and changes by one person.
import { Type } from 'typebox';
import { removeHoliday, setHoliday } from '../../../../app/reconciliation/edit-holidays.ts';
import { ok } from '../../../../domain/values/result.ts';
import { holidayShape, renderHoliday } from '../../../../renderings/holidays.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { reviewFailure } from './decisions.ts';

const TAG = { tag: 'Reconciliation' } as const;

export const holidayRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...TAG,
      method: 'GET',
      path: '/holidays',
      name: 'listHolidays',
      summary: 'List the public holidays that reconciliation uses, oldest first',
      answer: { holidays: Type.Array(holidayShape) },
    },
    async (_call, { holidays }) => ok({ holidays: (await holidays.list()).map(renderHoliday) }),
  ),
  operatorRoute(
    'reconciliation.run',
    'nothing',
    {
      ...TAG,
      method: 'PUT',
      path: '/holidays/:day',
      name: 'setHoliday',
      summary: 'Add or change a public holiday',
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 60, description: 'the name of the holiday.' }),
        provisional: Type.Boolean({ description: 'true while the day is not certain.' }),
      }),
      answer: { holiday: holidayShape },
      refusals: ['invalid'],
    },
    async ({ params: { day = '' }, body, actor }, deps) => {
      const set = await setHoliday(deps, { ...body, day }, actor);
      return set.ok ? ok({ holiday: renderHoliday(set.value) }) : reviewFailure(set.error);
    },
  ),
  operatorRoute(
    'reconciliation.run',
    'nothing',
    {
      ...TAG,
      method: 'DELETE',
      path: '/holidays/:day',
      name: 'removeHoliday',
      summary: 'Remove a public holiday',
      answer: { day: Type.String() },
      refusals: ['invalid', 'not_found'],
    },
    async ({ params: { day = '' }, actor }, deps) => {
      const removed = await removeHoliday(deps, day, actor);
      return removed.ok ? removed : reviewFailure(removed.error);
    },
  ),
];
