// The days on which banks book transfers: Monday to Friday, without public holidays. Days are texts such as 2026-11-16 and sort as
// texts. The operator edits the list of public holidays.

const DAY_MS = 86_400_000;
const SUNDAY = 0;
const SATURDAY = 6;

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): string[] {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The working days of a calendar with these public holidays. */
export interface WorkingDays {
  nextWorkingDay(day: string): string;
  /** All days within this number of working days before or after the day, the nearest first. */
  daysNear(day: string, workingDays: number): readonly string[];
}

export function makeWorkingDays(holidays: ReadonlySet<string>): WorkingDays {
  const isWorkingDay = (day: string) => !isWeekend(day) && !holidays.has(day);
  const cache = new Map<string, readonly string[]>();
  return {
    nextWorkingDay: (day) => {
      let next = addDays(day, 1);
      while (!isWorkingDay(next)) next = addDays(next, 1);
      return next;
    },
    daysNear: (day, workingDays) => {
      const key = `${day} ${workingDays}`;
      const found = cache.get(key) ?? findNear(day, workingDays, isWorkingDay);
      cache.set(key, found);
      return found;
    },
  };
}

function findNear(
  day: string,
  workingDays: number,
  isWorkingDay: (day: string) => boolean,
): readonly string[] {
  const near = [day];
  for (const step of [1, -1] as const) {
    let passed = 0;
    for (let next = addDays(day, step); ; next = addDays(next, step)) {
      if (isWorkingDay(next)) passed++;
      if (passed > workingDays) break;
      near.push(next);
    }
  }
  const distance = (other: string) => Math.abs(Date.parse(other) - Date.parse(day));
  return near.toSorted((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1));
}

function isWeekend(day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday === SATURDAY || weekday === SUNDAY;
}

/** A calendar without public holidays. */
export const NO_HOLIDAYS: WorkingDays = makeWorkingDays(new Set());
