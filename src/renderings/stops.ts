// Renders what is stopped: paused movements, halted assets and frozen businesses. It also renders who stopped or resumed them.
import { type TObject, Type } from 'typebox';
import { STOP_ACTIONS, type StopEvent } from '../app/back-office/read-stop-history.ts';
import { describeHalt } from '../app/ledger/browse-ledger.ts';
import { isMode } from '../domain/values/mode.ts';
import type { Freeze, Pause } from '../ports/back-office.ts';
import type { Halt } from '../ports/ledger.ts';
import type { DescribedNetworks } from '../ports/networks/network.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime } from './parts/values.ts';

const text = Type.String();
const nullableText = schemas.nullable(text);

const pause = schemas.nameSchema(
  'MovementsPause',
  Type.Object({ paused: Type.Boolean(), actor: text, reason: text, at: schemas.time }),
);
export const haltShape = schemas.nameSchema(
  'Halt',
  Type.Object({ mode: schemas.mode, asset: text, reason: text, at: schemas.time }),
);
export const freezeShape = schemas.nameSchema(
  'Freeze',
  Type.Object({ business_id: text, mode: schemas.mode, reason: text, at: schemas.time }),
);
export const stopEventShape = schemas.nameSchema(
  'StopEvent',
  Type.Object({
    no: Type.Integer({ description: 'Its number in the audit log.' }),
    ...{ action: schemas.oneOf(STOP_ACTIONS), at: schemas.time, actor: text },
    ...{
      name: nullableText,
      reason: nullableText,
      mode: nullableText,
      asset: nullableText,
      business_id: nullableText,
    },
  }),
);

export const movementsAnswer = { paused: Type.Boolean(), last: schemas.nullable(pause) };

export function renderMovementsPause(
  paused: boolean,
  last: Pause | undefined,
): schemas.JsonOf<TObject<typeof movementsAnswer>> {
  if (last === undefined) return { paused, last: null };
  const { actor, reason, atMs } = last;
  return { paused, last: { paused: last.paused, actor, reason, at: isoTime(atMs) } };
}

export function renderHalt(halt: Halt, networks: DescribedNetworks): schemas.JsonOf<typeof haltShape> {
  const { mode, asset, atMs } = halt;
  return { mode, asset, reason: describeHalt(networks, halt), at: isoTime(atMs) };
}

export function renderFreeze({ businessId, mode, reason, atMs }: Freeze): schemas.JsonOf<typeof freezeShape> {
  return { business_id: businessId, mode, reason, at: isoTime(atMs) };
}

export function renderStopEvent(
  { businessId, ...event }: StopEvent,
  networks: DescribedNetworks,
): schemas.JsonOf<typeof stopEventShape> {
  const { mode, asset, reason } = event;
  const isHalt = asset !== null && reason !== null && mode !== null && isMode(mode);
  const shown = isHalt ? describeHalt(networks, { mode, asset, reason }) : reason;
  return { ...event, reason: shown, business_id: businessId };
}
