// The days on which banks book transfers: Monday to Friday. Days are texts such as 2026-11-16 and sort as texts. Public holidays
// are unknown.

const DAY_MS = 86_400_000;
const SUNDAY = 0;
const SATURDAY = 6;

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The days from the first to the last, both inclusive. */
export function daysBetween(from: string, to: string): string[] {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

export function nextWorkingDay(day: string): string {
  let next = addDays(day, 1);
  while (!isWorkingDay(next)) next = addDays(next, 1);
  return next;
}

const nearDaysCache = new Map<string, readonly string[]>();
const MAX_CACHED_DAYS = 1_000;

/** All days within this number of working days before or after the day, the nearest first. */
export function daysNear(day: string, workingDays: number): readonly string[] {
  const key = `${day} ${workingDays}`;
  const found = nearDaysCache.get(key);
  if (found !== undefined) return found;
  if (nearDaysCache.size >= MAX_CACHED_DAYS) nearDaysCache.clear();
  const near = findNear(day, workingDays);
  nearDaysCache.set(key, near);
  return near;
}

function findNear(day: string, workingDays: number): readonly string[] {
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

function isWorkingDay(day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday !== SATURDAY && weekday !== SUNDAY;
}
