// A public holiday, as reconciliation uses it.
import { Type } from 'typebox';
import type { PublicHoliday } from '../ports/reconciliation.ts';
import * as schemas from './parts/schemas.ts';

export const holidayShape = schemas.nameSchema(
  'PublicHoliday',
  Type.Object({
    day: Type.String(),
    name: Type.String(),
    provisional: Type.Boolean({
      description: 'Whether the day depends on the moon, or on a declaration that was not made yet.',
    }),
    set_by: Type.String({
      description: 'The person who last changed it; service:migration: it came with the service.',
    }),
  }),
);

export function renderHoliday({
  day,
  name,
  provisional,
  setBy,
}: PublicHoliday): schemas.JsonOf<typeof holidayShape> {
  return { day, name, provisional, set_by: setBy };
}
