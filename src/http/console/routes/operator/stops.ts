// What stands still: paused movements, halted assets, frozen businesses. Stopping takes one person, at once.
import { Type } from 'typebox';
import { readStopHistory, STOP_ACTIONS, type StopEvent } from '../../../../app/back-office/stop-history.ts';
import { haltReason } from '../../../../app/ledger/halt-reason.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { ok } from '../../../../domain/values/result.ts';
import type { Pause } from '../../../../ports/back-office.ts';
import type { Networks } from '../../../../ports/network/network.ts';
import { isoTime } from '../../render.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import * as schemas from '../../schemas.ts';
import { pageFields, pageOf } from './page-query.ts';
import { change, settingAnswer } from './settings.ts';

const GET = { method: 'GET', tag: 'Stops' } as const;
const text = Type.String();
const maybe = schemas.nullable(text);

const pause = schemas.named(
  'MovementsPause',
  Type.Object({ paused: Type.Boolean(), actor: text, reason: text, at: schemas.time }),
);
const halt = schemas.named(
  'Halt',
  Type.Object({ mode: schemas.mode, asset: text, reason: text, at: schemas.time }),
);
const freeze = schemas.named(
  'Freeze',
  Type.Object({ business_id: text, mode: schemas.mode, reason: text, at: schemas.time }),
);
const stopEvent = schemas.named(
  'StopEvent',
  Type.Object({
    no: Type.Integer({ description: 'The entry of the audit log.' }),
    ...{ action: schemas.oneOf(STOP_ACTIONS), at: schemas.time, actor: text },
    ...{ name: maybe, reason: maybe, mode: maybe, asset: maybe, business_id: maybe },
  }),
);

export const stopRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...GET,
      path: '/movements',
      name: 'getMovements',
      summary: 'Read whether money movements are paused, since when, by whom and why',
      answer: { paused: Type.Boolean(), last: schemas.nullable(pause) },
    },
    async (_call, { backOffice }) => {
      const [paused, last] = [await backOffice.movementsPaused(), await backOffice.lastPause()];
      return ok({ paused, last: last === undefined ? null : renderPause(last) });
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
      answer: { halts: Type.Array(halt) },
    },
    async (_call, { ledgerAudit, networks }) => {
      const halts = await ledgerAudit.listHalts();
      return ok({
        halts: halts.map((each) => ({
          ...{ mode: each.mode, asset: each.asset, reason: haltReason(networks, each) },
          at: isoTime(each.atMs),
        })),
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
      answer: { freezes: Type.Array(freeze) },
    },
    async (_call, { backOffice }) => {
      const freezes = await backOffice.listFreezes();
      return ok({
        freezes: freezes.map(({ businessId, mode, reason, atMs }) => ({
          ...{ business_id: businessId, mode, reason, at: isoTime(atMs) },
        })),
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
      summary: 'List who paused, resumed, halted, froze and lifted what, when and why, the newest first',
      query: Type.Object(pageFields),
      answer: {
        events: Type.Array(stopEvent),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['filter_invalid', 'cursor_invalid'],
    },
    async ({ query }, deps) => {
      const page = pageOf(query);
      if (!page.ok) return page;
      const { before, limit } = page.value;
      const { events, nextNo } = await readStopHistory(deps, before === null ? null : Number(before), limit);
      return ok({
        events: events.map((event) => renderEvent(event, deps.networks)),
        next_cursor: nextNo === null ? null : String(nextNo),
      });
    },
  ),
];

function renderPause({ paused, actor, reason, atMs }: Pause): schemas.Shown<typeof pause> {
  return { paused, actor, reason, at: isoTime(atMs) };
}

function renderEvent(
  { businessId, ...event }: StopEvent,
  networks: Networks,
): schemas.Shown<typeof stopEvent> {
  const { mode, asset, reason } = event;
  const isHalt = asset !== null && reason !== null && mode !== null && isMode(mode);
  const shown = isHalt ? haltReason(networks, { mode, asset, reason }) : reason;
  return { ...event, reason: shown, business_id: businessId };
}
