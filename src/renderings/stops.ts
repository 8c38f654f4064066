// What stands still: paused movements, halted assets and frozen businesses, and who stopped and resumed what.
import { type TObject, Type } from 'typebox';
import { STOP_ACTIONS, type StopEvent } from '../app/back-office/stop-history.ts';
import { haltReason } from '../app/ledger/halt-reason.ts';
import { isMode } from '../domain/values/mode.ts';
import type { Freeze, Pause } from '../ports/back-office.ts';
import type { Halt } from '../ports/ledger.ts';
import type { DescribedNetworks } from '../ports/networks/network.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime } from './parts/values.ts';

const text = Type.String();
const maybe = schemas.nullable(text);

const pause = schemas.named(
  'MovementsPause',
  Type.Object({ paused: Type.Boolean(), actor: text, reason: text, at: schemas.time }),
);
export const haltShape = schemas.named(
  'Halt',
  Type.Object({ mode: schemas.mode, asset: text, reason: text, at: schemas.time }),
);
export const freezeShape = schemas.named(
  'Freeze',
  Type.Object({ business_id: text, mode: schemas.mode, reason: text, at: schemas.time }),
);
export const stopEventShape = schemas.named(
  'StopEvent',
  Type.Object({
    no: Type.Integer({ description: 'The entry of the audit log.' }),
    ...{ action: schemas.oneOf(STOP_ACTIONS), at: schemas.time, actor: text },
    ...{ name: maybe, reason: maybe, mode: maybe, asset: maybe, business_id: maybe },
  }),
);

export const movementsAnswer = { paused: Type.Boolean(), last: schemas.nullable(pause) };

export function renderMovements(
  paused: boolean,
  last: Pause | undefined,
): schemas.Shown<TObject<typeof movementsAnswer>> {
  if (last === undefined) return { paused, last: null };
  const { actor, reason, atMs } = last;
  return { paused, last: { paused: last.paused, actor, reason, at: isoTime(atMs) } };
}

export function renderHalt(halt: Halt, networks: DescribedNetworks): schemas.Shown<typeof haltShape> {
  const { mode, asset, atMs } = halt;
  return { mode, asset, reason: haltReason(networks, halt), at: isoTime(atMs) };
}

export function renderFreeze({ businessId, mode, reason, atMs }: Freeze): schemas.Shown<typeof freezeShape> {
  return { business_id: businessId, mode, reason, at: isoTime(atMs) };
}

export function renderStopEvent(
  { businessId, ...event }: StopEvent,
  networks: DescribedNetworks,
): schemas.Shown<typeof stopEventShape> {
  const { mode, asset, reason } = event;
  const isHalt = asset !== null && reason !== null && mode !== null && isMode(mode);
  const shown = isHalt ? haltReason(networks, { mode, asset, reason }) : reason;
  return { ...event, reason: shown, business_id: businessId };
}
