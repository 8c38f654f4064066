// Edits the public holidays that reconciliation uses. A wrong holiday only delays when a difference needs people, by a day each and
// by seven days at most, so one person may change it; the audit log records who.
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { parseDay } from '../../domain/values/calendar.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HolidayStore, PublicHoliday } from '../../ports/reconciliation.ts';
import { isPlainText } from '../input/field-rules.ts';

export interface HolidayDeps {
  readonly holidays: HolidayStore;
  readonly clock: Clock;
}

const LONGEST_NAME = 60;

export async function setHoliday(
  { holidays, clock }: HolidayDeps,
  given: Omit<PublicHoliday, 'setBy'>,
  actor: string,
): Promise<Result<PublicHoliday, ReviewRefusal>> {
  const { day, provisional } = given;
  if (!isHolidayDay(day))
    return refuse('invalid', 'The day must be one such as 2026-12-25, in the years 2000 to 2099.');
  const name = given.name.trim();
  if (name === '' || name.length > LONGEST_NAME || !isPlainText(name))
    return refuse('invalid', `The name must be one line of 1 to ${LONGEST_NAME} letters.`);
  await holidays.set({ day, name, provisional }, { actor, atMs: clock.now() });
  return ok({ day, name, provisional, setBy: actor });
}

export async function removeHoliday(
  { holidays, clock }: HolidayDeps,
  day: string,
  actor: string,
): Promise<Result<{ readonly day: string }, ReviewRefusal>> {
  if (!isHolidayDay(day)) return refuse('invalid', 'The day must be one such as 2026-12-25.');
  const isRemoved = await holidays.remove({ day }, { actor, atMs: clock.now() });
  return isRemoved ? ok({ day }) : refuse('not_found', `${day} is not in the list of public holidays.`);
}

function isHolidayDay(day: string): boolean {
  return parseDay(day) !== undefined && day.startsWith('20');
}
